"""Files of a store, in a folder or in a bucket: whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeblue.model.text import Message, message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

HIDDEN = "."
"""Begins the name of a file that is not finished; no pattern finds it."""


class Files:
    """All files below one folder or URL. What goes wrong in the file system is raised as Unusable."""

    def __init__(self, root: str | Path) -> None:
        self.root = str(root)
        self._system, self._base = _opened(self.root)
        self.local = "://" not in self.root

    def names(self, pattern: str) -> list[str]:
        """Return the names, relative to the root, that match a pattern, sorted."""
        with self._failing("read"):
            found = self._system.glob(f"{self._base}/{pattern}")
        names = (str(path)[len(self._base) :].lstrip("/") for path in found)
        return sorted(name for name in names if not name.rpartition("/")[2].startswith(HIDDEN))

    def read(self, name: str) -> bytes:
        """Return what a file holds."""
        with self._failing("read"):
            content: bytes = self._system.cat_file(f"{self._base}/{name}")
            return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        with self.writing(name) as path:
            Path(path).write_bytes(content)

    @contextmanager
    def writing(self, name: str) -> Iterator[str]:
        """Give a local path to write to; at the end that becomes the file."""
        final = f"{self._base}/{name}"
        if self.local:
            Path(final).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = os.path.dirname(final) if self.local else None
        handle, path = tempfile.mkstemp(prefix=HIDDEN, suffix=".part", dir=folder)
        os.close(handle)
        try:
            yield path
            if self.local:
                os.replace(path, final)
            else:
                with self._failing("write"):
                    self._system.put_file(path, final)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)

    def url(self, name: str) -> str:
        """Return the name by which DuckDB reads a file."""
        path = f"{self._base}/{name}"
        return path if self.local else str(self._system.unstrip_protocol(path))

    def teach(self, database: "duckdb.DuckDBPyConnection") -> None:
        """Let a database read these files."""
        protocols = self._system.protocol
        names = [protocols] if isinstance(protocols, str) else list(protocols)
        if not self.local and not any(database.filesystem_is_registered(name) for name in names):
            database.register_filesystem(self._system)

    @contextmanager
    def _failing(self, doing: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - each object store has exceptions of its own
            raise Unusable(unusable(self.root, doing, error)) from None


def unusable(root: str, doing: str, error: Exception) -> Message:
    """Return the line that says why a store cannot be read or written."""
    why = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
    if doing == "write":
        return message("{root}: cannot be written: {why}", "{root}：无法写入：{why}", root=root, why=why)
    return message("{root}: cannot be read: {why}", "{root}：无法读取：{why}", root=root, why=why)


def _opened(root: str) -> tuple[Any, str]:
    from fsspec.core import url_to_fs

    try:
        system, base = url_to_fs(root)
    except Exception as error:  # noqa: BLE001 - each object store has exceptions of its own
        raise Unusable(unusable(root, "read", error)) from None
    return system, str(base).rstrip("/")
