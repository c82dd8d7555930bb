"""What the user may name as a target."""

import os
import re
import sys
from pathlib import Path

from msgspec import Struct

from codeblue import patience
from codeblue.model.text import Message, message


class Unusable(Exception):
    """The primary input cannot be used. Carries one line: what, where, what to do."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.say("en"))
        self.line = line


def no_answer(path: str) -> Message:
    """Return the line on a file or folder whose file system is silent."""
    return message(
        "{path}: its file system does not answer; see that its server runs (mount, df)",
        "{path}：其文件系统没有响应；请检查其服务器是否在运行（mount、df）",
        path=path,
    )


CONTAINERS = ("docker", "podman")
REMOTE = ("ssh", "slurm")
MACHINE = re.compile(r"(?:[\w.+-]+@)?[A-Za-z0-9_][\w.:%-]*$")
"""A name never begins with a dash: ssh would take it for an option."""


class Target(Struct, frozen=True):
    """A parsed target; ``kind`` is the word before the colon, ``value`` what it names."""

    kind: str
    value: str
    name: str
    """As the user wrote it."""


def parse(name: str) -> Target:
    """Return the target that ``name`` stands for. Raises Unusable."""
    kind, colon, value = name.partition(":")
    if name == "local":
        return Target("local", job_interpreter(), name)
    if colon and kind == "python":
        return Target("python", _interpreter(value), name)
    if colon and kind == "file" and value:
        return Target("file", value, name)
    if colon and kind == "pid":
        return Target("pid", _process(value), name)
    if colon and kind in CONTAINERS and value:
        return Target(kind, value, name)
    if colon and kind == "pod" and value:
        return Target(kind, value, name)
    if colon and kind in REMOTE and MACHINE.match(value) and not (kind == "slurm" and "@" in value):
        return Target(kind, value, name)
    if colon and kind == "chroot":
        return Target("chroot", _folder(value), name)
    raise Unusable(
        message(
            "unknown target '{name}'; use local, python:PATH, pid:N, docker:NAME, podman:NAME, "
            "pod:NAMESPACE/POD, ssh:HOST, slurm:NODE, chroot:DIR or file:SNAPSHOT",
            "未知目标 '{name}'；请用 local、python:路径、pid:N、docker:名称、podman:名称、pod:命名空间/POD、"
            "ssh:主机、slurm:节点、chroot:目录 或 file:快照文件",
            name=name,
        )
    )


def job_interpreter() -> str:
    """Return the interpreter that a job of this user would start.

    ``python -m codeblue`` means that interpreter itself; otherwise the active virtual or
    conda environment, then ``python3`` on PATH.
    """
    if Path(sys.argv[0]).name == "__main__.py":
        return sys.executable
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        candidate = Path(os.environ.get(variable, "/nowhere"), "bin", "python")
        # On a dead file system it is still what a job would start: the probe tells what becomes of it.
        if not patience.answers(str(candidate)) or candidate.exists():
            return str(candidate)
    return _on_path("python3") or _on_path("python") or sys.executable


def _on_path(name: str) -> str | None:
    """Return the program of this name, passing over folders that do not answer."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder]
    # The programs too: a link in a living folder may lead to a dead file system.
    dead = set(patience.silent(os.path.join(folder, name) for folder in folders))
    alive = (folder for folder in folders if os.path.join(folder, name) not in dead)
    return _program(name, os.pathsep.join(alive))


def _program(name: str, folders: str | None = None) -> str | None:
    """Return the path of an executable file."""
    from shutil import which  # brings packers that hardly any run needs

    return which(name, path=folders)


def judged_user(name: str, asked: str = "--as-user") -> str:
    """Return the user's name or number if this process may look as that user.

    ``asked`` is where the name was given. Raises Unusable."""
    try:
        uid = patience.user_number(name)
    except patience.Silent:
        raise Unusable(
            message(
                "{asked} {name}: the directory service (LDAP, SSSD) does not answer; try a local user",
                "{asked} {name}：目录服务（LDAP、SSSD）没有响应；请换用本地用户",
                asked=asked,
                name=name,
            )
        ) from None
    if uid is None:
        raise Unusable(
            message(
                "{asked} {name}: no such user here",
                "{asked} {name}：这里没有这个用户",
                asked=asked,
                name=name,
            )
        )
    if os.getuid() not in (0, uid):
        raise Unusable(
            message(
                "{asked} {name}: only root can look as another user; run it with sudo",
                "{asked} {name}：只有 root 能以其他用户的身份查看；请用 sudo 运行",
                asked=asked,
                name=name,
            )
        )
    return name


def working_folder() -> str:
    """Return the working directory. Raises Unusable if it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        raise Unusable(
            message(
                "the working directory does not exist any more; change to another one and try again",
                "当前工作目录已不存在；请切换到其他目录后重试",
            )
        ) from None


def _process(value: str) -> str:
    if not (value.isascii() and value.isdigit() and 0 < int(value) < 1 << 22):
        raise Unusable(
            message(
                "pid:{value}: not a process number; give one from ps or nvidia-smi",
                "pid:{value}：不是进程号；请给出 ps 或 nvidia-smi 显示的进程号",
                value=value,
            )
        )
    pid = str(int(value))
    try:
        owner = os.stat(f"/proc/{pid}").st_uid
        os.readlink(f"/proc/{pid}/cwd")
    except FileNotFoundError:
        if not os.path.exists(f"/proc/{pid}"):
            raise Unusable(
                message("pid:{pid}: there is no such process", "pid:{pid}：没有这个进程", pid=pid)
            ) from None
    except PermissionError:
        raise Unusable(
            message(
                "pid:{pid}: only root can look into this process (its user is {uid}); run it with sudo",
                "pid:{pid}：只有 root 能查看这个进程（其用户为 {uid}）；请用 sudo 运行",
                pid=pid,
                uid=owner,
            )
        ) from None
    return pid


def _folder(path: str) -> str:
    if not patience.answers(path):
        raise Unusable(no_answer(path))
    if not os.path.isdir(path):
        raise Unusable(message("chroot:{path}: no such folder", "chroot:{path}：没有这个目录", path=path))
    if os.getuid() != 0:
        raise Unusable(
            message(
                "chroot:{path}: only root can enter it; run it with sudo",
                "chroot:{path}：只有 root 能进入；请用 sudo 运行",
                path=path,
            )
        )
    return os.path.abspath(path)


def _interpreter(path: str) -> str:
    path = os.path.expanduser(path)
    if "/" in path and not patience.answers(path):
        raise Unusable(no_answer(path))
    found = _program(path) if "/" in path else _on_path(path)
    if found is None:
        raise Unusable(
            message(
                "{path}: no such executable; give the path of a Python interpreter",
                "{path}：没有这个可执行文件；请给出 Python 解释器的路径",
                path=path or "python:",
            )
        )
    return os.path.abspath(found)
