"""driver-packages-wrong-architecture"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "driver-packages-wrong-architecture"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (("ii  nvidia-smi:i386   470.1-1   i386   NVIDIA System Management Interface"), Certainty.CERTAIN),
    ],
)
def test_fires_on_the_32_bit_tool(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "ii  libnvidia-gl-550:i386  550.1  i386  NVIDIA OpenGL",
        "ii  nvidia-smi  550.1-1  amd64  NVIDIA System Management Interface",
    ],
)
def test_clear_on_32_bit_libraries_of_a_desktop(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
