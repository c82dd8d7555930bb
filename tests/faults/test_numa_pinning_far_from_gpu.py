"""numa-pinning-far-from-gpu"""

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.feeding import tried

FAULT = "numa-pinning-far-from-gpu"


def test_fires_for_the_gpu_whose_node_is_not_in_the_mask() -> None:
    far = {"allowed": 32, "mask": "32-63", "nodes": [1], "gpu_nodes": {"0": 0, "1": 1}}

    [finding] = judge(FAULT, tried(far)).findings

    assert (finding.subject, finding.kind) == ("gpu:0", Kind.RISK)
    assert [e.value for e in finding.evidence] == [0, [1], "32-63"]


def test_clear_near_it_or_on_all_nodes() -> None:
    assert judge(FAULT, tried()).outcome is Outcome.CLEAR
    assert judge(FAULT, tried({"nodes": [0], "mask": "0-31"})).outcome is Outcome.CLEAR


def test_clear_where_the_machine_says_nothing() -> None:
    assert judge(FAULT, tried({"nodes": [1], "gpu_nodes": {}})).outcome is Outcome.CLEAR
    assert judge(FAULT, tried({"nodes": [], "all_nodes": 0})).outcome is Outcome.CLEAR


def test_claims_nothing_without_the_trial() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
