"""Programs that change the machine: each is noted before it begins, and known as long as it is at work."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from msgspec import Struct

from codeblue.model.journal import Event, Record
from codeblue.remedy import here

GATE = ("/bin/sh", "-c", 'read -r go && exec "$@" </dev/null', "sh")
"""Before a program's own words: it begins when a line comes, and never if we die before that."""

OVER = "ZX"
"""States of what has ended and only waits for its parent."""

Noted = Callable[[str, int, int], None]
"""Hears the name of a program, its number and its start (clock ticks after boot), before it begins."""

NOTED: ContextVar[Noted | None] = ContextVar("noted", default=None)


@contextmanager
def noting(noted: Noted) -> Iterator[None]:
    """Let ``noted`` hear of every program that is started to change the machine."""
    token = NOTED.set(noted)
    try:
        yield
    finally:
        NOTED.reset(token)


class _Process(Struct, frozen=True):
    state: str
    session: int
    start: int


def start_of(pid: int) -> int:
    """Return when a process was started, in clock ticks after boot; 0 if it is gone."""
    process = _process(pid)
    return process.start if process else 0


def at_work(record: Record) -> bool:
    """Return whether a program that was noted, or something in its session, still runs in this boot."""
    if record.event is not Event.RUNNING or record.boot != here.boot():
        return False
    own = _process(record.pid)
    if own is not None and own.start != record.started:
        return False  # a number is not given anew before the last of its session has ended
    if own is not None and own.state not in OVER:
        return True
    every = (_process(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return any(one is not None and one.session == record.pid and one.state not in OVER for one in every)


def _process(pid: int) -> _Process | None:
    """Read state, session and start from ``/proc/PID/stat`` (proc_pid_stat(5)); None if there is none."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as stream:
        # The name in brackets may hold spaces and brackets of its own.
        fields = stream.read().rpartition(b")")[2].split()
        return _Process(fields[0].decode("ascii"), int(fields[3]), int(fields[19]))
    return None
