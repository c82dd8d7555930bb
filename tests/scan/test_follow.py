"""A log that is still written: growth, rotation, truncation."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codeblue.sources.scan.follow import follow
from tests.scan.tools import FULL, SIMPLE


def told(log: Path, *steps: Callable[[], object], from_start: bool = True) -> list[tuple[str, int]]:
    """Follow a log through the steps; return text and line of what was told."""
    waiting = list(steps)

    def going() -> bool:
        if not waiting:
            return False
        waiting.pop(0)()
        return True

    found = follow(str(log), SIMPLE, going, pause=0.0, from_start=from_start)
    return [(one.text, one.line) for one in found]


def add(log: Path, text: str) -> Callable[[], object]:
    """Return a step that writes to the end of a log."""

    def step() -> None:
        with log.open("a") as file:
            file.write(text)

    return step


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with one line."""
    path = tmp_path / "job.log"
    path.write_text("start\n")
    return path


def test_a_line_is_told_once_it_is_whole(log: Path) -> None:
    assert told(log, add(log, "Kil"), add(log, "led\nKi"), add(log, "lled\n")) == [
        ("Killed", 2),
        ("Killed", 3),
    ]


def test_what_was_there_before_can_be_left_out(log: Path) -> None:
    log.write_text("Killed\n")

    assert [text for text, _ in told(log, add(log, FULL + "\n"), from_start=False)] == [FULL]


def test_a_rotated_log_is_read_to_its_end_and_the_new_one_from_its_start(log: Path) -> None:
    def rotate() -> None:
        add(log, FULL + "\n")()
        os.rename(log, log.with_suffix(".1"))
        log.write_text("Killed\n")

    assert told(log, add(log, "fine\n"), rotate, add(log, "x\n")) == [(FULL, 3), ("Killed", 1)]


def test_a_log_that_is_away_for_a_while_is_waited_for(log: Path) -> None:
    old = log.with_suffix(".1")
    back = add(log, "Killed\n")

    assert told(log, lambda: os.rename(log, old), lambda: None, back) == [("Killed", 1)]


def test_a_truncated_log_is_read_again_from_its_start(log: Path) -> None:
    assert told(log, add(log, "long enough\n"), lambda: log.write_text("Killed\n")) == [("Killed", 1)]


def test_a_storm_is_told_a_few_times(log: Path) -> None:
    assert len(told(log, add(log, "Killed\n" * 1000), add(log, "Killed\n" * 1000))) == 20


def test_a_line_without_end_takes_no_memory(log: Path) -> None:
    endless = [add(log, "x" * 1_000_000) for _ in range(5)]

    assert told(log, *endless, add(log, "\nKilled\n")) == [("Killed", 3)]


def test_a_log_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        next(follow(str(tmp_path / "none.log"), SIMPLE))
