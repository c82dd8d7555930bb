"""docker-from-snap"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import NO_GPU, docker_host

FAULT = "docker-from-snap"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("$ sudo snap install docker", Certainty.CERTAIN),
        (" Docker Root Dir: /var/snap/docker/common/var-lib-docker", Certainty.CERTAIN),
        (
            (
                "systemd[1]: Started Service for snap application docker.dockerd "
                "(snap.docker.dockerd.service)."
            ),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_on_traces_of_the_snap(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        " Docker Root Dir: /var/lib/docker",
        "$ snap install helm",
    ],
)
def test_clear_on_the_packaged_engine(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_as_the_cause_once_a_container_fails() -> None:
    failed = "nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: cannot open"

    diagnosis = pipeline.judge(text("$ snap install docker", failed))

    assert [cause.finding.fault for cause in diagnosis.causes] == [FAULT]
    assert not pipeline.judge(text("$ snap install docker")).causes


SNAP = {"snap": True, "runtimes": ["runc"]}


def test_fires_as_a_risk_on_a_gpu_machine() -> None:
    [finding] = judge(FAULT, docker_host(SNAP)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.CERTAIN)


@pytest.mark.parametrize(
    "snapshot",
    [docker_host(), docker_host({"snap": True}), docker_host(SNAP, pci=NO_GPU)],
    ids=["packaged", "a revision with NVIDIA support", "no GPU"],
)
def test_clear_without_a_snap_that_matters(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


SAID = (
    (
        (
            "# note: docker came with the server installer as a snap; --gpus all ends with "
            "libnvidia-ml.so.1 not found"
        ),
        "os: Ubuntu 22.04",
    ),
    (
        "$ which docker",
        "/snap/bin/docker",
        ('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'),
    ),
    (
        "# note: snap 安装的 docker，--gpus all 报 could not select device driver",
        "os: Ubuntu 20.04",
    ),
)
NEAR = (
    "could not select device driver with capabilities: [[gpu]]",
    "# note: docker from the distribution's package",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
