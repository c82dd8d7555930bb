"""nccl-too-old-for-peermem-module"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-too-old-for-peermem-module"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "NCCL version 2.21.5+cuda12.4",
                "NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
                "nvidia_peermem 16384 0",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "nccl: 2.20.5",
                (
                    "# note: since the upgrade of the OS image GPUDirect RDMA is disabled on every "
                    "HCA, before it was fine"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 系统升级后 GDR 失效，模块现在叫 nvidia_peermem，旧版 NCCL 只认 nv_peer_mem",),
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
            "NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
            "# note: lsmod shows no peer memory module",
        ),
        (
            "NCCL version 2.26.2+cuda12.4",
            "NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
            "nvidia_peermem 16384 0",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
