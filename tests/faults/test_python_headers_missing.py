"""python-headers-missing"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "python-headers-missing"


@pytest.mark.parametrize(
    "line",
    [
        "/tmp/main.c:4:10: fatal error: Python.h: No such file or directory",
        "ops.cpp:1:10: fatal error: 'Python.h' file not found",
    ],
)
def test_fires_on_the_words_of_the_compiler(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_on_another_header_or_a_mere_mention() -> None:
    lines = ("fatal error: cuda.h: No such file or directory", "found Python.h in /usr/include/python3.12")

    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
