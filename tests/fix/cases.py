"""Every verb that changes files, on a small tree of its own."""

import json
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from codeblue.model.plan import Args
from codeblue.remedy.actions import Action
from codeblue.remedy.verbs.env_file import EnvSet, EnvUnset
from codeblue.remedy.verbs.file_edit import FileEdit
from codeblue.remedy.verbs.file_mode import FILES, NODES, ModeVerb
from codeblue.remedy.verbs.file_owner import FileOwner
from codeblue.remedy.verbs.file_rename import FileRename
from codeblue.remedy.verbs.file_write import FileWrite
from codeblue.remedy.verbs.kernelspec import KernelspecPython
from codeblue.remedy.verbs.limit import LimitRaise

Case = Callable[[Path], tuple[Action, Args]]
"""Fills a folder; returns what to do there. The folder is also the home directory."""

JSON = '{\n    "runtimes": {},\n    "features": {"buildkit": true}\n}\n'
TOML = '# keep\nversion = 2\n\n[plugins."io.containerd.grpc.v1.cri"]\n  enable_cdi = false # why\n'


def _file(path: Path, text: str, mode: int = 0o640) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, 1234, 2345)
        os.setxattr(path, "security.selinux", b"system_u:object_r:etc_t:s0\0")
    return path


def json_edit(place: Path) -> tuple[Action, Args]:
    path = _file(place / "settings.json", JSON)
    with suppress(OSError):  # tmpfs has these since Linux 6.6
        os.setxattr(path, "user.origin", b"vendor")
    return FileEdit(), {
        "path": str(path),
        "kind": "json",
        "at": "runtimes.nvidia.path",
        "value": '"/usr/bin/x"',
    }


def toml_edit(place: Path) -> tuple[Action, Args]:
    path = _file(place / "config.toml", TOML, 0o600)
    at = 'plugins."io.containerd.grpc.v1.cri".enable_cdi'
    return FileEdit(), {"path": str(path), "kind": "toml", "at": at, "value": "true"}


def linked_edit(place: Path) -> tuple[Action, Args]:
    path = _file(place / "real" / "lib.list", "/usr/lib\n", 0o644)
    link = place / "lib.list"
    link.symlink_to(path)
    return FileEdit(), {"path": str(link), "kind": "lines", "value": '"/opt/cuda/lib64"', "mode": "add"}


def new_file(place: Path) -> tuple[Action, Args]:
    return FileWrite(), {"path": str(place / "90-x.list"), "content": "a\n", "mode": "0600"}


def new_folders(place: Path) -> tuple[Action, Args]:
    return FileWrite(), {"path": str(place / "a" / "b.d" / "90-x.list"), "content": "a\nb\n"}


def written_over(place: Path) -> tuple[Action, Args]:
    path = _file(place / "x.list", "old\n", 0o600)
    return FileWrite(), {"path": str(path), "content": "new\n", "mode": "0644"}


def file_mode(place: Path) -> tuple[Action, Args]:
    return ModeVerb(FILES), {"path": str(_file(place / "authorized_keys", "k\n", 0o666)), "mode": "0600"}


def file_owner(place: Path) -> tuple[Action, Args]:
    path = _file(place / "data", "d\n", 0o644)
    return FileOwner(), {"path": str(path), "user": "4321", "group": "0"}


def rename_file(place: Path) -> tuple[Action, Args]:
    return FileRename(), {"path": str(_file(place / "torch.py", "x = 1\n"))}


def rename_folder(place: Path) -> tuple[Action, Args]:
    _file(place / "torch" / "__init__.py", "")
    return FileRename(), {"path": str(place / "torch")}


def rename_link(place: Path) -> tuple[Action, Args]:
    (place / "libcuda.so.1").symlink_to("/nowhere/libcuda.so.1")
    return FileRename(), {"path": str(place / "libcuda.so.1")}


def node_mode(place: Path) -> tuple[Action, Args]:
    node = place / "node"
    os.mknod(node, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    return ModeVerb(NODES), {"path": str(node), "mode": "0666"}


def env_set(place: Path) -> tuple[Action, Args]:
    _file(place / ".bashrc", "alias l=ls\nexport NCCL_DEBUG=WARN # for now\n", 0o644)
    return EnvSet(str(place / "etc")), {"name": "NCCL_DEBUG", "value": "INFO"}


def env_append(place: Path) -> tuple[Action, Args]:
    _file(place / ".profile", "umask 022", 0o644)
    return EnvSet(str(place / "etc")), {"name": "LD_LIBRARY_PATH", "value": "/opt/a b/lib"}


def env_unset(place: Path) -> tuple[Action, Args]:
    _file(place / ".bashrc", "if true; then\n  export CUDA_VISIBLE_DEVICES=\nfi\n", 0o644)
    _file(place / "etc" / "environment", "LANG=C\nCUDA_VISIBLE_DEVICES=9\n", 0o644)
    return EnvUnset(str(place / "etc")), {"name": "CUDA_VISIBLE_DEVICES"}


def limit_raise(place: Path) -> tuple[Action, Args]:
    return LimitRaise(str(place / "etc")), {"flag": "-l", "value": "unlimited", "user": "alice"}


def service_limit(place: Path) -> tuple[Action, Args]:
    return LimitRaise(str(place / "etc")), {"flag": "-n", "value": "1048576", "service": "slurmd"}


def kernelspec(place: Path) -> tuple[Action, Args]:
    spec = {
        "argv": ["/gone/python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "language": "python",
    }
    path = _file(place / "kernel.json", json.dumps(spec, indent=1) + "\n", 0o644)
    return KernelspecPython(), {"path": str(path), "python": sys.executable}


QUICK: dict[str, Case] = {
    case.__name__: case
    for case in (
        json_edit,
        toml_edit,
        linked_edit,
        new_file,
        new_folders,
        written_over,
        file_mode,
        rename_file,
        rename_folder,
        rename_link,
        env_set,
        env_append,
        env_unset,
        limit_raise,
        kernelspec,
    )
}
OF_ROOT: dict[str, Case] = {case.__name__: case for case in (file_owner, node_mode)}
ALL = QUICK | OF_ROOT | {"service_limit": service_limit}
