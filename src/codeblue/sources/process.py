"""A running process as a target: is it there, may we look into it, and in which namespaces it lives."""

import os
import re
import sys

from msgspec import Struct

from codeblue import patience
from codeblue.model.text import message
from codeblue.sources.target import Unusable, no_answer
from codeblue.transport import enter

SPACES = ("user", "cgroup", "ipc", "uts", "net", "mnt", "pid")
"""Kinds of namespaces that change what a probe finds."""


class Way(Struct, frozen=True, kw_only=True):
    """How the probe gets to the process."""

    pid: int
    """The number of the process as the probe sees it."""
    namespaces: list[str]
    """Those that are not ours."""
    prefix: tuple[str, ...] = ()
    """The argv that leads into them; empty where the probe can judge from here."""
    apart: bool = False
    """True if the process sees other files or users, and we may not go there."""


def way_to(value: str, marker: str) -> Way:
    """Return how to reach the process with this number. Raises Unusable if it has gone."""
    # Its root may lie on a file system that does not answer.
    if not patience.answers(f"/proc/{value}/root/"):
        raise Unusable(no_answer(f"/proc/{value}/root"))
    namespaces = [name for name in SPACES if _differs(value, name)]
    if not (_other_root(value) or {"mnt", "user"} & set(namespaces)):
        return Way(pid=int(value), namespaces=namespaces)
    if os.getuid() != 0:
        return Way(pid=int(value), namespaces=namespaces, apart=True)
    number = int(value)
    joined = namespaces
    if _own_proc(value):
        # The files in /proc there count as we do: in its pid namespace we would not find them.
        joined = [name for name in namespaces if name != "pid"]
    else:
        number = _inner_number(value)
    program = (sys.executable, "-I", "-S", "-B", enter.__file__)
    prefix = (*program, marker, value, ",".join(joined))
    return Way(pid=number, namespaces=namespaces, prefix=prefix)


def _differs(value: str, name: str) -> bool:
    try:
        return os.readlink(f"/proc/{value}/ns/{name}") != os.readlink(f"/proc/self/ns/{name}")
    except OSError:  # a zombie has none, and an old kernel lacks some
        return False


def _other_root(value: str) -> bool:
    try:
        return not os.path.samestat(os.stat(f"/proc/{value}/root/."), os.stat("/"))
    except OSError:
        return False


def _own_proc(value: str) -> bool:
    try:
        return os.readlink(f"/proc/{value}/root/proc/self") == str(os.getpid())
    except OSError:
        return False


def _inner_number(value: str) -> int:
    try:
        with open(f"/proc/{value}/status", encoding="utf-8", errors="replace") as stream:
            found = re.search(r"^NSpid:.*?(\d+)$", stream.read(), re.MULTILINE)
    except OSError:
        raise Unusable(message("process {pid} is gone", "进程 {pid} 已不存在", pid=value)) from None
    return int(found.group(1)) if found else int(value)
