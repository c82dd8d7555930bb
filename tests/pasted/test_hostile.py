"""Whatever text is pasted: no reader raises, and none takes more than linear time."""

import io
import pickle
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeblue.sources.clues import Line
from codeblue.sources.pasted import READERS, reader, sections
from codeblue.sources.whole import dcgm, flight_recorder
from tests.pasted.test_readers import READ

PIECES = sorted({word for text, _, _ in READ for row in text.splitlines() for word in row.split(" ")})
"""Words of real output: random characters alone would never get past the first character of a pattern."""
ROWS = [row for text, _, _ in READ for row in text.splitlines()]

words = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=12).map(" ".join)
rows = st.one_of(st.sampled_from(ROWS), words, st.text(max_size=60))
texts = st.lists(rows, max_size=30)


def lines(text: list[str]) -> list[Line]:
    return [Line(row, "pasted.txt", number, False) for number, row in enumerate(text, start=1)]


@settings(max_examples=200, deadline=None)
@given(texts)
def test_no_text_makes_a_reader_raise(text: list[str]) -> None:
    sections(lines(text))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_make_a_document_raise(content: bytes) -> None:
    list(dcgm.lines(content))
    for damaged in (content, b"\x80\x04" + content, b"{" + content):
        dump = flight_recorder.load(damaged)
        flight_recorder.streams(dump, "rank_0")


GARBAGE: dict[str, Callable[[int], str]] = {
    "one character": lambda size: "a" * size,
    "one long line of spaces": lambda size: " " * size,
    "digits": lambda size: "1 " * (size // 2),
    "bars": lambda size: "| 0 " * (size // 4),
    "braces": lambda size: "{\n" * (size // 2),
    "prompts": lambda size: "$ ls -l /dev/nvidia*\n" * (size // 21),
    "names": lambda size: "Name: torch\n" * (size // 12),
    "commands that go on": lambda size: "docker run \\\n" * (size // 13),
    "table rows": lambda size: f"{ROWS[5]}\n" * (size // 90),
    "variables": lambda size: "A=1 " * (size // 4),
}


ENOUGH = 30.0
"""Seconds that a busy machine may need at most for a text that takes well below one; quadratic work on
it takes minutes."""


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_takes_no_quadratic_time(kind: str) -> None:
    given_lines = lines([row[:2000] for row in GARBAGE[kind](300_000).splitlines()])
    for name in READERS:
        read = reader(name)
        started = time.process_time()
        for _ in read(given_lines):
            pass
        assert time.process_time() - started < ENOUGH, name


class Calls:
    """What a hostile pickle would run."""

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return (pytest.fail, ("a pickle was obeyed",))


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_pickle_that_calls_something_is_refused(protocol: int) -> None:
    assert flight_recorder.load(pickle.dumps({"pg_status": Calls()}, protocol)) is None


def test_a_pickle_of_plain_values_is_read() -> None:
    values = {"a": [1, 2.5, None, True, ("x", b"y")], "b": {"c": {"d"}}}

    assert flight_recorder.load(pickle.dumps(values)) == values


def test_a_pickle_that_refers_to_something_outside_is_refused() -> None:
    content = io.BytesIO()
    pickler = pickle.Pickler(content, 4)
    pickler.persistent_id = lambda value: "elsewhere" if value == "x" else None  # type: ignore[method-assign]
    pickler.dump(["x"])

    assert flight_recorder.load(content.getvalue()) is None
