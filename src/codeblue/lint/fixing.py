"""Write fixes into files: only the stretches that edits name change, every other byte stays."""

import hashlib
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from typing import NamedTuple

from codeblue import state
from codeblue.lint.run import Against, judge
from codeblue.model.config.place import Place, Source
from codeblue.model.lint import Edit, Finding
from codeblue.model.plan import Refused
from codeblue.model.text import Message, message
from codeblue.remedy.files import protocol
from codeblue.remedy.files.place import real
from codeblue.sources.config.files import STDIN, text_of
from codeblue.sources.config.kinds import kind_of
from codeblue.sources.failures import cannot

ROUNDS = 5
"""One fix can make room for another."""
ENCODINGS = ("utf-8", "cp1252")


class Fixed(NamedTuple):
    """What fixing came to for one file."""

    path: str
    before: bytes
    after: bytes
    number: int
    """Findings that were fixed."""
    refused: Message | None = None

    def diff(self) -> str:
        """Return the change as a unified diff."""
        old, new = (text_of(content).splitlines(keepends=True) for content in (self.before, self.after))
        lines = unified_diff(old, new, f"a/{self.path}", f"b/{self.path}")
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def fixed(findings: Sequence[Finding], against: Against, *, unsafe: bool) -> list[Fixed]:
    """Return the files as they would be with the fixes; nothing is written."""
    paths = sorted({one.path for one in findings if one.fix and (one.fix.safe or unsafe)} - {STDIN, "stdin"})
    return [_fixed(path, against, unsafe) for path in paths]


def write(change: Fixed) -> Message | None:
    """Write one file; return why that was refused."""
    digest = hashlib.sha256(change.before).hexdigest()
    try:
        # Two runs keep out of each other's way by locks that lie there.
        state.directory().mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        return cannot(
            "{path}: cannot be made ({why}); name another folder in XDG_STATE_HOME",
            "{path}：无法创建（{why}）；请用 XDG_STATE_HOME 指定另一个目录",
            error,
            path=state.directory(),
        )
    try:
        protocol.replace(real(change.path), digest, change.after, "lint", _Forgotten(), lambda _: None)
    except Refused as refusal:
        return refusal.line
    return None


class _Forgotten:
    """Keeps nothing: these files are in the care of their authors' version control."""

    def put(self, content: bytes) -> str:
        return hashlib.sha256(content).hexdigest()

    def get(self, digest: str) -> bytes:
        raise AssertionError(digest)


def _fixed(path: str, against: Against, unsafe: bool) -> Fixed:
    with open(path, "rb") as stream:
        before = stream.read()
    encoding = next((one for one in ENCODINGS if _is(before, one)), None)
    if encoding is None:
        why = message("{path}: not UTF-8, so it is not changed", "{path}：不是 UTF-8，因此不修改", path=path)
        return Fixed(path, before, before, 0, why)
    content, count = before, 0
    for _ in range(ROUNDS):
        findings = _judged(path, content, against)
        edits, applied = chosen(one for one in findings if one.fix and (one.fix.safe or unsafe))
        if not edits:
            break
        changed = spliced(content.decode(encoding), edits).encode(encoding)
        if _broken(path, changed, against) and not _broken(path, content, against):
            why = message(
                "{path}: a fix would break the file; make it by hand",
                "{path}：修复会破坏该文件；请手动修改",
                path=path,
            )
            return Fixed(path, before, content, count, why)
        content, count = changed, count + applied
    return Fixed(path, before, content, count)


def _is(content: bytes, encoding: str) -> bool:
    try:
        return content.decode(encoding).encode(encoding) == content
    except UnicodeError:
        return False


def _judged(path: str, content: bytes, against: Against) -> tuple[Finding, ...]:
    source = Source(path, text_of(content))
    kind = kind_of(source)
    return judge(source, kind, against).findings if kind else ()


def _broken(path: str, content: bytes, against: Against) -> bool:
    source = Source(path, text_of(content))
    kind = kind_of(source)
    return kind is None or any(one.fault == kind.fault for one in _judged(path, content, against))


def chosen(findings: Iterable[Finding]) -> tuple[list[Edit], int]:
    """Return edits that do not touch each other, and the number of findings that they fix."""
    chosen: list[Edit] = []
    count = 0
    for finding in findings:
        assert finding.fix is not None
        edits = finding.fix.edits
        if edits and not any(_touch(one.place, other.place) for one in edits for other in chosen):
            chosen += edits
            count += 1
    return sorted(chosen, key=lambda one: one.place, reverse=True), count


def _touch(one: Place, other: Place) -> bool:
    begin, end = (one.line, one.column), (one.end_line, one.end_column)
    other_begin, other_end = (other.line, other.column), (other.end_line, other.end_column)
    return begin <= other_end and other_begin <= end


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with edits from its end to its beginning; new lines end as the file's do."""
    starts = _line_starts(text)
    mark = 1 if text.startswith("\ufeff") else 0
    newline = "\r\n" if "\r\n" in text else "\n"
    for edit in edits:
        place = edit.place
        begin = starts[place.line - 1] + place.column - 1 + (mark if place.line == 1 else 0)
        end = starts[place.end_line - 1] + place.end_column - 1 + (mark if place.end_line == 1 else 0)
        text = text[:begin] + edit.text.replace("\n", newline) + text[end:]
    return text


def _line_starts(text: str) -> list[int]:
    starts, at = [0], 0
    while at < len(text):
        if text[at] == "\r" and text[at + 1 : at + 2] == "\n":
            at += 1
        elif text[at] not in "\r\n":
            at += 1
            continue
        at += 1
        starts.append(at)
    return [*starts, len(text)]
