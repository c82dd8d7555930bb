"""shm-resize: the size of a tmpfs, until it is mounted anew."""

import os
import re
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import Failed, change
from codeblue.remedy.verbs.by_program import ByProgram, foreign, unchanged, wanted

SHARED = "/dev/shm"  # noqa: S108 - the mount itself
SIZE = re.compile(r"(\d+)([kmgt]?)i?b?", re.I)
UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


class ShmResize(ByProgram):
    """Takes ``size`` (bytes, or a number with k, m, g) and ``path`` of the mount, default ``/dev/shm``."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Compare the sizes; one that is large enough is never made smaller."""
        path, size = place(args), _bytes(args)
        now = _size(path)
        if now >= size:
            return Look(needed=False, before={"size": str(now)})
        if size > _memory():
            raise Refused(
                message(
                    "{path}: {size} bytes are more than memory and swap of this machine",
                    "{path}：{size} 字节超过了本机的内存与交换空间之和",
                    path=path,
                    size=size,
                )
            )
        tells = message(
            "{path}: size {now} -> {size}", "{path}：大小 {now} -> {size}", path=path, now=now, size=size
        )
        return Look(needed=True, tells=(tells,), before={"size": str(now)})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Mount it anew in place; what lies in it stays."""
        unchanged(before, {"size": str(_size(place(args)))}, place(args))
        change(self._remount(place(args), str(_bytes(args))), "mount")
        return before

    def verify(self, args: Args) -> bool:
        """Return whether it is large enough."""
        return _size(place(args)) >= _bytes(args)

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Give it the former size. Raises Failed where more than that is in use."""
        path = place(args)
        if not _same(_size(path), _bytes(args)):
            raise foreign(path)
        try:
            change(self._remount(path, before["size"]), "mount")
        except Failed as error:
            raise Failed(
                message(
                    "{path} keeps its size: {reason} (is more than {size} bytes in use?)",
                    "{path} 保持现有大小：{reason}（占用是否已超过 {size} 字节？）",
                    path=path,
                    reason=error.line.say("en"),
                    size=before["size"],
                )
            ) from None

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command that mounts it with the wanted size; it can be run again at any time."""
        return [self._remount(place(args), str(_bytes(args)))]

    def _remount(self, path: str, size: str) -> tuple[str, ...]:
        return ("mount", "-o", f"remount,size={size}", path)


def place(args: Args) -> str:
    """Return the path of the mount."""
    return args.get("path", SHARED)


def _same(one: int, other: int) -> bool:
    """Return whether two sizes are the same in whole pages."""
    page = os.sysconf("SC_PAGESIZE")
    return -(-one // page) == -(-other // page)


def _bytes(args: Args) -> int:
    found = SIZE.fullmatch(wanted(args, "size"))
    if found is None or not int(found.group(1)):
        raise Refused(message("{size} is no size", "{size} 不是大小", size=args["size"]))
    return int(found.group(1)) << UNITS[found.group(2).lower()]


def _size(path: str) -> int:
    """Return the size in bytes. Raises Refused where no tmpfs is mounted at exactly this path."""
    if _file_system(path) != "tmpfs":
        raise Refused(
            message("{path} is no mounted tmpfs", "{path} 不是已挂载的 tmpfs", path=path),
        )
    told = os.statvfs(path)
    return told.f_blocks * told.f_frsize


def _file_system(path: str) -> str | None:
    kind = None
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as stream:
        for row in stream:
            words = row.split(" ")
            if re.sub(r"\\([0-7]{3})", lambda code: chr(int(code.group(1), 8)), words[4]) == path:
                kind = words[words.index("-") + 1]  # the last one mounted there is the one seen
    return kind


def _memory() -> int:
    total = 0
    with open("/proc/meminfo", encoding="ascii") as stream:
        for row in stream:
            name, _, value = row.partition(":")
            if name in ("MemTotal", "SwapTotal"):
                total += int(value.split()[0]) << 10
    return total
