"""How a file changes: replaced, created, removed; each in one moment, and never over somebody else's change.

A killed process leaves the old content or the new one, with owner, mode and extended attributes, and at most
files named ``.{name}.{step}`` beside it, which ``sweep`` removes. The time of modification is that of the
change, also when it is taken back: programs that compare times must notice.
"""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from codeblue.remedy.actions import Keep
from codeblue.remedy.files import attributes
from codeblue.remedy.files.locks import locked
from codeblue.remedy.files.place import (
    LARGEST,
    Content,
    Place,
    beside,
    closed,
    digest,
    opened,
    placed,
    real,
    refuse_read_only,
)
from codeblue.remedy.files.refusals import changed, refusing
from codeblue.remedy.files.renaming import without_overwriting
from codeblue.remedy.files.swapping import swap, take_out

Validate = Callable[[str], None]
"""Judges the finished file, whose path it gets. Raises Refused."""

FOLDER_MODE = 0o755


def read(path: str) -> tuple[bytes, int] | None:
    """Return a file's content and mode, None if there is none. Raises Refused if it may not be replaced."""
    with refusing(path):
        try:
            with placed(path) as place, opened(place) as content:
                return content.data, content.mode
        except FileNotFoundError:
            return None


def replace(
    path: str,
    before: str,
    content: bytes,
    name: str,
    keep: Keep,
    validate: Validate,
    mode: int | None = None,
    largest: int = LARGEST,
) -> None:
    """Replace the content of a resolved path whose SHA-256 is ``before``; keep the old content first.

    ``mode`` are permission bits to set with it, None to keep them; a file of more than ``largest`` bytes is
    none that is replaced. Raises Refused; then nothing is changed.
    """
    with refusing(path), locked(path), placed(path, largest) as place, opened(place) as old:
        if old.digest != before:
            raise changed(path)
        temporary = place.temporary(name)
        with _gone_on_failure(place, temporary):
            _write(place, temporary, content, old, old.mode if mode is None else mode)
            validate(os.path.join(os.path.dirname(path), temporary))
            keep.put(old.data)
            swap(place, temporary, content, old, keep)


def _write(place: Place, temporary: str, content: bytes, old: Content | None, mode: int) -> None:
    """Write a finished, durable file that looks like the old one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, 0o600, dir_fd=place.directory)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if old:
            attributes.dress(descriptor, place.path, old.status, mode, old.extended)
        else:
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        closed(descriptor)


@contextmanager
def _gone_on_failure(place: Place, temporary: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=place.directory)
        raise


def missing_folders(path: str) -> int:
    """Return how many directories have to be made for a path."""
    return len(_missing(path)[1]) - 1


def create(path: str, content: bytes, mode: int, name: str, validate: Validate, made: int) -> None:
    """Create a file where nothing is, with the ``made`` directories it needs.

    All of it appears in one moment: new directories are built under a temporary name. Raises Refused.
    """
    missing = _missing(path)
    top = os.path.join(missing[0], missing[1][0])
    with refusing(path), locked(path), placed(top) as place:
        refuse_read_only(path, place.directory)
        attributes.refuse_locked(missing[0], place.directory)
        if place.stat() is not None or len(missing[1]) - 1 != made:
            raise changed(path)
        temporary = place.temporary(name)
        try:
            built = _build(place, temporary, missing[1], content, mode)
            validate(built)
            without_overwriting(place.directory, temporary, place.name)
            _durable(place, temporary)
        except BaseException:
            with suppress(OSError):
                _remove_tree(os.path.join(missing[0], temporary))
            raise


def _durable(place: Place, former: str) -> None:
    """Make the new name durable; where that fails it becomes the temporary one again."""
    try:
        place.sync()
    except OSError:
        without_overwriting(place.directory, place.name, former)
        raise


def _missing(path: str) -> tuple[str, list[str]]:
    """Return the deepest directory that exists, and the parts below it."""
    parts: list[str] = []
    folder = path
    while True:
        folder, part = os.path.split(folder)
        parts.insert(0, part)
        if os.path.lexists(folder) or folder == "/":
            return folder, parts


def _build(place: Place, temporary: str, parts: list[str], content: bytes, mode: int) -> str:
    folder = os.path.dirname(place.path)
    if len(parts) == 1:
        _write(place, temporary, content, None, mode)
        return os.path.join(folder, temporary)
    os.mkdir(temporary, 0o700, dir_fd=place.directory)
    folders = [os.path.join(folder, temporary)]
    for part in parts[1:-1]:
        folders.append(os.path.join(folders[-1], part))
        os.mkdir(folders[-1], 0o700)
    with placed(os.path.join(folders[-1], parts[-1])) as inside:
        _write(inside, parts[-1], content, None, mode)
    for made in reversed(folders):
        _open_up(made)
    return os.path.join(folders[-1], parts[-1])


def _open_up(folder: str) -> None:
    """Give a new directory its mode, whatever the umask, and make its names durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fchmod(descriptor, FOLDER_MODE)
        os.fsync(descriptor)
    finally:
        closed(descriptor)


def remove(path: str, before: str, name: str, made: int) -> None:
    """Remove a file that was created with the SHA-256 ``before``, and the ``made`` directories above it.

    Directories that hold something else by now stay. Raises Refused; then the file is in its place.
    """
    with refusing(path), locked(path):
        with placed(path) as place, opened(place) as old:
            if old.digest != before:
                raise changed(path)
            take_out(place, place.temporary(name), old)
        remove_folders(path, made)


def remove_folders(path: str, made: int) -> None:
    """Remove the ``made`` directories above a path, from below, as far as they are empty."""
    folder = os.path.dirname(path)
    for _ in range(made):
        try:
            os.rmdir(folder)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                return  # it holds something of others
            if error.errno != errno.ENOENT:
                raise  # one that is gone was removed by a run that did not come to its end
        folder = os.path.dirname(folder)
        if os.path.isdir(folder):
            with placed(os.path.join(folder, "-")) as place:
                place.sync()


def sweep(path: str, name: str) -> None:
    """Remove what an interrupted step of this name left beside a path, or beside a directory above it.

    Raises Refused if it cannot be removed.
    """
    path = real(path)
    while path != "/":
        folder, last = os.path.split(path)
        if os.path.isdir(folder):
            with refusing(path):
                _remove_tree(os.path.join(folder, beside(last, name)))
        path = folder


def _remove_tree(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def same(path: str, expected: str) -> bool:
    """Return whether a path holds a file with this SHA-256; ``expected`` is empty for no file."""
    found = read(path)
    return (digest(found[0]) if found else "") == expected
