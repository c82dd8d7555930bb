"""gpu-node-taint-not-tolerated"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-node-taint-not-tolerated"
SHOWS = (
    (
        (
            "Warning  FailedScheduling  3m  default-scheduler  0/4 nodes are available: 3 "
            "Insufficient cpu, 1 node(s) had untolerated taint {nvidia.com/gpu: true}."
        ),
    ),
    (("0/2 nodes are available: 2 node(s) had taint {accelerator: gpu}, that the pod didn't tolerate."),),
    (
        "Taints: nvidia.com/gpu=present:NoSchedule",
        "STATUS Pending",
    ),
    ("# note: GPU 节点打了污点，监控 pod 没有写容忍，一直调度不上去",),
    ("# note: exporter pod stays pending, it lacks the toleration for our gpu nodes",),
)
OTHERS = (
    (
        "1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }",
        "# note: gpu pod pending",
    ),
    ("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_taint_of_gpu_nodes(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_taints_of_sick_nodes(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
