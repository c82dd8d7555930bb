"""Before-images in a folder, and what a tree looks like: content, modes, owners, attributes."""

import hashlib
import os
import stat
from pathlib import Path

from codeblue.remedy.files.refusals import refused

NAME = "step1-77aa"
"""What the journal would call a step."""


class Folder:
    """Before-images, named by their hash."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def clear(self) -> None:
        """Forget everything, so that every run does the same."""
        for path in self._folder.iterdir():
            path.unlink()

    def put(self, content: bytes) -> str:
        """Keep the content durably."""
        name = hashlib.sha256(content).hexdigest()
        path = self._folder / name
        if not path.exists():
            partial = path.with_suffix(f".{os.getpid()}")
            with partial.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.rename(path)
        return name

    def get(self, digest: str) -> bytes:
        """Return kept content."""
        path = self._folder / digest
        if not path.exists():
            raise refused("the kept content is gone", "保存的内容已丢失")
        return path.read_bytes()


Entry = tuple[object, ...]


def tree(folder: Path) -> dict[str, Entry]:
    """Return every name below a folder with what can be seen of it, but for times and inode numbers."""
    found = {}
    for path in sorted(folder.rglob("*")):
        found[str(path.relative_to(folder))] = entry(path)
    return found


def entry(path: Path) -> Entry:
    """Return what can be seen of one thing."""
    now = path.lstat()
    kind = stat.S_IFMT(now.st_mode)
    content: object = os.readlink(path) if path.is_symlink() else b""
    if stat.S_ISREG(now.st_mode):
        content = path.read_bytes()
    marks = {name: os.getxattr(path, name, follow_symlinks=False) for name in _names(path)}
    return (
        kind,
        stat.S_IMODE(now.st_mode),
        now.st_uid,
        now.st_gid,
        now.st_rdev,
        content,
        tuple(sorted(marks.items())),
    )


def _names(path: Path) -> list[str]:
    try:
        return os.listxattr(path, follow_symlinks=False)
    except OSError:
        return []
