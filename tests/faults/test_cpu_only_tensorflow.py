"""cpu-only-tensorflow"""

from typing import Any

import pytest

from codeblue.model.diagnosis import Overall
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import joined, judge, recording, text

FAULT = "cpu-only-tensorflow"
ABSENT = {"state": "absent"}
LINE = "I tsl/cuda/cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU will not be used."


def tensorflow(name: str = "tensorflow", **changes: Any) -> Snapshot:
    distributions = dict.fromkeys(("cupy-cuda13x", "jax-cuda13-plugin"), ...) | {name: {"version": "2.20.0"}}
    return recording("h200-healthy", python={"distributions": distributions}, **changes)


def test_fires_where_tensorflow_is_the_only_framework() -> None:
    [finding] = judge(FAULT, joined(tensorflow(torch=ABSENT), text(LINE))).findings

    assert finding.kind is Kind.TROUBLE
    assert finding.subject == "distribution:tensorflow"


@pytest.mark.parametrize(
    "snapshot",
    [joined(tensorflow(), text(LINE)), tensorflow("tensorflow-cpu", torch=ABSENT), text(LINE)],
    ids=["beside-torch", "cpu-distribution", "line-alone"],
)
def test_fires_as_a_risk_where_the_cpu_may_be_meant(snapshot: Snapshot) -> None:
    [finding] = judge(FAULT, snapshot).findings

    assert finding.kind is Kind.RISK


def test_a_side_package_makes_no_trouble_of_a_working_torch() -> None:
    assert diagnose(joined(tensorflow(), text(LINE))).verdict is Overall.RISK


@pytest.mark.parametrize(
    "snapshot",
    [
        tensorflow(torch=ABSENT),
        tensorflow("tensorflow-cpu"),
        tensorflow("tensorflow-cpu", torch=ABSENT, pci={"functions": {}, "nvidia_gpus": []}),
        tensorflow("tensorflow-cpu", torch=ABSENT, environment={"variables": {"CUDA_VISIBLE_DEVICES": "-1"}}),
    ],
    ids=["quiet", "beside-torch", "no-gpu", "hidden"],
)
def test_clear_where_nothing_complains_or_no_gpu_is_wanted(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_distributions_are_unread() -> None:
    verdict = judge(FAULT, recording("h200-healthy", python={"distributions": ...}))

    assert verdict.outcome is Outcome.SKIPPED
