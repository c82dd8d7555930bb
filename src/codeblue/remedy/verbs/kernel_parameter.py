"""KERNEL_PARAMETER: a word of the kernel command line, through GRUB's defaults and its menu."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import protocol
from codeblue.remedy.files.edits import env_text, grub_text
from codeblue.remedy.files.place import digest, real
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.files.validators import named, plain, programs, rejected
from codeblue.remedy.verbs.file_edit import edit, given
from codeblue.remedy.verbs.filing import FileVerb, Wanted

NORMAL = "GRUB_CMDLINE_LINUX_DEFAULT"
ALL = "GRUB_CMDLINE_LINUX"
MAKERS = ("grub-mkconfig", "grub2-mkconfig")
SECONDS = 180.0
"""It looks for other systems on all disks."""


class KernelParameter(FileVerb):
    """Arguments: ``parameter``, ``remove`` (yes). Holds from the next boot.

    The defaults go back exactly; the menu goes back exactly if nobody has made a new one since, else it is
    made again.
    """

    undo = Undo.COMPENSATING
    risk = Risk.REBOOT

    def __init__(
        self,
        defaults: str = "/etc/default/grub",
        menus: Sequence[str] = ("/boot/grub/grub.cfg", "/boot/grub2/grub.cfg"),
        entries: str = "/boot/loader/entries",
    ) -> None:
        self._defaults, self._menus, self._entries = defaults, menus, entries

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the files of defaults with the change."""
        word = given(args, "parameter")
        if args.get("remove"):
            return [edit(path, "grub", name, "remove", word) for path, name in self._holding(word)]
        return [edit(*self._place(), "add", word)] if not self._holding(word) else []

    def _sources(self) -> list[str]:
        """Return the files in the order in which they are read; the last assignment counts."""
        drop_ins = sorted(str(path) for path in Path(f"{self._defaults}.d").glob("*.cfg"))
        return [real(path) for path in (self._defaults, *drop_ins)]

    def _assigned(self) -> list[tuple[str, str, list[str]]]:
        rows = []
        for path in self._sources():
            found = protocol.read(path)
            values = grub_text.parse(found[0].decode("utf-8", "surrogateescape")) if found else {}
            rows += [(path, name, values[name]) for name in (NORMAL, ALL) if name in values]
        return rows

    def _holding(self, word: str) -> list[tuple[str, str]]:
        return [(path, name) for path, name, words in self._assigned() if word in words]

    def _place(self) -> tuple[str, str, str]:
        """Return where a new word goes: the last file that assigns the variable of normal boots."""
        rows = self._assigned()
        for name in (NORMAL, ALL):
            if fits := [path for path, assigned, _ in rows if assigned == name]:
                return fits[-1], "grub", name
        return real(self._defaults), "grub", NORMAL

    def _menu(self) -> str:
        return real(next((path for path in self._menus if Path(path).exists()), self._menus[0]))

    def places(self, args: Args) -> Iterable[str]:
        """Return the defaults and the menu."""
        return [*self._sources(), self._menu()]

    def look(self, args: Args) -> Look:
        """Compare both. Raises Refused where GRUB's defaults do not decide."""
        word = given(args, "parameter")
        if not grub_text.WORD.fullmatch(word):
            raise refused(
                "{word}: this is not one word of a kernel command line",
                "{word}：这不是内核命令行中的一个词",
                word=word[:80],
            )
        self._refuse_others(word, bool(args.get("remove")))
        seen = super().look(args)
        if seen.needed or not self._in_menu(args):
            shows = (*seen.shows, f"# {_maker()} > {self._menu()}")
            return Look(needed=True, shows=shows, tells=seen.tells, before=seen.before)
        return Look(needed=False)

    def _refuse_others(self, word: str, remove: bool) -> None:
        found = protocol.read(real(self._defaults))
        if found is None or protocol.read(self._menu()) is None or _maker() == "-":
            raise refused(
                "{word}: this machine does not boot by GRUB's files; change it in its boot loader",
                "{word}：本机不是通过 GRUB 的文件启动；请在其引导程序的设置中修改",
                word=word,
            )
        text = found[0].decode("utf-8", "surrogateescape")
        if (
            env_text.parse(text).get("GRUB_ENABLE_BLSCFG", "").strip("\"'") == "true"
            and Path(self._entries).is_dir()
        ):
            raise refused(
                "here grubby changes the command line: sudo grubby --update-kernel=ALL --{flag}={word}",
                "本机由 grubby 修改内核命令行：sudo grubby --update-kernel=ALL --{flag}={word}",
                flag="remove-args" if remove else "args",
                word=word,
            )

    def _in_menu(self, args: Args) -> bool:
        """Return whether the menu is as wanted."""
        found = protocol.read(self._menu())
        holds = bool(found) and in_menu(found[0] if found else b"", given(args, "parameter"))
        return holds is not bool(args.get("remove"))

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Change the defaults, make a menu from them, have it checked, put it in place."""
        if before.get("files") != "[]" or any(one.needed for one in self.files(args)):
            super().apply(args, before, name, keep)
        try:
            return before | self._made(args, name, keep)
        except (Refused, OSError):
            with suppress(Refused, OSError):
                super().back(args, before, name, keep)
            raise

    def _made(self, args: Args, name: str, keep: Keep) -> Before:
        menu = self._menu()
        found = protocol.read(menu)
        old = found[0] if found else b""
        said = programs.asked([_maker()], seconds=SECONDS)
        if said.code or not said.out:
            raise rejected(menu, named(_maker()), said.words or f"exit {said.code}")
        if in_menu(said.out, given(args, "parameter")) is bool(args.get("remove")):
            raise rejected(menu, named(_maker()), "another file decides the kernel command line")
        protocol.replace(menu, digest(old), said.out, name, keep, lambda file: _check(menu, file))
        return {"menu": menu, "menu_before": digest(old), "menu_after": digest(said.out)}

    def verify(self, args: Args) -> bool:
        """Return whether the defaults and the menu are as wanted."""
        return super().verify(args) and self._in_menu(args)

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Put the defaults back, then the menu."""
        super().back(args, before, name, keep)
        menu = before.get("menu") or self._menu()
        if protocol.same(menu, before.get("menu_after", "-")):
            old = keep.get(before["menu_before"])
            protocol.replace(menu, before["menu_after"], old, name, keep, lambda file: _check(menu, file))
        elif not protocol.same(menu, before.get("menu_before", "-")) and self._in_menu(args):
            self._made(args | {"remove": "" if args.get("remove") else "yes"}, name, keep)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Make the menu from the defaults as they are."""
        return () if self._in_menu(args) else ((_maker(), "-o", self._menu()),)


def _maker() -> str:
    return next((path for name in MAKERS if (path := programs.found(name))), "-")


def _check(menu: str, file: str) -> None:
    for name in ("grub-script-check", "grub2-script-check"):
        if words := plain.answered(file, name):
            raise rejected(menu, named(name), words.replace(file, menu))


def in_menu(menu: bytes, word: str) -> bool:
    """Return whether a line of the menu that starts Linux has the word."""
    lines = re.findall(rb"^[ \t]*linux(?:16|efi)?[ \t]+(.*)$", menu, re.MULTILINE)
    return any(word.encode() in line.split() for line in lines)
