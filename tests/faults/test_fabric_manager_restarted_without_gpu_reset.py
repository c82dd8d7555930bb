"""fabric-manager-restarted-without-gpu-reset"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "fabric-manager-restarted-without-gpu-reset"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (("Failed to bind NVLink SHARP (NVLS) Multicast memory of size 2097152 : CUDA error 401"),),
        ),
        (
            Certainty.POSSIBLE,
            ("n2:5:9 [3] transport/nvls.cc:250 NCCL WARN Cuda failure 1 'invalid argument'",),
        ),
        (
            Certainty.LIKELY,
            (
                "n2:5:9 [3] transport/nvls.cc:250 NCCL WARN Cuda failure 1 'invalid argument'",
                "# note: appeared after systemctl restart nvidia-fabricmanager; a reboot cures it",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 重启 nvidia-fabricmanager 服务之后 NCCL 的 NVLS 多播分配失败",),
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
            "cudaGetDeviceCount returned 802",
            "# note: nvidia-fabricmanager is stopped",
        ),
        ("NCCL INFO NVLS multicast support is available on dev 0",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
