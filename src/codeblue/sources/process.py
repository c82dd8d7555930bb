"""A running process as a target: may we look into it, in which namespaces and container it lives."""

import os
import re
import sys

from msgspec import Struct, structs

from codeblue import patience
from codeblue.model.text import Message, message
from codeblue.sources.launch import Launched, Options, new_marker, outside, send
from codeblue.sources.target import Target, Unusable, no_answer
from codeblue.transport import enter, inside

SPACES = ("user", "cgroup", "ipc", "uts", "net", "mnt", "pid")
"""Kinds of namespaces that change what a probe finds."""

CONTAINER = re.compile(r"/(?P<engine>docker|libpod)[/-](?P<id>[0-9a-f]{64})")
"""A container in the path of a control group."""

ENGINES = {"docker": "docker", "libpod": "podman"}


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


def beside(target: Target, options: Options) -> tuple[Launched, ...]:
    """Send the probe to where the process lives; if that is a container, its host is looked at too.

    Raises Unusable.
    """
    if options.as_user:
        raise Unusable(
            message(
                "{target} is judged as the process's own user; leave out --as-user",
                "{target} 按进程自身的用户判断；请去掉 --as-user",
                target=target.name,
            )
        )
    marker = new_marker()
    way = way_to(target.value, marker)
    extra = {"pid": way.pid, "namespaces": way.namespaces, "apart": way.apart}
    around = container_of(target.value) if "mnt" in way.namespaces else None
    if around is None or not way.prefix:
        return (
            send(
                target,
                options,
                extra | ({"container": around} if around else {}),
                marker=marker,
                interpreter=way.prefix,
            ),
        )
    host = send(target, structs.replace(options, until="libraries"), {"container": around}, side="host")
    try:
        inside.tried(way.prefix)
    except inside.NoEntry as why:
        root = {"pid": int(target.value), "namespaces": way.namespaces, "root": f"/proc/{target.value}/root"}
        files = outside(target, options, root | {"container": around}, "container")
        return (structs.replace(files, lacking=(_only_files(target, str(why)),)), host)
    return (send(target, options, extra, way.prefix, "container", marker), host)


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


def container_of(value: str) -> dict[str, str] | None:
    """Return engine and number of the container that a process belongs to, by its control group."""
    try:
        with open(f"/proc/{value}/cgroup", encoding="utf-8", errors="replace") as stream:
            found = CONTAINER.search(stream.read())
    except OSError:
        return None
    return {"engine": ENGINES[found["engine"]], "name": found["id"]} if found else None


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


def _only_files(target: Target, why: str) -> Message:
    return message(
        "{name}: no Python can be started where the process lives ({why}), so only its files were looked at",
        "{name}：在该进程所处的环境里无法启动 Python（{why}），因此只查看了它的文件",
        name=target.name,
        why=why,
    )
