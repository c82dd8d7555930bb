"""service-mesh-sidecar-breaks-job"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "service-mesh-sidecar-breaks-job"
SHOWS = (
    (
        "train-worker-0   1/2   CrashLoopBackOff",
        "# note: namespace has istio injection; the worker's init_process_group is refused",
    ),
    ("# note: MPIJob launcher stuck because of the envoy sidecar",),
    ("# note: 命名空间开启了 istio 注入，分布式训练的 worker 连不上 master",),
    (
        "2026-11-10T10:00:00Z info Envoy proxy is ready",
        "RuntimeError: [gloo] Connection reset by peer",
        "# pytorch training pod",
    ),
)
OTHERS = (
    (
        "train-worker-0   0/1   CrashLoopBackOff",
        "RuntimeError: [gloo] Connection reset by peer",
    ),
    ("istio ingress returns 502 for the jupyter notebook, kernel fails while training",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_proxy_between_the_ranks(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_jobs_without_a_mesh(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
