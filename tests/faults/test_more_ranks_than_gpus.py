"""more-ranks-than-gpus"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "more-ranks-than-gpus"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("ValueError: World size (8) is larger than the number of available GPUs (2) in this node."),
            Certainty.CERTAIN,
        ),
        (
            (
                "lightning.fabric.utilities.exceptions.MisconfigurationException: You requested "
                "gpu: [0, 1, 2, 3]"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "ValueError: The number of required GPUs exceeds the total number of available "
                "GPUs in the placement group."
            ),
            Certainty.CERTAIN,
        ),
        ("RuntimeError: this job requires 4 GPUs, but only 1 is available", Certainty.LIKELY),
    ],
)
def test_fires_when_a_library_counts_the_gpus(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "world_size=8, available GPUs: 8",
        "torch.AcceleratorError: CUDA error: invalid device ordinal",
    ],
)
def test_clear_on_enough_gpus(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
