"""docker-daemon-not-restarted"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import ENGINE, docker_host
from tests.faults.remedies import asked, only, verbs

FAULT = "docker-daemon-not-restarted"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("docker: Error response from daemon: unknown or invalid runtime name: nvidia."),
            Certainty.POSSIBLE,
        ),
        ("ERROR: for app  Unknown runtime specified nvidia", Certainty.POSSIBLE),
    ],
)
def test_fires_on_a_runtime_the_daemon_does_not_know(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("docker: Error response from daemon: unknown or invalid runtime name: kata."),
        " Runtimes: io.containerd.runc.v2 nvidia runc",
    ],
)
def test_clear_on_another_runtime(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


OLD = {"runtimes": ["io.containerd.runc.v2", "runc"]}


def test_fires_as_a_risk_when_the_daemon_does_not_know_the_runtime_of_its_file() -> None:
    [finding] = judge(FAULT, docker_host(OLD)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.CERTAIN)
    assert "io.containerd.runc.v2, runc" in finding.summary.say("en")


def test_fires_as_trouble_when_a_container_is_judged_or_was_refused() -> None:
    refused = joined(docker_host(OLD), text("Error response from daemon: Unknown runtime specified nvidia"))
    for snapshot in (docker_host(OLD, {}), refused):
        [finding] = judge(FAULT, snapshot).findings
        assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.CERTAIN)


@pytest.mark.parametrize(
    "change",
    [{}, OLD | {"daemon_json": None}, OLD | {"remote": True}, OLD | {"desktop": True}],
    ids=["known", "no file", "daemon elsewhere", "Docker Desktop"],
)
def test_clear_when_file_and_daemon_agree(change: dict[str, object]) -> None:
    assert judge(FAULT, docker_host(change)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_daemon_was_not_asked() -> None:
    assert judge(FAULT, docker_host({"runtimes": ...})).reason == "engine.runtimes: not-attempted"


SAID = (
    (
        "docker: Error response from daemon: unknown or invalid runtime name: nvidia.",
        "# note: ran nvidia-ctk runtime configure a minute ago",
    ),
    (
        (
            "# note: 装完 nvidia-container-toolkit 还没重启 docker，docker run "
            "--runtime=nvidia 报 unknown runtime"
        ),
    ),
    (
        "Error response from daemon: Unknown runtime specified nvidia.",
        "# note: sudo systemctl restart docker fixed it",
    ),
)
NEAR = (
    ("docker: Error response from daemon: could not select device driver with capabilities: [[gpu]]"),
    "# note: the toolkit is not installed, I restarted docker twice",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_the_remedy_lets_the_daemon_read_its_file_again() -> None:
    finding = only(FAULT, docker_host(OLD))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.NONE)
    assert asked(finding) == [(Verb.SERVICE_RELOAD, {"service": "docker"})]


@pytest.mark.parametrize(
    "change",
    [
        {"rootless": True},
        {"snap": True},
        {"snap": ...},
        {"daemon_json": ENGINE["daemon_json"] | {"path": "/var/snap/docker/current/config/daemon.json"}},
    ],
    ids=["rootless", "snap", "snap unread", "another file"],
)
def test_the_remedy_is_a_persons_where_the_daemon_is_no_service_of_the_system(
    change: dict[str, object],
) -> None:
    assert set(verbs(only(FAULT, docker_host(OLD | change)))) == {Verb.INSTRUCT}
