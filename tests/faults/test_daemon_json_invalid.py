"""daemon-json-invalid"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import docker_host

FAULT = "daemon-json-invalid"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "dockerd[812]: unable to configure the Docker daemon with file "
                "/etc/docker/daemon.json: invalid character '}' looking for beginning of object "
                "key string"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "unable to configure the Docker daemon with file /etc/docker/daemon.json: the "
                "following directives are specified both as a flag and in the configuration file:"
                " hosts"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                'time="x" level=fatal msg="cannot load config file /etc/docker/daemon.json: '
                'unexpected end of JSON input"'
            ),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_on_a_file_that_docker_rejects(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"),
        "Wrote updated config to /etc/docker/daemon.json",
    ],
)
def test_clear_on_a_daemon_that_is_not_reachable(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


BROKEN = {
    "daemon_json": {
        "path": "/etc/docker/daemon.json",
        "error": "Expecting property name enclosed in double quotes",
        "line": 4,
        "column": 1,
    }
}
DOWN = {"reachable": False, "unreachable": "down"}


def test_fires_with_line_and_column_when_docker_is_down() -> None:
    [finding] = judge(FAULT, docker_host(BROKEN | DOWN)).findings

    assert (finding.kind, finding.subject) == (Kind.TROUBLE, "file:/etc/docker/daemon.json")
    assert (finding.summary.values["line"], finding.summary.values["column"]) == ("4", "1")


@pytest.mark.parametrize("change", [{}, {"reachable": False, "unreachable": "denied"}])
def test_fires_as_a_risk_when_docker_may_still_run(change: dict[str, object]) -> None:
    [finding] = judge(FAULT, docker_host(BROKEN | change)).findings

    assert (finding.kind, finding.variant) == (Kind.RISK, "at-next-start")


@pytest.mark.parametrize(
    "change",
    [{}, {"daemon_json": None}, BROKEN | {"remote": True}, BROKEN | DOWN | {"unreachable": "no-docker"}],
    ids=["sound", "no file", "daemon elsewhere", "docker is not installed"],
)
def test_clear_when_no_daemon_reads_a_broken_file(change: dict[str, object]) -> None:
    assert judge(FAULT, docker_host(change)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_file_was_not_read() -> None:
    verdict = judge(FAULT, docker_host({"daemon_json": ...}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "engine.daemon_json: not-attempted")


SAID = (
    (
        (
            "unable to configure the Docker daemon with file /etc/docker/daemon.json: "
            "invalid character '}' looking for beginning of object key string"
        ),
    ),
    ("# note: 改了 daemon.json 之后 docker 启动失败，少了一个逗号",),
    (
        (
            "# note: dockerd does not start after I pasted the nvidia runtime into "
            "/etc/docker/daemon.json, trailing comma"
        ),
    ),
)
NEAR = (
    "failed to start daemon: error initializing graphdriver",
    "# note: daemon.json was not changed",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


SOUND = {"path": "/etc/docker/daemon.json", "error": None, "line": None, "column": None, "only_commas": False}
UNDEFINED = {"daemon_json": SOUND | {"runtimes": [], "default_runtime": "nvidia"}, "runtimes": ["runc"]}
PROGRAM = {"toolkit": {"nvidia-container-runtime": {"path": "/usr/bin/nvidia-container-runtime"}}}
COMMAS = {"daemon_json": BROKEN["daemon_json"] | {"only_commas": True}}


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (COMMAS | DOWN, ["", None]),
        (COMMAS, [""]),
        (UNDEFINED | DOWN | {"runtimes": ..., "toolkit": {}}, ["default-runtime", None]),
        (UNDEFINED | PROGRAM, ["runtimes.nvidia"]),
    ],
    ids=["commas", "commas, docker runs", "no such program", "not registered, docker runs"],
)
def test_what_needs_no_guess_is_repaired(change: dict[str, object], places: list[str | None]) -> None:
    [finding] = judge(FAULT, docker_host(change)).findings

    assert finding.remedy is not None and finding.remedy.appliable
    assert [step.args.get("at") for step in finding.remedy.steps] == places


@pytest.mark.parametrize(
    "change",
    [
        BROKEN | DOWN,
        UNDEFINED | {"daemon_json": SOUND | {"runtimes": [], "default_runtime": "kata"}},
        COMMAS | {"snap": True},
        UNDEFINED | {"toolkit": ...},
    ],
    ids=["more than commas", "another runtime", "of snap", "toolkit not looked for"],
)
def test_what_was_meant_only_a_person_knows(change: dict[str, object]) -> None:
    [finding] = judge(FAULT, docker_host(change)).findings

    assert finding.remedy is None or not finding.remedy.appliable


@pytest.mark.parametrize("name", ["runc", "io.containerd.kata.v2", "other"])
def test_clear_on_a_runtime_that_is_known(name: str) -> None:
    file = SOUND | {"runtimes": ["other"], "default_runtime": name}

    assert judge(FAULT, docker_host({"daemon_json": file})).outcome is Outcome.CLEAR


def test_a_runtime_that_a_flag_defines_is_known() -> None:
    file = SOUND | {"runtimes": [], "default_runtime": "nvidia"}

    assert judge(FAULT, docker_host({"daemon_json": file})).outcome is Outcome.CLEAR
