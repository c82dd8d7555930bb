"""sysctl-set: a kernel setting, until the next boot. A drop-in file that keeps it is a step of its own."""

import os
import re
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.verbs.by_program import ByProgram, foreign, unchanged, wanted

ROOT = "/proc/sys/"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]*")


class SysctlSet(ByProgram):
    """Takes ``name`` (dots or slashes) and ``value``."""

    undo = Undo.EXACT
    risk = Risk.SAFE

    def root(self, args: Args) -> bool:
        """Return whether this user may not write the setting."""
        return not os.access(_path(args), os.W_OK)

    def look(self, args: Args) -> Look:
        """Compare the setting; white space between several numbers does not count."""
        value = _read(args)
        needed = value.split() != wanted(args, "value").split()
        shows = (f"{args['name']}: {value} -> {args['value']} (/proc/sys)",) if needed else ()
        return Look(needed=needed, shows=shows, before={"value": value})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Write the setting; a value that the kernel rounds to another one is taken back."""
        unchanged(before, {"value": _read(args)}, args["name"])
        _write(args, args["value"])
        if not self.verify(args):
            now = _read(args)
            _write(args, before["value"])
            raise Refused(
                message(
                    "the kernel made {now} of {name} = {value}; the old value is back",
                    "内核把 {name} = {value} 变成了 {now}；已恢复旧值",
                    name=args["name"],
                    value=args["value"],
                    now=now,
                )
            )
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the kernel has the value."""
        return _read(args).split() == args["value"].split()

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Write the former value, if ours is still there."""
        if not self.verify(args):
            raise foreign(args["name"])
        _write(args, before["value"])

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the sysctl command; it can be run again at any time."""
        return [("sysctl", "-w", f"{args['name']}={args['value']}")]


def _path(args: Args) -> str:
    name = wanted(args, "name")
    if not NAME.fullmatch(name) or ".." in name or "//" in name:
        raise _refused(name, "no such name")
    # As sysctl reads it: where slashes come first, dots belong to the names of interfaces.
    dot, slash = name.find("."), name.find("/")
    dotted = slash < 0 or 0 <= dot < slash
    return ROOT + (name.translate(str.maketrans("./", "/.")) if dotted else name)


def _read(args: Args) -> str:
    path = _path(args)
    try:
        with open(path, encoding="ascii", errors="replace") as stream:
            return stream.read(1 << 16).strip()
    except OSError as error:
        raise _refused(args["name"], error.strerror or str(error)) from None


def _write(args: Args, value: str) -> None:
    try:
        descriptor = os.open(_path(args), os.O_WRONLY | os.O_CLOEXEC)
        try:
            # One system call: the kernel takes or refuses the value as a whole.
            os.write(descriptor, f"{value}\n".encode())
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _refused(args["name"], error.strerror or str(error)) from None


def _refused(name: str, reason: str) -> Refused:
    return Refused(message("sysctl {name}: {reason}", "sysctl {name}：{reason}", name=name, reason=reason))
