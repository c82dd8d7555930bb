"""wsl-gpu-in-tcc-mode"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "wsl-gpu-in-tcc-mode"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "Unable to determine the device handle for GPU0: 0000:41:00.0: Unknown Error",
                "os: WSL2",
                "# note: the second card runs in TCC for compute",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: Windows 上一张卡是 TCC 模式，WSL 里 nvidia-smi 找不到设备",),
        ),
        (
            Certainty.POSSIBLE,
            (
                "Unable to determine the device handle for GPU0: 0000:41:00.0: Unknown Error",
                "# note: Tesla P40 under WSL",
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
            "Unable to determine the device handle for GPU0000:41:00.0: Unknown Error",
            "# note: Tesla P40 in a Linux server",
        ),
        ("# note: WSL2, one GeForce card, CUDA is not available",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
