"""Clues: words of several lines together, notes included, and never more than likely."""

import pytest

from codeblue.model.entry import Entry
from codeblue.model.facts import Sighting
from codeblue.model.fault import Certainty, Clue, Kind, Severity
from codeblue.model.text import Text
from codeblue.sources.clues import SHORT, Line, Tap, find
from scripts.literals import literals
from tests.conftest import judge, text

CLUES = (Clue(all=(r"suspend|挂起", r"CUDA (?P<what>unknown) error"), none=(r"nouveau",)),)
ENTRY = Entry(
    id="lost-after-sleep",
    place="driver/lost_after_sleep",
    title=Text("x", "某"),
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    clues=CLUES,
    literals=literals(CLUES),
    coded=False,
)

HARM = ("$ snap install docker", "docker: could not select device driver with capabilities: [[gpu]]")


def seen(*texts: str) -> list[Sighting]:
    """Return what the clue sees in lines; those that start with a hash are notes."""
    lines = [Line(text, "report", n, text.startswith("#")) for n, text in enumerate(texts, start=1)]
    return find(lines, [ENTRY])


def test_every_part_is_needed_in_any_order() -> None:
    found = seen("CUDA unknown ERROR", "ok", "# after a Suspend")

    assert [(s.line, s.note, s.clue) for s in found] == [(3, True, 0), (1, False, 0)]
    assert found[0].values == {"what": "unknown"}
    assert seen("CUDA unknown error", "ok") == []
    assert seen("机器挂起之后", "CUDA unknown error") != []


def test_what_speaks_against_it_silences_it() -> None:
    assert seen("suspend", "CUDA unknown error", "Nouveau") == []


def test_a_program_is_quoted_before_a_note() -> None:
    assert [s.line for s in seen("# suspend", "suspend: CUDA unknown error")] == [2]


def test_a_long_text_has_no_clues() -> None:
    tap = Tap("job.log")
    passed = list(tap.passing(["x" * SHORT, "suspend", "CUDA unknown error"]))

    assert len(passed) == 3
    assert tap.lines() == []


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        ("out of (?:memory|room)", ("out of ",)),
        ("(?:gpu|显存).*", ("gpu", "显存")),
        ("a{2,}MIG", ("mig",)),
        ("[Cc]onda", ("onda",)),
    ],
)
def test_the_literals_of_a_pattern(pattern: str, needed: tuple[str, ...]) -> None:
    assert literals([Clue(all=(pattern,))]) == ((needed,),)


@pytest.mark.parametrize("pattern", [r"\d+", "(?:gpu|x)", "ab"])
def test_a_pattern_without_a_literal_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="every branch needs a literal"):
        literals([Clue(all=(pattern,))])


def test_no_clue_is_certain() -> None:
    assert CLUES[0].certainty is Certainty.LIKELY


@pytest.mark.parametrize(("lines", "kind"), [(HARM, Kind.TROUBLE), (HARM[:1], Kind.RISK)])
def test_a_risk_whose_harm_is_named_is_trouble(lines: tuple[str, ...], kind: Kind) -> None:
    [finding] = judge("docker-from-snap", text(*lines)).findings

    assert finding.kind is kind
