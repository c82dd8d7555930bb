"""vgpu-memory-units-too-many"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vgpu-memory-units-too-many"
SHOWS = (
    (
        (
            '"ListAndWatch ended unexpectedly for device plugin" err="rpc error: code = '
            'ResourceExhausted desc = grpc: received message larger than max (9052428 vs. 4194304)" '
            'resource="volcano.sh/vgpu-memory"'
        ),
    ),
    (
        "  volcano.sh/vgpu-memory:  0",
        "# eight H20 cards, device plugin of volcano",
    ),
    ("# note: volcano 的 vgpu-memory 显示为 0，显卡显存大，设备插件的 gpu-memory-factor 是 1",),
)
OTHERS = (
    ("tritonclient: grpc error: Received message too big",),
    (
        "  volcano.sh/vgpu-memory:  81920",
        "  volcano.sh/vgpu-number: 10",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_list_too_long_for_the_kubelet(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_large_messages(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
