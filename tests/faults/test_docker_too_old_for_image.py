"""docker-too-old-for-image"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "docker-too-old-for-image"
SAID = (
    (
        "RuntimeError: can't start new thread",
        "docker: 20.10.7",
        "# note: python:3.10-slim; ulimit -u is unlimited",
    ),
    (
        "OpenBLAS blas_thread_init: pthread_create failed for thread 1 of 64: Operation not permitted",
        "docker: 19.03.15",
        "os: CentOS 7",
    ),
    (
        "# note: 容器里 import numpy 报 can't start new thread，升级 docker 之后正常",
        "container: ubuntu:22.04",
    ),
    (
        (
            "E: Problem executing scripts APT::Update::Post-Invoke 'rm -f /var/cache/apt/archives/*.deb "
            "|| true'"
        ),
        "E: Sub-process returned an error code",
        "FROM ubuntu:22.04",
    ),
    (
        "runtime/cgo: pthread_create failed: Operation not permitted",
        "# works with --security-opt seccomp=unconfined",
        "container: docker",
    ),
)
OTHERS = (
    (
        "RuntimeError: can't start new thread",
        "$ ulimit -u",
        "4096",
        "docker: 27.3.1",
    ),
    (
        (
            "OpenBLAS blas_thread_init: pthread_create failed for thread 63 of 64: Resource temporarily "
            "unavailable"
        ),
        "docker: 20.10.7",
    ),
    (
        (
            "nvidia-container-cli: mount error: failed to add device rules: "
            "bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted"
        ),
        "docker: 20.10.7",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
