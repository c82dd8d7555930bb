"""index-out-of-range-on-gpu"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

ASSERTION = (
    "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1500: indexSelectLargeIndex: block: [3,0,0], "
    "thread: [0,0,0] Assertion `srcIndex < srcSelectDimSize` failed."
)


def test_fires_on_the_assertion_of_an_index_kernel() -> None:
    verdict = judge("index-out-of-range-on-gpu", text("epoch 1", ASSERTION))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_clear_on_another_assertion() -> None:
    other = ASSERTION.replace("srcIndex < srcSelectDimSize", "probability_sum > 0")

    assert judge("index-out-of-range-on-gpu", text(other)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("index-out-of-range-on-gpu", snapshot).outcome is Outcome.SKIPPED
