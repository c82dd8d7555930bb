"""benign-libibverbs-provider-missing"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-libibverbs-provider-missing"
LINES = (
    (
        "libibverbs: Warning: couldn't load driver 'libsiw-rdmav34.so': libsiw-rdmav34.so: "
        "cannot open shared object file"
    ),
    ("libibverbs: Warning: couldn't load driver 'vmw_pvrdma': version `IBVERBS_PRIVATE_22' not found"),
)
OTHERS = (
    (
        "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so': libmlx5-rdmav34.so: "
        "cannot open shared object file"
    ),
    (
        "libibverbs: Warning: no userspace device-specific driver found for "
        "/sys/class/infiniband_verbs/uverbs0"
    ),
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_a_driver_of_absent_hardware(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.kind is Kind.HARMLESS
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"driver": "siw"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_the_driver_of_a_card_in_use(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
