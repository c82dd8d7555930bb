"""pod-gpu-request-invalid"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "pod-gpu-request-invalid"
SHOWS = (
    (
        (
            'The Pod "a" is invalid: spec.containers[0].resources.limits: Required value: Limit must '
            "be set for non overcommitable resources"
        ),
    ),
    (
        (
            'spec.containers[0].resources.requests: Invalid value: "2": must be equal to '
            "nvidia.com/gpu limit of 1"
        ),
    ),
    (
        (
            "spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: resource.Quantity: "
            "must be an integer"
        ),
    ),
    (
        (
            "Allocate failed: request for 'nvidia.com/gpu: 2' too large: maximum request size for "
            "shared resources is 1"
        ),
    ),
    ("# note: asked for nvidia.com/gpu: 0.5 in the pod and kubectl says invalid",),
    ("# note: pod 申请半块显卡，kubectl 报错",),
)
OTHERS = (
    ("0/1 nodes are available: 1 Insufficient nvidia.com/gpu",),
    (
        "vllm --gpu-memory-utilization 0.5",
        "error: mem-fraction must be below 1",
        "# note: in a pod",
    ),
    (
        "limits:",
        "  nvidia.com/gpu: 1",
        "requests:",
        "  nvidia.com/gpu: 1",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_request_that_is_refused(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_requests_that_are_valid(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
