"""docker-desktop-context"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import NO_GPU, docker_host

FAULT = "docker-desktop-context"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("desktop-linux *   Docker Desktop   unix:///home/u/.docker/desktop/docker.sock"),
            Certainty.CERTAIN,
        ),
        (
            ("Cannot connect to the Docker daemon at unix:///home/u/.docker/desktop/docker.sock."),
            Certainty.CERTAIN,
        ),
        ('Current context is now "desktop-linux"', Certainty.POSSIBLE),
    ],
)
def test_fires_on_the_context_of_the_desktop(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("default *   Current DOCKER_HOST based configuration   unix:///var/run/docker.sock"),
        ("desktop-linux     Docker Desktop   unix:///home/u/.docker/desktop/docker.sock"),
    ],
)
def test_clear_on_the_default_context(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_as_the_cause_once_a_gpu_was_refused() -> None:
    context = "desktop-linux *   unix:///home/u/.docker/desktop/docker.sock"
    refused = 'Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu]]'

    assert [c.finding.fault for c in pipeline.judge(text(context, refused)).causes] == [FAULT]
    assert not pipeline.judge(text(context)).causes


DESKTOP = {"desktop": True, "context": "desktop-linux"}


def test_fires_as_a_risk_on_a_gpu_machine() -> None:
    [finding] = judge(FAULT, docker_host(DESKTOP)).findings

    assert (finding.kind, finding.summary.values["context"]) == (Kind.RISK, "desktop-linux")


@pytest.mark.parametrize(
    "snapshot",
    [docker_host(), docker_host(DESKTOP, host={"wsl": True}), docker_host(DESKTOP, pci=NO_GPU)],
    ids=["the host's own", "WSL2 hands GPUs in", "no GPU"],
)
def test_clear_where_the_desktop_does_no_harm(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


SAID = (
    (
        "$ docker context ls",
        "desktop-linux *   Docker Desktop   unix:///home/alice/.docker/desktop/docker.sock",
        "$ docker run --gpus all ubuntu nvidia-smi",
        ('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'),
        "os: Ubuntu 24.04",
    ),
    (
        (
            "# note: same compose file runs with docker-ce; with Docker Desktop the "
            "container says Found no NVIDIA driver"
        ),
        "os: Fedora 40",
    ),
    (
        (
            "# note: 装了 Docker Desktop，docker run --gpus all 报 could not select device "
            "driver，切回 default context 正常"
        ),
        "os: Linux Mint 21",
    ),
)
NEAR = (
    "could not select device driver with capabilities: [[gpu]]",
    "# note: Docker Desktop on Windows 11",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
