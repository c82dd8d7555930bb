"""Comments that accept a finding: ``# codeblue: ignore[fault] reason``."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codeblue.faults import index
from codeblue.model.config.place import Place, Source
from codeblue.model.fault import Certainty
from codeblue.model.lint import Finding, Suppressed
from codeblue.model.text import Message, message

COMMENT = re.compile(
    r"(?:#|//|;|<!--)[ \t]*codeblue:[ \t]*ignore(?P<file>-file)?(?:\[(?P<faults>[^\]\n]*)\])?"
    r"(?:[ \t:—-]+(?P<reason>[^\n]*))?"
)
UNUSED = "suppression-unused"


class Comment(NamedTuple):
    """One comment."""

    faults: tuple[str, ...]
    lines: tuple[int, int] | None
    """First and last line for which it counts; None for the whole file."""
    reason: str
    place: Place
    line: str
    of_document: bool
    """Written as ``<!-- -->``."""


def comments(
    source: Source, findings: Sequence[Finding], *, shows: bool = False
) -> tuple[list[Finding], list[Suppressed]]:
    """Return the findings that stand, and those that a comment accepts.

    Of a document (``shows``) only its own comments count, not those of what it shows.

    A comment without the name of a fault or without a reason accepts nothing, and is a finding itself; so is
    one that accepts nothing of what is there.
    """
    if "codeblue:" not in source.text:
        return list(findings), []
    said = [one for one in _comments(source) if one.of_document or not shows]
    used: set[int] = set()
    kept: list[Finding] = []
    suppressed: list[Suppressed] = []
    for finding in findings:
        number = next((n for n, one in enumerate(said) if _accepts(one, finding)), None)
        if number is None:
            kept.append(finding)
        else:
            used.add(number)
            suppressed.append(Suppressed(finding, "comment", said[number].reason))
    kept += [_complaint(source.name, one) for n, one in enumerate(said) if n not in used]
    return sorted(kept, key=lambda one: one.order), suppressed


def _accepts(comment: Comment, finding: Finding) -> bool:
    if not comment.reason or finding.fault not in comment.faults:
        return False
    return comment.lines is None or comment.lines[0] <= finding.place.line <= comment.lines[1]


def _comments(source: Source) -> Iterator[Comment]:
    for found in COMMENT.finditer(source.text):
        names = tuple(name.strip() for name in (found["faults"] or "").split(",") if name.strip())
        reason = (found["reason"] or "").removesuffix("-->").strip()
        place = source.place(found.start(), found.end())
        start = source.text.rfind("\n", 0, found.start()) + 1
        end = source.text.find("\n", found.start())
        line = source.text[start : end if end >= 0 else None]
        alone = not source.text[start : found.start()].strip()
        lines = None if found["file"] else (place.line, place.line + 1 if alone else place.line)
        yield Comment(names, lines, reason, place, line, found[0].startswith("<!--"))


def _complaint(path: str, comment: Comment) -> Finding:
    entry = index.entries()[UNUSED]
    return Finding(
        fault=UNUSED,
        variant=None,
        title=entry.title,
        layer=entry.layer,
        kind=entry.kind,
        severity=entry.severity,
        certainty=Certainty.CERTAIN,
        path=path,
        place=comment.place,
        message=_why(comment),
        line=comment.line,
    )


def _why(comment: Comment) -> Message:
    if not comment.faults:
        return message(
            "this comment names no fault: write codeblue: ignore[name] and a reason",
            "这条注释没有写故障名：请写成 codeblue: ignore[名称] 并附上理由",
        )
    unknown = [name for name in comment.faults if name not in index.entries()]
    if unknown:
        return message("there is no fault {name}", "没有名为 {name} 的故障", name=unknown[0])
    if not comment.reason:
        return message(
            "this comment gives no reason, so it accepts nothing: write why behind the bracket",
            "这条注释没有写理由，因此不起作用：请在括号后写明原因",
        )
    return message(
        "nothing here is {names} any more: take the comment away",
        "这里已没有 {names}：请删除这条注释",
        names=", ".join(comment.faults),
    )
