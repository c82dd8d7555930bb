"""Healthy machines with container engines of every shape: no trouble, no false risk."""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.faults.catalogue import CATALOGUE
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge
from tests.faults.engines import ALL_GPUS, ENGINE, NO_GPU, SPEC, VERSION, docker_host

FAULTS = [place.rsplit("/", 1)[1].replace("_", "-") for place in CATALOGUE if place.startswith("container/")]
FRESH = {SPEC: {"kind": "nvidia.com/gpu", "driver_versions": [VERSION], "missing": []}}
PLAIN: dict[str, Any] = {
    "runtimes": ["runc"],
    "daemon_json": None,
    "toolkit": {},
    "toolkit_config": None,
    "ldconfig_there": None,
}
NO_DOCKER: dict[str, Any] = PLAIN | {
    "programs": {"podman": {"path": "/usr/bin/podman", "version": "5.4.0"}},
    "context": None,
    "endpoint": None,
    "reachable": False,
    "unreachable": "no-docker",
    "daemon_json": ...,
}
DENIED: dict[str, Any] = {
    "reachable": False,
    "unreachable": "denied",
    **dict.fromkeys(("server_version", "rootless", "runtimes", "default_runtime"), ...),
}
REMOTE: dict[str, Any] = PLAIN | {
    "remote": True,
    "endpoint": "ssh",
    "unreachable": None,
    **dict.fromkeys(
        ("reachable", "server_version", "rootless", "desktop", "snap", "runtimes", "daemon_json"), ...
    ),
}
ROOTLESS = {"rootless": True, "toolkit_config": {"nvidia-container-cli.no-cgroups": "true"}}
SHAPES = {
    "docker with the toolkit": docker_host(),
    "docker with a GPU container": docker_host(run=ALL_GPUS),
    "docker without GPUs and toolkit": docker_host(PLAIN, pci=NO_GPU),
    "docker beside GPUs of the host": docker_host(PLAIN),
    "docker for others": docker_host(DENIED),
    "docker on another machine": docker_host(REMOTE),
    "rootless docker": docker_host(ROOTLESS),
    "podman with CDI": docker_host(NO_DOCKER | {"cdi_specs": FRESH}),
    "docker and podman": docker_host(
        {"programs": ENGINE["programs"] | NO_DOCKER["programs"], "cdi_specs": FRESH}
    ),
    "Docker Desktop in WSL2": docker_host(PLAIN | {"desktop": True}, host={"wsl": True}),
    "docker that sleeps": docker_host(DENIED | {"unreachable": "asleep"}),
}


@pytest.mark.parametrize("snapshot", SHAPES.values(), ids=SHAPES)
def test_no_rule_of_the_layer_says_anything(snapshot: Snapshot) -> None:
    verdicts = {fault: judge(fault, snapshot) for fault in FAULTS}

    fired = {fault for fault, verdict in verdicts.items() if verdict.findings}
    broken = {fault for fault, verdict in verdicts.items() if verdict.outcome is Outcome.BROKEN}
    assert (fired, broken) == (set(), set())


def test_the_whole_catalogue_finds_a_docker_host_healthy() -> None:
    diagnosis = pipeline.judge(docker_host())

    assert (diagnosis.causes, diagnosis.risks) == ((), ())
