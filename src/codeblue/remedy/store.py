"""Where the journal and the before-images live: for their owner alone, written through to the disk."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codeblue import state
from codeblue.model.plan import Refused
from codeblue.model.text import message


def directory() -> Path:
    """Return the folder of the journal."""
    return state.journal().parent


def prepare(folder: Path) -> None:
    """Make the folder, for its owner alone. Raises Refused: without a journal nothing is changed."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.lstat().st_uid != os.geteuid():  # root follows nobody's link
            raise _not_ours(folder)
        folder.chmod(0o700)
        sync(folder)
        sync(folder.parent)
    except OSError as error:
        raise Refused(
            message(
                "{folder}: no journal can be kept here ({why}), so nothing is changed",
                "{folder}：无法在此保存操作日志（{why}），因此不做任何改动",
                folder=folder,
                why=error.strerror or error,
            )
        ) from None


def _not_ours(folder: Path) -> Refused:
    return Refused(
        message(
            "{folder}: belongs to another user, so no journal is kept there and nothing is changed; see "
            "XDG_STATE_HOME",
            "{folder}：属于其他用户，无法在此保存操作日志，因此不做任何改动；请检查 XDG_STATE_HOME",
            folder=folder,
        )
    )


def sync(path: Path) -> None:
    """Write a folder's entries, or a file's content, through to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of all changes of this user; of the machine, for root. Raises Refused if it is taken."""
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "?"
            raise Refused(
                message(
                    "another codeblue changes this machine right now (process {pid}); wait for it",
                    "另一个 codeblue 正在修改这台机器（进程 {pid}）；请等待它结束",
                    pid=holder,
                )
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


class Kept:
    """Before-images by their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "before"

    def put(self, content: bytes) -> str:
        """Keep the content durably; return its SHA-256. Raises OSError."""
        digest = hashlib.sha256(content).hexdigest()
        place = self._folder / digest
        if place.exists():
            return digest
        self._folder.mkdir(mode=0o700, exist_ok=True)
        sync(self._folder.parent)
        temporary = place.with_suffix(f".{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(place)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        sync(self._folder)
        return digest

    def get(self, digest: str) -> bytes:
        """Return kept content. Raises Refused if it is gone or damaged."""
        try:
            content = (self._folder / digest).read_bytes()
        except OSError:
            content = b""
        if hashlib.sha256(content).hexdigest() != digest:
            raise Refused(
                message(
                    "{place}: the copy from before the change is gone or damaged; it cannot be taken back",
                    "{place}：改动前的副本已丢失或损坏，无法撤销",
                    place=self._folder / digest,
                )
            )
        return content

    def sweep(self) -> None:
        """Remove what an interrupted ``put`` has left. Only to be called under the lock."""
        for path in self._folder.glob("*.*"):
            path.unlink(missing_ok=True)

    def drop(self, wanted: set[str]) -> int:
        """Remove all images but the wanted; return how many."""
        if not self._folder.is_dir():
            return 0
        old = [path for path in self._folder.iterdir() if path.name not in wanted]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)
