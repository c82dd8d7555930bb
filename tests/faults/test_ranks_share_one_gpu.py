"""ranks-share-one-gpu"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ranks-share-one-gpu"
LINES = ("[rank0]: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1b000",)
OTHERS = ("rank 0 and rank 1 are both on node1",)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_a_duplicate_gpu(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("job", Certainty.CERTAIN)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"one": "0", "other": "1", "device": "1b000"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_other_lines(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_clear_on_a_printed_tensor_and_the_process_of_a_service() -> None:
    words = text(
        "tensor([3.], device='cuda:0')",
        "systemd[1]: foo.service: Main process exited, code=exited",
    )

    assert judge("ranks-share-one-gpu", words).outcome is not Outcome.FIRED
