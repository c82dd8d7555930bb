"""cpu-only-onnxruntime"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text

FAULT = "cpu-only-onnxruntime"
ABSENT = {"state": "absent"}
SITE = "/opt/torch/.venv/lib/python3.12/site-packages"
CORE = "onnxruntime/capi/onnxruntime_pybind11_state.cpython-312-x86_64-linux-gnu.so"
LINE = (
    "UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names."
    "Available providers: 'AzureExecutionProvider, CPUExecutionProvider'"
)


def both(cpu_lacks: list[str], gpu_lacks: list[str], location: str = SITE, **changes: Any) -> Snapshot:
    row = {"version": "1.24.1", "location": SITE, "installer": "pip"}
    distributions = {
        "onnxruntime": row | {"missing_files": cpu_lacks},
        "onnxruntime-gpu": row | {"missing_files": gpu_lacks, "location": location},
    }
    alone = dict.fromkeys(("cupy-cuda13x", "jax-cuda13-plugin"), ...)
    return recording("h200-healthy", python={"distributions": distributions | alone}, **changes)


def test_fires_where_the_cpu_build_came_last() -> None:
    [finding] = judge(FAULT, both([], [CORE], torch=ABSENT)).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)
    assert finding.remedy is not None
    verbs = [step.verb for step in finding.remedy.steps]
    assert verbs == [Verb.PIP_UNINSTALL, Verb.PIP_UNINSTALL, Verb.PIP_INSTALL]


def test_fires_as_a_risk_beside_torch_and_as_trouble_once_it_complained() -> None:
    [quiet] = judge(FAULT, both([], [CORE])).findings
    [told] = judge(FAULT, joined(both([], [CORE]), text(LINE))).findings

    assert (quiet.kind, told.kind) == (Kind.RISK, Kind.TROUBLE)


def test_fires_on_the_warning_alone() -> None:
    [finding] = judge(FAULT, text(LINE)).findings

    assert finding.certainty is Certainty.LIKELY


@pytest.mark.parametrize(
    "snapshot",
    [
        recording("h200-healthy", torch=ABSENT),
        both([CORE], [], torch=ABSENT),
        both([], [], torch=ABSENT),
        both([], [CORE], "/usr/lib/python3/dist-packages", torch=ABSENT),
        both([], [CORE], torch=ABSENT, pci={"functions": {}, "nvidia_gpus": []}),
    ],
    ids=["cpu-build-alone", "gpu-build-came-last", "same-files", "two-folders", "no-gpu"],
)
def test_clear_where_the_gpu_build_is_whole_or_not_wanted(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_on_another_provider() -> None:
    assert judge(FAULT, text(LINE.replace("CUDA", "Tensorrt"))).findings == ()


def test_claims_nothing_when_the_distributions_are_unread() -> None:
    verdict = judge(FAULT, recording("h200-healthy", python={"distributions": ...}))

    assert verdict.outcome is Outcome.SKIPPED
