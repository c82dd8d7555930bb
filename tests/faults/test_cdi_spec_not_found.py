"""cdi-spec-not-found"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cdi-spec-not-found"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=1", Certainty.CERTAIN),
        (
            (
                "docker: Error response from daemon: failed to create task: CDI device injection "
                "failed: unresolvable CDI devices nvidia.com/gpu=all"
            ),
            Certainty.CERTAIN,
        ),
        (('level=error msg="failed to inject CDI devices: unknown vendor nvidia.com/gpu"'), Certainty.LIKELY),
    ],
)
def test_fires_on_a_name_that_no_file_describes(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "INFO[0000] Found 2 CDI devices",
        "nvidia.com/gpu=all",
    ],
)
def test_clear_on_a_list_of_names(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all",
        "container: podman 4.9",
    ),
    (
        (
            "# note: nvidia-ctk wrote /var/run/cdi/nvidia.yaml, podman run --device "
            "nvidia.com/gpu=all says unresolvable"
        ),
        "container: podman",
    ),
    (
        (
            "docker: Error response from daemon: CDI device injection failed: unresolvable "
            "CDI devices nvidia.com/gpu=0"
        ),
        "container: docker 27",
    ),
)
NEAR = (
    "Error: stat nvidia.com/gpu=all: no such file or directory",
    "podman version 3.4.4",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
