"""rdma-device-not-permitted-in-container"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rdma-device-not-permitted-in-container"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "NCCL WARN NET/IB : Unable to open device mlx5_3",
                "# note: on worker-1 the device cgroup lets the pod open uverbs0 only",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL_IGNORE_NET_MISMATCH=1",
                "# note: two pods, init completes, then the all-reduce never finishes",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 容器里 /dev/infiniband/uverbs1 打不开，另一台机器的两块网卡都能用",),
        ),
        (
            Certainty.LIKELY,
            (
                "open('/dev/infiniband/uverbs1'): Operation not permitted",
                "k8s: 1.31, shared device plugin",
            ),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NCCL WARN NET/IB : Unable to open device mlx5_bond_0",
            "NCCL INFO NET/IB : No device found.",
        ),
        ("# note: the all-reduce hangs on two nodes in docker",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
