"""One experiment's stage: a private mount namespace and a scratch folder that is its own mount."""

import ctypes
import os
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
MS_REC_PRIVATE = 0x4000 | (1 << 18)

LIBC = ctypes.CDLL(None, use_errno=True)


def mount(*arguments: str) -> None:
    """Run mount(8)."""
    subprocess.run(["mount", *arguments], check=True)


class Scene:
    """The running process after it has entered its own namespace."""

    def __init__(self, scratch: Path) -> None:
        if LIBC.unshare(CLONE_NEWNS) or LIBC.mount(b"none", b"/", None, MS_REC_PRIVATE, None):
            raise OSError(ctypes.get_errno(), "no private mount namespace; the lab needs root")
        mount("-t", "tmpfs", "-o", "mode=0755", "lab", str(scratch))
        self.scratch = scratch
        self._made = 0

    def path(self, name: str) -> Path:
        """Return a fresh path in the scratch folder."""
        self._made += 1
        folder = self.scratch / str(self._made)
        folder.mkdir(mode=0o755)
        return folder / name

    def cover(self, target: Path, content: bytes) -> None:
        """Bind a file with this content over an existing file."""
        substitute = self.path("file")
        substitute.write_bytes(content)
        substitute.chmod(0o755)
        mount("--bind", str(substitute), str(target.resolve()))

    def hide(self, folder: Path) -> None:
        """Mount an empty folder over an existing one."""
        mount("-t", "tmpfs", "-o", "mode=0755", "lab", str(folder))

    def node(self, name: str, mode: int, major: int | None = None) -> None:
        """Bind a node with another mode or major number over /dev/NAME."""
        real = Path("/dev", name)
        device = real.stat().st_rdev
        number = os.makedev(major if major is not None else os.major(device), os.minor(device))
        substitute = self.path(name)
        os.mknod(substitute, stat.S_IFCHR | mode, number)
        substitute.chmod(mode)
        mount("--bind", str(substitute), str(real))

    def nodev(self, names: Iterable[str]) -> None:
        """Bind copies of these nodes that lie on a mount with the option nodev."""
        folder = self.path("nodev")
        folder.mkdir()
        mount("-t", "tmpfs", "-o", "nodev,mode=0755", "lab", str(folder))
        for name in names:
            real = Path("/dev", name)
            os.mknod(folder / name, real.stat().st_mode, real.stat().st_rdev)
            (folder / name).chmod(0o666)
            mount("--bind", str(folder / name), str(real))

    def without_nodes(self, names: Iterable[str]) -> None:
        """Replace /dev by a copy that lacks these nodes."""
        self._devices(Path("/dev"), set(names))

    def _devices(self, target: Path, missing: set[str]) -> None:
        copy = self.path("dev")
        copy.mkdir(mode=0o755)
        mount("-t", "tmpfs", "-o", "mode=0755", "lab", str(copy))
        for entry in Path("/dev").iterdir():
            if entry.name not in missing:
                _copy_device(entry, copy / entry.name)
        mount("--rbind", str(copy), str(target))

    def container(self, missing: Iterable[str], shm: str) -> Path:
        """Return the root of a container-like view: an overlay of this machine with nodes of its own."""
        root, layers = self.path("root"), self.path("layers")
        root.mkdir()
        layers.mkdir()
        mount("-t", "tmpfs", "lab", str(layers))
        for name in ("upper", "work"):
            (layers / name).mkdir()
        options = f"lowerdir=/,upperdir={layers}/upper,workdir={layers}/work"
        mount("-t", "overlay", "-o", options, "lab", str(root))
        for point in _mount_points():
            mount("--rbind", point, f"{root}{point}")
        (root / ".dockerenv").write_text("", encoding="ascii")
        self._devices(root / "dev", set(missing))
        mount("-t", "tmpfs", "-o", f"size={shm},mode=1777", "lab", str(root / "dev" / "shm"))
        if LIBC.unshare(CLONE_NEWUTS):
            raise OSError(ctypes.get_errno(), "no private host name")
        return root

    def library(self, soname: str) -> Path:
        """Build an empty shared library of this name and return its folder."""
        folder = self.path(soname).parent
        command = [
            "gcc",
            "-shared",
            "-x",
            "c",
            "/dev/null",
            f"-Wl,-soname,{soname}",
            "-o",
            str(folder / soname),
        ]
        subprocess.run(command, check=True)
        return folder


def _mount_points() -> list[str]:
    """Return the mounts directly on the root file system that a container would have too."""
    rows = [row.split() for row in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    points = {row[1] for row in rows} - {"/", "/dev"}
    top = [p for p in points if not any(p.startswith(f"{q}/") for q in points if q != p)]
    return sorted(p for p in top if not p.startswith(("/dev/", "/tmp/codeblue-")))


def _copy_device(source: Path, copy: Path) -> None:
    status = source.lstat()
    if stat.S_ISLNK(status.st_mode):
        copy.symlink_to(os.readlink(source))
    elif stat.S_ISDIR(status.st_mode):
        copy.mkdir()
        mount("--rbind", str(source), str(copy))
    elif stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        os.mknod(copy, status.st_mode, status.st_rdev)
        os.chmod(copy, stat.S_IMODE(status.st_mode))
        os.chown(copy, status.st_uid, status.st_gid)
