"""module-load: one kernel module with what it needs, until the next boot."""

import os
import re
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import change, told
from codeblue.remedy.verbs.by_program import ByProgram, unchanged, wanted

LOADED = "/proc/modules"
BUILT_IN = "/sys/module"
FILE = re.compile(r"^insmod \S*/([^/\s]+?)\.ko(?:\.\w+)?(?:\s|$)", re.M)


class ModuleLoad(ByProgram):
    """Takes ``module``."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Ask modprobe what it would load. Raises Refused with its reason if there is no such module."""
        module = _module(args)
        if self.verify(args):
            return Look(needed=False)
        _loaded()
        plan = told(("modprobe", "--show-depends", "--", module), "kmod")
        new = [name for name in map(_plain, FILE.findall(plan)) if name not in _loaded()]
        return Look(needed=True, shows=tuple(f"+ {name}" for name in new), before={"new": " ".join(new)})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Load it with modprobe, which honours the options in modprobe.d."""
        unchanged(before, self.look(args).before, args["module"])
        change(("modprobe", "--", _module(args)), "kmod", seconds=120)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the module is loaded or built in."""
        module = _module(args)
        return os.path.isdir(f"{BUILT_IN}/{module}") and (
            not os.path.exists(f"{BUILT_IN}/{module}/initstate") or module in _loaded()
        )

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Unload exactly what was loaded, in reverse. Raises Refused if it is in use."""
        ours = [one for one in reversed(before.get("new", "").split()) if one in _loaded()]
        # Ours may use each other: that is no use by somebody else.
        for one in ours:
            count, users = _loaded()[one]
            if count > len(set(users) & set(ours)):
                raise Refused(
                    message(
                        "module {module} is in use ({count}); it stays loaded",
                        "模块 {module} 正在被使用（{count}）；保持加载状态",
                        module=one,
                        count=count,
                    )
                )
        for one in ours:
            change(("rmmod", "--", one), "kmod", seconds=60)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command that loads it; it can be run again at any time."""
        return [("modprobe", "--", _module(args))]


def _module(args: Args) -> str:
    return _plain(wanted(args, "module"))


def _plain(name: str) -> str:
    return name.replace("-", "_")


def _loaded() -> dict[str, tuple[int, list[str]]]:
    """Return use count and users of each loaded module. Raises Refused on a kernel that has no modules."""
    try:
        with open(LOADED, encoding="ascii") as stream:
            rows = [row.split() for row in stream]
    except FileNotFoundError:
        raise Refused(
            message(
                "this kernel cannot load modules (there is no {path})",
                "这个内核不支持加载模块（没有 {path}）",
                path=LOADED,
            )
        ) from None
    return {row[0]: (int(row[2]), [one for one in row[3].split(",") if one not in ("", "-")]) for row in rows}
