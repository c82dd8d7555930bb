"""What the user may name as a target."""

import os
import pwd
import shutil
import sys
from pathlib import Path

from msgspec import Struct

from codeblue.model.text import Message, message


class Unusable(Exception):
    """The primary input cannot be used. Carries one line: what, where, what to do."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.say("en"))
        self.line = line


CONTAINERS = ("docker", "podman")


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
    if colon and kind == "file":
        return Target("file", value, name)
    if colon and kind in CONTAINERS and value:
        return Target(kind, value, name)
    if colon and kind == "chroot":
        return Target("chroot", _folder(value), name)
    raise Unusable(
        message(
            "unknown target '{name}'; use local, python:PATH, docker:NAME, podman:NAME, chroot:DIR "
            "or file:SNAPSHOT",
            "未知目标 '{name}'；请用 local、python:路径、docker:名称、podman:名称、chroot:目录 "
            "或 file:快照文件",
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
        if candidate.exists():
            return str(candidate)
    return shutil.which("python3") or shutil.which("python") or sys.executable


def judged_user(name: str) -> str:
    """Return the user's name or number if this process may look as that user. Raises Unusable."""
    try:
        uid = pwd.getpwuid(int(name)).pw_uid if name.isdigit() else pwd.getpwnam(name).pw_uid
    except (KeyError, OverflowError):
        raise Unusable(
            message("--as-user {name}: no such user here", "--as-user {name}：这里没有这个用户", name=name)
        ) from None
    if os.getuid() not in (0, uid):
        raise Unusable(
            message(
                "--as-user {name}: only root can look as another user; run it with sudo",
                "--as-user {name}：只有 root 能以其他用户的身份查看；请用 sudo 运行",
                name=name,
            )
        )
    return name


def _folder(path: str) -> str:
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
    found = shutil.which(os.path.expanduser(path))
    if found is None:
        raise Unusable(
            message(
                "{path}: no such executable; give the path of a Python interpreter",
                "{path}：没有这个可执行文件；请给出 Python 解释器的路径",
                path=path or "python:",
            )
        )
    return os.path.abspath(found)
