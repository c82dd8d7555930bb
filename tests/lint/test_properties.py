"""Whatever a file holds: no kind fails to read it, places are in it, and edits touch nothing else."""

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeblue.lint import fixing
from codeblue.lint.run import Against, judge
from codeblue.model.config.place import Place, Source
from codeblue.model.lint import Finding
from codeblue.sources.config.files import text_of
from codeblue.sources.config.kinds import kind_of
from tests.lint.cases import CASES

PIECES = sorted({word for case in CASES for word in case.text.split()})[:4000]


class Damaged(NamedTuple):
    """A file of a case with some of its lines changed."""

    name: str
    text: str


@st.composite
def damaged(draw: st.DrawFn) -> Damaged:
    case = draw(st.sampled_from(CASES))
    lines = case.text.split("\n")
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(("cut", "swap", "double", "word", "noise", "indent")))
        other = draw(st.integers(0, len(lines) - 1))
        if change == "cut":
            lines[place] = lines[place][: draw(st.integers(0, max(0, len(lines[place]))))]
        elif change == "swap":
            lines[place], lines[other] = lines[other], lines[place]
        elif change == "double":
            lines.insert(place, lines[other])
        elif change == "word":
            lines[place] += " " + draw(st.sampled_from(PIECES))
        elif change == "noise":
            at = draw(st.integers(0, len(lines[place])))
            lines[place] = lines[place][:at] + draw(st.text(max_size=6)) + lines[place][at:]
        else:
            lines[place] = " " * draw(st.integers(1, 3)) + lines[place]
    return Damaged(case.name, "\n".join(lines))


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damaged())
def test_no_damage_makes_a_reader_or_a_rule_fail(file: Damaged) -> None:
    text = text_of(file.text.encode("utf-8", "replace"))
    source = Source(file.name, text)
    kind = kind_of(source)
    if kind is None:
        return
    result = judge(source, kind, Against())

    assert result.broken == ()
    lines = text.split("\n")
    for finding in result.findings:
        assert _is_in(finding.place, lines), (finding.fault, finding.place)
        assert all(_is_in(edit.place, lines) for edit in (finding.fix.edits if finding.fix else ()))
        assert all("\n" not in finding.message.say(lang) for lang in ("en", "zh"))


def _is_in(place: Place, lines: list[str]) -> bool:
    ordered = (place.line, place.column) <= (place.end_line, place.end_column)
    begin = 1 <= place.line <= len(lines) and 1 <= place.column <= len(lines[place.line - 1]) + 1
    return ordered and begin and place.end_line <= len(lines) + 1


FIXABLE = [case for case in CASES if case.fixed is not None]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_outside_of_edits_stay(newline: str, mark: bytes) -> None:
    """The text between edits is found again, in order, whatever ends lines or stands before."""
    for case in FIXABLE:
        content = mark + case.text.replace("\n", newline).encode()
        findings = [one for one in _judged(case.name, content) if one.fix]
        edits, _ = fixing.chosen(findings)
        whole = content.decode()
        changed = fixing.spliced(whole, edits)
        at = 0
        for piece in _between(whole, [edit.place for edit in reversed(edits)]):
            found = changed.find(piece, at)
            assert found >= 0, (case.fault, piece)
            at = found + len(piece)


def _judged(name: str, content: bytes) -> tuple[Finding, ...]:
    source = Source(name, text_of(content))
    kind = kind_of(source)
    assert kind is not None
    return judge(source, kind, Against()).findings


def _between(text: str, places: list[Place]) -> list[str]:
    """Return what stands before, between and behind the places."""
    mark = 1 if text.startswith("\ufeff") else 0
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1 + (mark if line == 1 else 0)

    pieces, at = [], 0
    for place in places:
        pieces.append(text[at : offset(place.line, place.column)])
        at = offset(place.end_line, place.end_column)
    return [*pieces, text[at:]]
