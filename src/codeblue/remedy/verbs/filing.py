"""What all verbs share that change the content of files: they only say which bytes they want."""

import difflib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import Message, message
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import modes, protocol
from codeblue.remedy.files.place import digest, real
from codeblue.remedy.files.refusals import changed, changed_since, refused
from codeblue.remedy.files.validators import judge, validating
from codeblue.remedy.verbs.units import RELOAD, concerned, read_again

NEW_MODE = 0o644


class Wanted(Struct, frozen=True):
    """A file as it should be."""

    path: str
    """Resolved."""
    old: bytes | None
    """Content as it is, None if there is no file."""
    old_mode: int
    """Permission bits; of no file those it will have."""
    new: bytes
    mode: int | None = None
    """Permission bits to be set, None to leave them."""

    @property
    def needed(self) -> bool:
        """Whether it differs from what is there."""
        return self.new != self.old or (self.mode is not None and self.mode != self.old_mode)


class Filed(Struct, frozen=True):
    """What a plan keeps of one file."""

    path: str
    before: str
    """SHA-256 of the content before; empty if there was no file."""
    after: str
    old_mode: int
    mode: int | None
    made: int
    """Directories that have to be made for it."""


def wanted(path: str, new: bytes, mode: int | None = None, limit: int = NEW_MODE) -> Wanted:
    """Compare a file with the bytes it should have. Raises Refused."""
    path = real(path)
    found = protocol.read(path)
    if found is None:
        return Wanted(path, None, limit if mode is None else mode, new, mode)
    return Wanted(path, found[0], found[1], new, mode)


class FileVerb(ABC):
    """The six methods of a verb, for verbs that change the content of files."""

    undo = Undo.EXACT
    risk = Risk.SAFE
    context = 3
    """Lines around a change that the preview shows."""

    @abstractmethod
    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the files as they should be. Raises Refused."""

    def places(self, args: Args) -> Iterable[str]:
        """Return every path beside which the verb may have written."""
        return [one.path for one in self.files(args)]

    def root(self, args: Args) -> bool:
        """Return whether this user may not change one of the files."""
        try:
            return any(not may_write(one.path) for one in self.files(args) if one.needed)
        except Refused:
            return os.geteuid() != 0

    def look(self, args: Args) -> Look:
        """Compare; the preview is a unified diff and who will judge the result."""
        files = [one for one in self.files(args) if one.needed]
        shows = [line for one in files for line in shown(one, self.context)]
        if concerned(one.path for one in files):
            # Not harmless everywhere: containers may lose devices that systemd does not know of.
            shows.append(f"# {' '.join(RELOAD)}")
        tells = [told for one in files for told in _told(one)]
        return Look(needed=bool(files), shows=tuple(shows), tells=tuple(tells), before=_kept(files))

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Change the files one after the other; if one fails, those before it are taken back."""
        files = [one for one in self.files(args) if one.needed]
        if _kept(files) != before or not files:
            raise changed(files[0].path if files else next(iter(self.places(args)), ""))
        done: list[Filed] = []
        try:
            for one, filed in zip(files, _files(before), strict=True):
                _apply(one, filed, name, keep)
                done.append(filed)
        except (Refused, OSError):
            with suppress(Refused, OSError):
                _take_back(done, name, keep)
            raise
        read_again(one.path for one in files)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether every file is as wanted."""
        return not any(one.needed for one in self.files(args))

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Give every file its old content and mode, remove those that were not there."""
        files = _files(before)
        _take_back(files, name, keep)
        read_again(one.path for one in files)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """A single file is never half changed; of several, undo takes back those that were."""
        return ()

    def sweep(self, args: Args, name: str) -> None:
        """Remove temporary files."""
        for path in self.places(args):
            protocol.sweep(path, name)


def may_write(path: str) -> bool:
    """Return whether this user may put another file in the place of this one, with the same owner."""
    if os.geteuid() == 0:
        return True
    folder = os.path.dirname(path)
    while not os.path.lexists(folder) and folder != "/":
        folder = os.path.dirname(folder)
    try:
        owner = os.stat(path).st_uid
    except OSError:
        owner = os.geteuid()
    return owner == os.geteuid() and os.access(folder, os.W_OK | os.X_OK, effective_ids=True)


def shown(one: Wanted, context: int) -> list[str]:
    """Return the change of a file's content line by line."""
    old = _lines(one.old or b"")
    new = _lines(one.new)
    source = one.path if one.old is not None else "/dev/null"
    return list(difflib.unified_diff(old, new, source, one.path, n=context, lineterm=""))


def _told(one: Wanted) -> Iterator[Message]:
    """Yield what else changes, and who judges the file."""
    if one.old is not None and one.mode is not None and one.mode != one.old_mode:
        yield modes.changing_mode(one.old_mode, one.mode, one.path)
    name = judge(one.path).name
    yield message(
        "# {path}: {judge_en}",
        "# {path}：{judge_zh}",
        path=one.path,
        judge_en=name.say("en"),
        judge_zh=name.say("zh"),
    )


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").splitlines()


def _kept(files: Sequence[Wanted]) -> Before:
    filed = [
        Filed(
            one.path,
            digest(one.old) if one.old is not None else "",
            digest(one.new),
            one.old_mode,
            one.mode,
            protocol.missing_folders(one.path) if one.old is None else 0,
        )
        for one in files
    ]
    return {"files": msgspec.json.encode(filed).decode()}


def _files(before: Before) -> list[Filed]:
    try:
        return msgspec.json.decode(before["files"], type=list[Filed])
    except (KeyError, msgspec.MsgspecError) as error:
        raise refused(
            "the plan does not say what was seen; make a new plan",
            "计划中缺少当时看到的状态；请重新生成计划",
        ) from error


def _apply(one: Wanted, filed: Filed, name: str, keep: Keep) -> None:
    validate = validating(one.path)
    if one.old is None:
        protocol.create(one.path, one.new, one.old_mode, name, validate, filed.made)
    else:
        protocol.replace(one.path, filed.before, one.new, name, keep, validate, one.mode)


def _take_back(files: Sequence[Filed], name: str, keep: Keep) -> None:
    """Look at all files first: what somebody has changed since stays, and then everything else too."""
    changes = [one for one in files if not _as_before(one)]
    for one in changes:
        if not protocol.same(one.path, one.after):
            raise changed_since(one.path)
    for one in reversed(changes):
        if one.before:
            old = keep.get(one.before)
            mode = None if one.mode is None else one.old_mode
            protocol.replace(one.path, one.after, old, name, keep, lambda _: None, mode)
        else:
            protocol.remove(one.path, one.after, name, one.made)


def _as_before(one: Filed) -> bool:
    """Return whether it is as it was; directories that are still in the way are removed."""
    found = protocol.read(one.path)
    if found is None and not one.before:
        protocol.remove_folders(one.path, one.made)
        return True
    same_mode = found is not None and (one.mode is None or found[1] == one.old_mode)
    return found is not None and digest(found[0]) == one.before and same_mode
