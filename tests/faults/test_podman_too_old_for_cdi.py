"""podman-too-old-for-cdi"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "podman-too-old-for-cdi"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("Error: stat nvidia.com/gpu=all: no such file or directory", Certainty.CERTAIN),
        ("Error: lstat nvidia.com/gpu=0: no such file or directory", Certainty.CERTAIN),
    ],
)
def test_fires_on_a_name_taken_for_a_path(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all"),
        "stat /dev/nvidia0: no such file or directory",
    ],
)
def test_clear_on_an_unresolved_name(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "$ podman --version",
        "podman version 3.0.1",
        "Error: stat nvidia.com/gpu=all: no such file or directory",
        "os: Debian 11",
    ),
    (
        "# note: podman 3.4.4, --device nvidia.com/gpu=all is treated as a path",
        "os: Ubuntu 22.04",
    ),
)
NEAR = (
    "podman version 4.9.3",
    "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
