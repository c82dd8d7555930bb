"""FILE_RENAME: move a thing out of the way, to ``{path}.away``."""

import os
import stat
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import attributes
from codeblue.remedy.files.locks import locked
from codeblue.remedy.files.place import Place, placed, real, refuse_mounted, refuse_read_only
from codeblue.remedy.files.refusals import changed, changed_since, refused, refusing
from codeblue.remedy.files.renaming import without_overwriting
from codeblue.remedy.verbs.file_edit import given

AWAY = ".away"


class FileRename:
    """Arguments: ``path``, of anything that has a name; a symbolic link itself is moved, not its target."""

    undo = Undo.EXACT
    risk = Risk.SAFE

    def root(self, args: Args) -> bool:
        """Return whether this user may not change the directory."""
        folder, _ = os.path.split(_path(args))
        return not os.access(folder, os.W_OK | os.X_OK, effective_ids=True) or _sticky(folder, _path(args))

    def look(self, args: Args) -> Look:
        """Compare; the preview is both names."""
        path = _path(args)
        with refusing(path):
            if not os.path.lexists(path):
                return Look(needed=False)
            refuse_mounted(path)
            if os.path.lexists(path + AWAY):
                raise refused(
                    "{path}.away: there is something already; see whether it is still needed, and remove it",
                    "{path}.away：该名称已存在；请确认是否仍需要，并将其移走",
                    path=path,
                )
            with placed(path) as place:
                attributes.refuse_locked(os.path.dirname(path), place.directory)
                refuse_read_only(path, place.directory)
                return Look(
                    needed=True,
                    tells=(
                        message("rename {path} -> {to}", "改名 {path} -> {to}", path=path, to=path + AWAY),
                    ),
                    before={"identity": _identity(place)},
                )

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Rename, never over something."""
        path = _path(args)
        with refusing(path), locked(path), placed(path) as place:
            if _identity(place) != before.get("identity"):
                raise changed(path)
            away = os.path.basename(path) + AWAY
            _move(place, place.name, away, before)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the name is free."""
        return not os.path.lexists(_path(args))

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Rename back."""
        path = _path(args)
        with refusing(path), locked(path), placed(path) as place:
            away = os.path.basename(path) + AWAY
            if place.stat() is not None and _identity(place) == before.get("identity"):
                return
            if place.stat() is not None or _identity(place, away) != before.get("identity"):
                raise changed_since(path)
            _move(place, away, place.name, before)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """One system call cannot be half done."""
        return ()

    def sweep(self, args: Args, name: str) -> None:
        """Nothing is written beside it."""


def _path(args: Args) -> str:
    folder, name = os.path.split(given(args, "path").rstrip("/"))
    if name in ("", ".", ".."):
        raise refused("the path has no last part", "路径缺少最后一部分")
    return os.path.join(real(folder), name)


def _identity(place: Place, name: str | None = None) -> str:
    now = place.stat(name)
    if now is None:
        return ""
    size = now.st_size if stat.S_ISREG(now.st_mode) else 0
    return ":".join(
        str(part) for part in (now.st_dev, now.st_ino, stat.S_IFMT(now.st_mode), now.st_rdev, size)
    )


def _move(place: Place, old: str, new: str, before: Before) -> None:
    """Rename and look again: somebody may have put another thing there in the last moment."""
    without_overwriting(place.directory, old, new)
    try:
        if _identity(place, new) != before.get("identity"):
            raise changed(place.path)
        place.sync()
    except (Refused, OSError):
        without_overwriting(place.directory, new, old)
        raise


def _sticky(folder: str, path: str) -> bool:
    """In a directory like /tmp only the owner of a file, or of the directory, may rename it."""
    above = os.stat(folder)
    if not above.st_mode & stat.S_ISVTX or os.geteuid() in (0, above.st_uid):
        return False
    return os.path.lexists(path) and os.lstat(path).st_uid != os.geteuid()
