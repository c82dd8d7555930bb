"""gpus-all-allocated"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpus-all-allocated"
SHOWS = (
    ("0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",),
    (
        "Warning  FailedScheduling  0/1 nodes are available: 1 Insufficient nvidia.com/gpu",
        "  nvidia.com/gpu     2             2",
    ),
    (
        "Status: Pending",
        "# note: the only gpu of the node is used by another pod, a notebook",
    ),
    ("# note: 任务一直排队，GPU 已被其他人的 notebook 占用",),
)
OTHERS = (
    (
        "Allocatable:",
        "  nvidia.com/gpu:  0",
        "# note: Pending; other pods use no gpu",
    ),
    (
        "torch.OutOfMemoryError: CUDA out of memory",
        "# note: another job runs on the gpu",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_gpus_in_the_hands_of_others(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_gpus_that_were_not_offered(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
