"""ldconfig: the loader's cache and the links by which libraries are found."""

import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence

from codeblue.model.plan import Args, Before, Look
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import protocol
from codeblue.remedy.files.place import digest
from codeblue.remedy.run import change, told
from codeblue.remedy.verbs.by_program import ByProgram, foreign, unchanged

CACHE = "/etc/ld.so.cache"
PACKAGE = "libc-bin"
FOLDER = re.compile(r"(/.*): \(from .*\)$")
FOUND = re.compile(r"\t(\S+) -> (\S+)")


class Ldconfig(ByProgram):
    """Takes nothing."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Let ldconfig tell the links and make the cache elsewhere; compare both."""
        links = dict(_stale_links())
        old, new = _read(CACHE), _would_be()
        shows = [f"{path}: {was or '-'} -> {to}" for path, (was, to) in sorted(links.items())]
        tells = message(
            "{path}: {old} -> {new} bytes",
            "{path}：{old} -> {new} 字节",
            path=CACHE,
            old=len(old or b""),
            new=len(new),
        )
        before = {"links": json.dumps(links, sort_keys=True), "cache": digest(old) if old is not None else ""}
        return Look(
            needed=bool(shows) or old != new,
            shows=tuple(shows),
            tells=(tells,) if old != new else (),
            before=before,
        )

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Run ldconfig, which writes the cache beside and renames it."""
        unchanged(before, self.look(args).before, CACHE)
        if (old := _read(CACHE)) is not None:
            keep.put(old)
        change(("ldconfig",), PACKAGE, seconds=120)
        return before | {"made": digest(_read(CACHE) or b"")}

    def verify(self, args: Args) -> bool:
        """Return whether another run would change nothing."""
        return not self.look(args).needed

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Turn the changed links back and put the old cache in place."""
        links = json.loads(before["links"])
        for path, (_, to) in links.items():
            if _target(path) != to:
                raise foreign(path)
        if before["cache"]:
            old = keep.get(before["cache"])
            made = before.get("made") or digest(_read(CACHE) or b"")
            protocol.replace(CACHE, made, old, name, keep, lambda path: None)
        for path, (was, _) in links.items():
            os.unlink(path)
            if was:
                os.symlink(was, path)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command; it can be run again at any time."""
        return [("ldconfig",)]

    def sweep(self, args: Args, name: str) -> None:
        """Remove a cache that was being put back."""
        protocol.sweep(CACHE, name)


def _stale_links() -> Iterator[tuple[str, tuple[str | None, str]]]:
    """Yield path, present target and wanted target of each link that ldconfig would change."""
    folder = ""
    for line in told(("ldconfig", "-v", "-N", "-X"), PACKAGE).splitlines():
        if head := FOLDER.match(line):
            folder = head.group(1)
        elif (row := FOUND.match(line)) and row.group(1) != row.group(2):
            path = f"{folder}/{row.group(1)}"
            was = _target(path)
            # A link by another way to the same file is left alone, and so is what is no link.
            other = was is not None and not _same_file(path, f"{folder}/{row.group(2)}")
            if other or not os.path.lexists(path):
                yield path, (was, row.group(2))


def _target(path: str) -> str | None:
    try:
        return os.readlink(path)
    except OSError:
        return None


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _would_be() -> bytes:
    with tempfile.TemporaryDirectory(prefix="codeblue-") as folder:
        cache = os.path.join(folder, "cache")
        told(("ldconfig", "-X", "-C", cache), PACKAGE)
        return _read(cache) or b""


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None
