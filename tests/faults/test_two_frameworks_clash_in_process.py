"""two-frameworks-clash-in-process"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "two-frameworks-clash-in-process"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ('ImportError: generic_type: type "DistAttr" is already registered!', Certainty.CERTAIN),
        (
            (
                'ImportError: generic_type: cannot initialize type "Place": an object with that '
                "name is already defined"
            ),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_when_a_type_is_registered_twice(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: computation placer already registered",
        ("ImportError: cannot import name 'x' from partially initialized module 'y'"),
    ],
)
def test_clear_on_another_import_error(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
