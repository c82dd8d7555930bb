"""container-toolkit-missing"""

from pathlib import Path
from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import ALL_GPUS, ENGINE, NO_GPU, SPEC, docker_host
from tests.faults.remedies import asked, look, only, verbs

FAULT = "container-toolkit-missing"
NO_HOOK = 'exec: "nvidia-container-runtime-hook": executable file not found in $PATH: unknown.'


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ('could not select device driver "" with capabilities: [[gpu]].', Certainty.LIKELY),
        (r"could not select device driver \"nvidia\" with capabilities: [[compute gpu]]", Certainty.LIKELY),
        ("docker: Error response from daemon: unknown or invalid runtime name: nvidia.", Certainty.POSSIBLE),
        ("Error response from daemon: Unknown runtime specified nvidia.", Certainty.POSSIBLE),
        (f"error running hook #0: {NO_HOOK}", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_engine_finds_no_toolkit(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        'could not select device driver "" with capabilities: [[tpu]]',
        "unknown or invalid runtime name: kata",
        "nvidia-container-runtime version 1.18.0",
    ],
)
def test_clear_on_other_words_of_the_engine(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


NONE: dict[str, Any] = {"toolkit": {}, "toolkit_config": None, "ldconfig_there": None, "runtimes": ["runc"]}
REFUSED = 'could not select device driver "" with capabilities: [[gpu]]'


def test_fires_for_certain_when_a_container_asked_and_nothing_is_installed() -> None:
    [finding] = judge(FAULT, docker_host(NONE, ALL_GPUS)).findings

    assert (finding.subject, finding.certainty) == ("host", Certainty.CERTAIN)


def test_fires_for_certain_when_the_text_says_so_and_nothing_is_installed() -> None:
    [finding] = judge(FAULT, joined(docker_host(NONE), text(REFUSED))).findings

    assert finding.certainty is Certainty.CERTAIN
    assert {"engine.toolkit", "sightings.seen[0].text"} <= {e.path for e in finding.evidence}


@pytest.mark.parametrize(
    "snapshot",
    [
        docker_host(NONE),
        docker_host(NONE, {}),
        docker_host(run=ALL_GPUS),
        docker_host(NONE | {"cdi_specs": {SPEC: {"kind": "nvidia.com/gpu"}}}, ALL_GPUS),
        docker_host(NONE, ALL_GPUS, pci=NO_GPU),
        docker_host(NONE | {"remote": True, "reachable": ...}, ALL_GPUS),
    ],
    ids=["nobody asked", "a container without GPUs", "installed", "CDI", "no GPU", "remote daemon"],
)
def test_clear_when_nobody_asked_or_something_is_there(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


SAID = (
    (
        (
            "# note: docker: could not select device driver with capabilities gpu, "
            "nvidia-container-toolkit is not installed on the host"
        ),
        "os: Arch",
    ),
    ('stderr: exec: "nvidia-container-runtime-hook": executable file not found in $PATH',),
    (
        ('docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].'),
        "docker: 24.0",
    ),
)
NEAR = (
    "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.2",
    "# note: the toolkit is installed",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "device-plugin: did you configure the NVIDIA Container Toolkit?",
            "libnvidia-ml.so.1: cannot open shared object file: No such file or directory",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings


FILE = "/etc/docker/daemon.json"
REGISTER = {
    "path": FILE,
    "kind": "json",
    "at": "runtimes.nvidia",
    "value": '{"args": [], "path": "nvidia-container-runtime"}',
}
EMPTY = NONE | {"daemon_json": ENGINE["daemon_json"] | {"runtimes": []}}


def ubuntu(engine: dict[str, Any], distribution: str = "ubuntu") -> Snapshot:
    return docker_host(engine, ALL_GPUS, host={"distribution": distribution})


@pytest.mark.parametrize("content", [None, "{}\n", '{"log-driver": "local"}\n'])
def test_the_remedy_installs_registers_and_restarts(content: str | None, tmp_path: Path) -> None:
    finding = only(FAULT, ubuntu(EMPTY if content else NONE | {"daemon_json": None}))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.NONE)
    assert asked(finding) == [
        (Verb.PACKAGE_INSTALL, {"package": "nvidia-container-toolkit"}),
        (Verb.FILE_EDIT, REGISTER),
        (Verb.SERVICE_RESTART, {"service": "docker"}),
    ]
    assert "nvidia-container-runtime" in "".join(look(finding.remedy.steps[1], tmp_path, content).shows)


def test_a_runtime_that_is_registered_is_left_alone() -> None:
    assert verbs(only(FAULT, ubuntu(NONE))) == [Verb.PACKAGE_INSTALL, Verb.SERVICE_RESTART]


@pytest.mark.parametrize(
    ("engine", "distribution"),
    [
        (NONE, "gentoo"),
        (NONE | {"rootless": True}, "ubuntu"),
        (NONE | {"daemon_json": ENGINE["daemon_json"] | {"error": "Expecting value"}}, "ubuntu"),
        (NONE | {"daemon_json": ...}, "ubuntu"),
    ],
    ids=["another distribution", "rootless", "broken file", "file unread"],
)
def test_the_remedy_is_a_persons_where_a_name_is_not_certain(
    engine: dict[str, Any], distribution: str
) -> None:
    assert set(verbs(only(FAULT, ubuntu(engine, distribution)))) == {Verb.INSTRUCT}
