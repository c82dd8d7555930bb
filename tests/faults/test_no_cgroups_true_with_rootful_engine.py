"""no-cgroups-true-with-rootful-engine"""

from pathlib import Path

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import ENGINE, docker_host
from tests.faults.remedies import look, only, verbs

FAULT = "no-cgroups-true-with-rootful-engine"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("no-cgroups = true", Certainty.POSSIBLE),
    ],
)
def test_fires_on_the_setting(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "#no-cgroups = false",
        "no-cgroups = false",
    ],
)
def test_clear_on_the_default(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


KEY = "nvidia-container-cli.no-cgroups"
SET = {"toolkit_config": {KEY: "true"}}
PODMAN = {"podman": {"path": "/usr/bin/podman", "version": "5.4.0"}}


def test_fires_as_a_risk_when_docker_runs_as_root() -> None:
    [finding] = judge(FAULT, docker_host(SET)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.LIKELY)
    assert finding.evidence[0].value == "true"


def test_fires_no_louder_beside_podman() -> None:
    programs = ENGINE["programs"] | PODMAN

    assert judge(FAULT, docker_host(SET | {"programs": programs})).findings[0].certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"toolkit_config": {KEY: "false"}},
        SET | {"rootless": True},
        {"toolkit_config": {KEY: "true", "nvidia-container-runtime.mode": "cdi"}},
    ],
    ids=["default", "false", "rootless", "CDI mode"],
)
def test_clear_where_the_setting_does_no_harm(change: dict[str, object]) -> None:
    assert judge(FAULT, docker_host(change)).outcome is Outcome.CLEAR


SAID = (
    (
        "$ grep no-cgroups /etc/nvidia-container-runtime/config.toml",
        "no-cgroups = true",
        "$ docker run --gpus all ubuntu nvidia-smi",
        "Failed to initialize NVML: Unknown Error",
    ),
    (
        (
            "# note: config.toml 里 no-cgroups 设成了 true，普通 docker（非 rootless）容器里 "
            "nvidia-smi 报 Failed to initialize NVML: Unknown Error"
        ),
    ),
    (
        "Failed to initialize NVML: Insufficient Permissions",
        "# note: someone had set no-cgroups = true in config.toml; docker runs as root",
        "os: Fedora 38",
    ),
)
NEAR = (
    "no-cgroups = false",
    "Failed to initialize NVML: Unknown Error",
    "# note: rootful docker",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize(
    "lines", [("Failed to initialize NVML: Unknown Error", "# note: 任何容器里都这样，宿主机正常")]
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Failed to initialize NVML: Unknown Error",
            "# note: every container, after some hours; the host is fine",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings


def test_the_remedy_writes_one_setting(tmp_path: Path) -> None:
    remedy = only(FAULT, docker_host(SET)).remedy

    assert remedy is not None
    assert (remedy.automation, remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    [step] = remedy.steps
    assert (step.verb, step.args) == (
        Verb.FILE_EDIT,
        {
            "path": "/etc/nvidia-container-runtime/config.toml",
            "kind": "toml",
            "at": KEY,
            "value": "false",
        },
    )
    seen = look(step, tmp_path, "[nvidia-container-cli]\nload-kmods = true\nno-cgroups = true\n")
    assert {"-no-cgroups = true", "+no-cgroups = false"} <= set(seen.shows)
    assert not look(step, tmp_path, "[nvidia-container-cli]\nno-cgroups = false\n").needed


def test_the_remedy_is_a_persons_beside_podman() -> None:
    programs = ENGINE["programs"] | PODMAN

    assert verbs(only(FAULT, docker_host(SET | {"programs": programs}))) == [Verb.INSTRUCT]
