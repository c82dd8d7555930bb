"""process-stop: ask one program to end, the very one that the evidence named."""

import os
import select
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import Failed, hidden
from codeblue.remedy.verbs.by_program import ByProgram, wanted

PATIENCE = 10.0
"""Seconds in which a program may tidy up after SIGTERM."""

KERNEL_THREAD = 0x00200000
"""PF_KTHREAD in include/linux/sched.h."""

LONGEST = 200
"""Characters of a command line that are shown."""


class ProcessStop(ByProgram):
    """Takes ``pid``, ``started`` (field 22 of /proc/PID/stat) and ``kill`` (``yes`` allows SIGKILL)."""

    undo = Undo.NONE
    risk = Risk.DISRUPTIVE

    def root(self, args: Args) -> bool:
        """Return whether the program belongs to another user."""
        try:
            return os.geteuid() not in (0, os.stat(f"/proc/{_pid(args)}").st_uid)
        except FileNotFoundError:
            return False

    def look(self, args: Args) -> Look:
        """Show the program. Raises Refused for those that must not be stopped."""
        if not _runs(args):
            return Look(needed=False)
        _allowed(_pid(args))
        what = _command_line(_pid(args))
        signals = "SIGTERM, SIGKILL" if args.get("kill") == "yes" else "SIGTERM"
        return Look(needed=True, shows=(f"{args['pid']} {what}: {signals}",), before={"command": what})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Send SIGTERM and wait; SIGKILL only where the step allows it. Raises Failed if it lives on."""
        with _held(args) as process:
            _allowed(_pid(args))
            try:
                signal.pidfd_send_signal(process, signal.SIGTERM)
                if not _ends(process) and args.get("kill") == "yes":
                    signal.pidfd_send_signal(process, signal.SIGKILL)
            except ProcessLookupError:
                return before
            except PermissionError:
                raise Refused(
                    message("process {pid} is another user's", "进程 {pid} 属于其他用户", pid=args["pid"])
                ) from None
            if not _ends(process):
                raise Failed(
                    message(
                        "process {pid} was asked to end and still runs after {seconds} s",
                        "已请求进程 {pid} 结束，但 {seconds} 秒后它仍在运行",
                        pid=args["pid"],
                        seconds=f"{PATIENCE:g}",
                    )
                )
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the program is gone; one that only waits for its parent is."""
        return not _runs(args)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command, only while the very same program runs."""
        return [("kill", args["pid"])] if _runs(args) else ()


def _pid(args: Args) -> int:
    text = wanted(args, "pid")
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refused(message("{pid} is no process", "{pid} 不是进程号", pid=repr(text)))
    return int(text)


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the third on; empty if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            return stream.read().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _runs(args: Args) -> bool:
    fields = _stat(_pid(args))
    return bool(fields) and fields[19] == wanted(args, "started") and fields[0] not in "ZX"


def _allowed(pid: int) -> None:
    """Raise Refused for the first process, threads of the kernel, ourselves and our ancestors."""
    fields = _stat(pid)
    if pid == 1 or (fields and int(fields[6]) & KERNEL_THREAD) or pid in _ancestors():
        raise Refused(
            message(
                "process {pid} is not for us to stop: the system or codeblue itself depends on it",
                "进程 {pid} 不应由我们停止：系统或 codeblue 自身依赖它",
                pid=pid,
            )
        )


def _ancestors() -> Iterator[int]:
    pid = os.getpid()
    while pid > 0:
        yield pid
        fields = _stat(pid)
        pid = int(fields[1]) if fields else 0


@contextmanager
def _held(args: Args) -> Iterator[int]:
    """Hold the process by a descriptor, so that its number cannot pass to another. Raises Refused."""
    try:
        process = os.pidfd_open(_pid(args))
    except ProcessLookupError:
        raise _gone(args) from None
    try:
        if not _runs(args):
            raise _gone(args)
        yield process
    finally:
        os.close(process)


def _gone(args: Args) -> Refused:
    return Refused(
        message(
            "process {pid} of the preview is gone; the number may belong to another now",
            "预览时的进程 {pid} 已不在；这个进程号可能已属于别的程序",
            pid=args["pid"],
        )
    )


def _ends(process: int) -> bool:
    waiting = select.poll()
    waiting.register(process, select.POLLIN)
    return bool(waiting.poll(PATIENCE * 1000))


def _command_line(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as stream:
            words = stream.read(1 << 16).split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return hidden(" ".join(word.decode("utf-8", "replace") for word in words).strip())[:LONGEST]
