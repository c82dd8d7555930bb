"""fabric-manager-version-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

LINE = (
    "nv-fabricmanager[812]: fabric manager NVIDIA GPU driver interface version 580.159.04 "
    "don't match with driver version 580.126.09."
)


def test_fires_on_its_own_words() -> None:
    [finding] = judge("fabric-manager-version-mismatch", text(LINE)).findings

    assert finding.evidence[0].source == "train.log:1"


def test_fires_when_the_line_was_wrapped() -> None:
    wrapped = LINE.replace("don't", "\n  don't").split("\n")

    assert judge("fabric-manager-version-mismatch", text(*wrapped)).outcome is Outcome.FIRED


def test_clear_on_its_ordinary_words() -> None:
    line = "nv-fabricmanager[812]: Connected to 1 node. driver version 580.126.09"

    assert judge("fabric-manager-version-mismatch", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("fabric-manager-version-mismatch", snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        (
            "nv-fabricmanager[1893]: fabric manager NVIDIA GPU driver interface version "
            "550.54.15 don't match with driver version 550.54.14. Please update with "
            "matching NVIDIA driver package."
        ),
        "gpu: 8x H100",
    ),
    (
        (
            "# note: the fabric manager package got updated to 535.161 while the driver "
            "stayed at 535.129, service exits at once"
        ),
    ),
    (
        ("# note: GPU Operator 里的驱动容器装的 fabricmanager 比驱动新一个小版本，服务启动失败，版本不匹配"),
        "gpu: HGX A100",
    ),
)
NEAR = (
    "Unit nvidia-fabricmanager.service could not be found.",
    "CUDA error: system not yet initialized",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("fabric-manager-version-mismatch", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("fabric-manager-version-mismatch", text(*NEAR)).outcome is not Outcome.FIRED
