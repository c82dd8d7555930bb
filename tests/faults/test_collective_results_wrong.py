"""collective-results-wrong"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "collective-results-wrong"


def test_fires_when_the_test_counts_wrong_values() -> None:
    assert judge(FAULT, text("# Out of bounds values : 12 FAILED")).outcome is Outcome.FIRED


def test_clear_when_all_values_are_right_or_none_was_compared() -> None:
    rows = (
        "    33554432       8388608     float     sum      -1   181.2  185.1  324.0      0",
        "# Out of bounds values : 0 OK",
    )

    assert judge(FAULT, text(*rows)).outcome is Outcome.CLEAR


def test_claims_nothing_when_no_text_was_given() -> None:
    assert judge(FAULT, recording("h200-healthy", sightings={"state": "denied"})).outcome is Outcome.SKIPPED
