"""vgpu-count-exceeds-physical-cards"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vgpu-count-exceeds-physical-cards"
SHOWS = (
    (
        (
            '"request devices nums cannot exceed the total number of devices on the node." '
            'pod="default/a" request devices nums=3 node device nums=1'
        ),
    ),
    (
        (
            "0/3 nodes are unavailable: 1 no enough gpu cards on node gpu01, 2 Insufficient "
            "volcano.sh/vgpu-number."
        ),
    ),
    (("# note: HAMi splits the single card into 10 vGPUs; a pod with nvidia.com/gpu: 2 stays pending"),),
    ("# note: 一张卡切成 10 个 vgpu，pod 申请 2 个就一直 Pending",),
)
OTHERS = (
    (
        "CardInsufficientMemory",
        "# note: HAMi vgpu pod pending on one card",
    ),
    ("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",),
    ("grpc: received message larger than max (9000000 vs. 4194304) volcano.sh/vgpu-memory",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_more_slices_than_cards(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_shortages(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
