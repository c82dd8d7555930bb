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


SAID = (
    (
        (
            "# note: only the i386 flavour of libnvidia-compute is installed; "
            "nvidia-container-cli does not find libnvidia-ml.so.1"
        ),
        "os: Ubuntu 18.04",
    ),
    (
        "$ file $(readlink -f /usr/bin/nvidia-smi)",
        "/usr/lib/nvidia/current/nvidia-smi: ELF 32-bit LSB executable, Intel 80386",
        (
            "nvidia-container-cli: initialization error: load library failed: "
            "libnvidia-ml.so.1: cannot open shared object file"
        ),
        "os: Debian 10",
    ),
    (
        "nvidia-container-cli: initialization error: load library failed",
        "# note: only 32-bit libnvidia-ml is present on the host",
    ),
)
NEAR = (
    "nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1",
    "# note: docker comes from a snap",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
