"""Ask what may never answer (a dead file server, a directory service) without ever waiting for it.

A process that touches a dead file system can often not even be killed, and never be interrupted.
So a forked child touches it first; one that does not come back is left behind.
"""

import marshal
import os
import pwd
import select
import signal
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

SECONDS = 1.0
AGAIN = 0.3
"""Seconds for each further folder after one has not answered: they are often on the same server."""

PASSWD = "/etc/passwd"  # noqa: S105 - the name of a file
TOUCHED = "codeblue.toml"
"""Looked up in a folder: the attributes of the folder itself may be remembered without asking the server."""

_answers: dict[str, bool] = {}


class Silent(Exception):
    """There was no answer in time."""


def within(seconds: float, function: Callable[[], Any]) -> Any:
    """Return what ``function()`` returns (plain data), computed in a child. Raises Silent or OSError."""

    def work(pipe: int) -> None:
        try:
            answer = (0, "", function())
        except OSError as error:
            answer = (error.errno or 0, str(error.strerror or error), None)
        _write(pipe, marshal.dumps(answer))

    received = bytearray()
    deadline = time.monotonic() + seconds
    pid, pipe = _forked(work)
    try:
        while select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                break
            received += chunk
        else:
            raise Silent
    finally:
        _end(pid, pipe)
    if not received:  # the function failed in a way that is not the file system's
        raise Silent
    code, words, value = marshal.loads(bytes(received))  # noqa: S302 - written by our own child
    if words:
        raise OSError(code, words)
    return value


def answers(folder: str) -> bool:
    """True if the file system of a folder (or file) answers, be it that there is no such thing."""
    return not silent([folder])


def silent(folders: Iterable[str]) -> list[str]:
    """Return those of the folders that do not answer; each is asked once in a run."""
    asked = list(dict.fromkeys(folders))
    waiting = [folder for folder in asked if folder not in _answers and not _below_silent(folder)]
    seconds = SECONDS
    while waiting:
        count = _touched(waiting, seconds)
        _answers.update((folder, True) for folder in waiting[:count])
        _answers.update((folder, False) for folder in waiting[count : count + 1])
        waiting, seconds = waiting[count + 1 :], AGAIN
    return [folder for folder in asked if not _answers.get(folder, False)]


def _below_silent(folder: str) -> bool:
    return any(folder.startswith(f"{dead}/") for dead in all_silent())


def all_silent() -> list[str]:
    """Return every folder that has not answered in this run."""
    return [folder for folder, told in _answers.items() if not told]


@cache
def accounts() -> tuple[tuple[str, int, str], ...]:
    """Return name, number and home of the users here; the local ones only if no directory service answers."""
    own = os.getuid()

    def ask() -> list[tuple[str, int, str]]:
        entries = pwd.getpwall()
        if all(entry.pw_uid != own for entry in entries):  # a service may tell names one by one only
            with suppress(KeyError):  # a number without a name, as in many containers
                entries.append(pwd.getpwuid(own))
        return [(entry.pw_name, entry.pw_uid, entry.pw_dir) for entry in entries]

    try:
        return tuple(within(SECONDS, ask))
    except (Silent, OSError):
        return tuple(_local_accounts())


def user_number(name: str) -> int | None:
    """Return the number of a user named by name or number, None if there is none. Raises Silent."""

    def ask() -> int | None:
        try:
            return pwd.getpwuid(int(name)).pw_uid if name.isdigit() else pwd.getpwnam(name).pw_uid
        except (KeyError, OverflowError):
            return None

    found: int | None = within(SECONDS, ask)
    return found


def _local_accounts() -> Iterable[tuple[str, int, str]]:
    with open(PASSWD, encoding="utf-8", errors="surrogateescape") as stream:
        for row in stream:
            words = row.rstrip("\n").split(":")
            if len(words) == 7 and words[2].isdigit():
                yield words[0], int(words[2]), words[5]


def _touched(folders: Sequence[str], seconds: float) -> int:
    """Return how many of the folders answer before the first that does not within ``seconds``."""

    def work(pipe: int) -> None:
        for folder in folders:
            os.path.lexists(os.path.join(folder, TOUCHED))
            os.write(pipe, b".")

    count = 0
    pid, pipe = _forked(work)
    try:
        while count < len(folders) and select.select([pipe], [], [], seconds)[0]:
            told = len(os.read(pipe, 1 << 12))
            if not told:
                break
            count += told
    finally:
        _end(pid, pipe)
    return count


def _forked(work: Callable[[int], None]) -> tuple[int, int]:
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python 3.12 warns where other threads run: the child makes system calls only, then leaves.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        try:
            # It may live on: then nobody must wait at the other end of what it has inherited.
            os.closerange(0, writing)
            os.closerange(writing + 1, 256)
            work(writing)
        finally:
            os._exit(0)
    os.close(writing)
    return pid, reading


def _end(pid: int, pipe: int) -> None:
    os.close(pipe)
    os.kill(pid, signal.SIGKILL)  # it is not reaped yet: the number is still its own
    deadline = time.monotonic() + 0.05
    while not os.waitpid(pid, os.WNOHANG)[0] and time.monotonic() < deadline:
        time.sleep(0.0005)


def _write(pipe: int, data: bytes) -> None:
    while data:
        data = data[os.write(pipe, data) :]
