"""gpu-pv-driver-files-missing-in-guest"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-pv-driver-files-missing-in-guest"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "Failed to initialize NVML: GPU access blocked by the operating system",
                "# note: Ubuntu guest on Windows Server, the card is shared by GPU-PV",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: Hyper-V 虚拟机里驱动文件没拷全，nvidia-smi 报错",),
        ),
        (
            Certainty.LIKELY,
            (
                "Failed to initialize NVML: GPU access blocked by the operating system",
                "os: Debian 12 in Hyper-V",
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
            "Failed to initialize NVML: GPU access blocked by the operating system",
            "os: Ubuntu in WSL2",
        ),
        ("# note: Hyper-V guest without a GPU, nvidia-smi fails",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
