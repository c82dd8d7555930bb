"""benign-plugin-factory-registered-twice"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-plugin-factory-registered-twice"
LINES = (
    (
        "E cuda_dnn.cc:8310] Unable to register cuDNN factory: Attempting to register factory "
        "for plugin cuDNN when one has already been registered"
    ),
    "W computation_placer.cc:177] computation placer already registered. Please check linkage",
)
OTHERS = ("Could not find cuda drivers on your machine, GPU will not be used.",)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_second_registration(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.kind is Kind.HARMLESS
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"plugin": "cuDNN"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_the_line_that_matters(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
