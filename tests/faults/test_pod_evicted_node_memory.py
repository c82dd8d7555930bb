"""pod-evicted-node-memory"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "pod-evicted-node-memory"
SHOWS = (
    ("The node was low on resource: memory. Threshold quantity: 100Mi, available: 64Mi.",),
    (('eviction_manager.go:366] "Eviction manager: must evict pod(s) to reclaim" resourceName="memory"'),),
    (
        "STATUS  Evicted",
        "# note: the training pod vanished; node was low on memory",
    ),
    ("# note: 训练 pod 被驱逐，节点内存不足",),
)
OTHERS = (
    ("The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi",),
    ("Last State: Terminated  Reason: OOMKilled  Exit Code: 137",),
    ("# note: kv cache blocks evicted, CUDA out of memory on the node",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_an_eviction_for_memory(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_evictions_for_disk_and_limits(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
