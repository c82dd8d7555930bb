"""The time of a line is its own, or the last one before it, also of the last line of many."""

import pytest

from codeblue.sources.logs import PER_FAULT
from codeblue.sources.scan.engines import engine
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.scanner import About, Scanner
from codeblue.sources.scan.times import dated
from tests.scan.tools import FULL, SIMPLE

RULES = Rules(SIMPLE)


def last_times(*chunks: str) -> tuple[str | None, str | None]:
    """Return the last time of the one fault of some chunks, as written and in ISO."""
    scanner = Scanner(RULES, engine(RULES, ("stdlib",)), About())
    for chunk in chunks:
        scanner.feed(chunk.encode())
    scanner.close()
    last = scanner.tally.sightings("job.log")[-1]
    return last.last_time, last.last_when


def at(hour: int, kind: str) -> str:
    """Return a line of another program with a time."""
    return {"iso": f"2026-11-30 {hour:02d}:00:00 fine", "glog": f"I1130 {hour:02d}:00:00 fine"}[kind] + "\n"


STORM = f"{FULL}\n" * (PER_FAULT + 5)


@pytest.mark.parametrize("kind", ["iso", "glog"])
def test_the_last_time_is_that_of_the_line_before_the_last(kind: str) -> None:
    hours = [last_times(at(1, kind) + STORM, *(at(hour, kind) + f"{FULL}\n" for hour in range(2, 5)))]
    hours += [last_times(at(1, kind) + STORM, at(4, kind) + f"{FULL}\n" + at(5, kind))]

    assert [written for written, _ in hours] == [
        {"iso": "2026-11-30 04:00:00", "glog": "1130 04:00:00"}[kind]
    ] * 2


def test_a_chunk_without_a_time_has_that_of_the_chunk_before() -> None:
    assert last_times(STORM + at(3, "iso"), f"fine\n{FULL}\n") == (
        "2026-11-30 03:00:00",
        "2026-11-30T03:00:00",
    )


def test_a_last_line_that_is_far_from_any_time_leaves_the_time_before() -> None:
    far = "fine\n" * 10_000 + f"{FULL}\n"

    assert last_times(at(3, "iso") + STORM, at(4, "iso") + f"{FULL}\n", far, far)[0] == "2026-11-30 04:00:00"


@pytest.mark.parametrize(
    ("lines", "certain"),
    [
        (b"cut\n2026-11-30 01:00:00 fine\nnext", True),
        (b"cut 2026-11-30 01:00:00 fine\nnext", False),
        (b"cut\n" + b"x" * 230 + b"2026-11-30 01:00:00 fine\n", False),
        (b"cut\n01:00:00 fine\n", False),
    ],
)
def test_a_time_is_certain_only_near_the_start_of_a_whole_line(lines: bytes, certain: bool) -> None:
    assert dated(lines) is certain
