"""straggler-rank"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as whole
from tests.conftest import judge, recording
from tests.faults.collectives import STEP, ran

FAULT = "straggler-rank"
WAITING = {"step": STEP | {"wait_ms": 6.0}}
LATE = {"step": STEP | {"own_low_ms": 13.9, "own_ms": 14.1, "own_high_ms": 14.4, "compute_ms": 14.0}}
HELD_UP = {"step": STEP | {"own_low_ms": 13.9, "own_ms": 14.1, "own_high_ms": 14.4, "hand_in_ms": 6.1}}


def test_fires_on_a_gpu_that_computes_slowly() -> None:
    [finding] = judge(FAULT, ran(rows={"0": WAITING, "1": LATE})).findings

    assert (finding.subject, finding.variant, finding.certainty) == ("gpu:1", "compute", Certainty.LIKELY)
    assert finding.summary.values["behind"] == "6"


def test_fires_on_a_process_that_is_held_up_and_names_its_host() -> None:
    hosts = ("host-a", "host-a", "host-b", "host-b")
    rows = {"0": WAITING, "1": WAITING, "2": WAITING, "3": HELD_UP}
    [finding] = judge(FAULT, ran(hosts=hosts, rows=rows)).findings

    assert (finding.subject, finding.variant) == ("rank:3", "host")
    assert "host-b" in finding.summary.say("en")


def test_fires_on_both_ranks_of_a_slow_host() -> None:
    hosts = tuple(f"host-{rank // 2}" for rank in range(8))
    rows = {str(rank): LATE if rank > 5 else WAITING for rank in range(8)}

    assert [one.subject for one in judge(FAULT, ran(hosts=hosts, rows=rows)).findings] == ["rank:6", "rank:7"]


@pytest.mark.parametrize(
    "rows",
    [
        {},
        {"0": WAITING},
        {"1": {"step": STEP | {"own_low_ms": 9.0, "own_ms": 9.1, "own_high_ms": 9.3}}, "0": WAITING},
        {"1": {"step": STEP | {"own_low_ms": 7.0, "own_ms": 14.0, "own_high_ms": 20.0}}, "0": WAITING},
        {"1": LATE, "0": {"step": STEP | {"wait_ms": 0.1}}},
        {"1": LATE | {"gpu": "NVIDIA L4"}, "0": WAITING},
        {"1": LATE | {"backend": "gloo", "gpu": None}, "0": WAITING | {"backend": "gloo", "gpu": None}},
    ],
    ids=["alike", "one waits", "a tenth", "now and then", "nobody waits", "two kinds", "processors"],
)
def test_clear_on_ordinary_differences(rows: dict[str, dict[str, object]]) -> None:
    assert judge(FAULT, ran(rows=rows)).outcome is Outcome.CLEAR


def test_the_reason_explains_it() -> None:
    right = {"size": 8192, "relative_error": 0.003, "changed": 0, "worst_row": 6.0, "digest": "1"}
    product = right | {"tflops": 300.0}
    gpu = {"products": {"bf16": product}, "seconds": 2.0}
    fast = {"products": {"bf16": product | {"tflops": 740.0}}, "seconds": 2.0}
    names = {str(number): {"name": "NVIDIA H200", "pci": f"0000:0{number}:00.0"} for number in range(3)}
    trial = {"state": "read", "passed_over": {}, "devices": {"0": fast, "1": gpu, "2": fast}}
    snapshot = ran(rows={"0": WAITING, "1": LATE}, gpu_trial=trial, cuda={"devices": names})

    diagnosis = whole(snapshot)
    assert "gpu-slower-than-its-kind" in [cause.finding.fault for cause in diagnosis.causes]
    assert FAULT in [one.finding.fault for one in diagnosis.consequences]


def test_claims_nothing_when_it_was_not_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
    unread = recording("h200-healthy", nccl_trial={"state": "busy", "reason": "GPU 0: 1 processes"})
    assert judge(FAULT, unread).outcome is Outcome.SKIPPED
