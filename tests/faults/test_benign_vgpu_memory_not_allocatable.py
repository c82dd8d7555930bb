"""benign-vgpu-memory-not-allocatable"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-vgpu-memory-not-allocatable"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ kubectl describe node gpu1",
            "  nvidia.com/gpu:        40",
            "# nvidia.com/gpumem is not listed under Allocatable",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 节点的 Allocatable 里只有 nvidia.com/gpu，没有 gpumem",)),
    (Certainty.POSSIBLE, ("# note: after installing HAMi the node capacity does not include vgpu memory",)),
)
OTHERS = (
    (
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpumem.",
        "# the pod is not shown as running",
    ),
    (
        "  nvidia.com/gpu:  0",
        "# the node lists no GPU",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_request_parameter_that_no_node_lists(
    certainty: Certainty, lines: tuple[str, ...]
) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_pods_that_wait(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
