"""jax-plugin-version-mismatch"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import joined, judge, recording, text

FAULT = "jax-plugin-version-mismatch"
ABSENT = {"state": "absent"}
LINE = (
    "RuntimeWarning: JAX plugin jax_cuda13_plugin version 0.11.1 is installed, but it is not compatible "
    "with the installed jaxlib version 0.11.2, so it will not be used."
)


def plugin(version: str, beside: dict[str, Any] | None = None, **changes: Any) -> Snapshot:
    distributions = {"jax-cuda13-plugin": {"version": version}, "cupy-cuda13x": ...} | (beside or {})
    return recording("h200-healthy", python={"distributions": distributions}, **changes)


def test_fires_where_jax_is_the_only_framework() -> None:
    [finding] = judge(FAULT, plugin("0.11.1", torch=ABSENT)).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["requirement"] == "jax[cuda13]==0.11.2"


def test_fires_as_a_risk_beside_torch() -> None:
    [finding] = judge(FAULT, plugin("0.11.1")).findings

    assert finding.kind is Kind.RISK


def test_fires_on_the_warning_and_explains_the_fall_to_the_cpu() -> None:
    words = text(
        LINE, "An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed."
    )

    [cause] = diagnose(joined(plugin("0.11.1"), words)).causes

    assert (cause.finding.fault, cause.others) == (FAULT, ("cpu-only-jaxlib",))
    assert cause.finding.certainty is Certainty.CERTAIN


@pytest.mark.parametrize(
    "snapshot",
    [
        recording("h200-healthy", torch=ABSENT),
        plugin("0.11.2.dev20261130", torch=ABSENT),
        plugin("0.11.2.0", torch=ABSENT),
        plugin("unknown", torch=ABSENT),
        plugin("0.11.1", {"jax-cuda12-plugin": {"version": "0.11.2"}}, torch=ABSENT),
        plugin("0.11.1", {"jaxlib": ...}, torch=ABSENT),
        plugin("0.11.1", torch=ABSENT, pci={"functions": {}, "nvidia_gpus": []}),
        plugin("0.11.1", torch=ABSENT, environment={"variables": {"JAX_PLATFORMS": "cpu"}}),
    ],
    ids=["same", "preview", "zero", "unknown", "another-fits", "no-jaxlib", "no-gpu", "cpu-asked"],
)
def test_clear_where_the_plugin_fits_or_is_not_needed(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_on_a_plugin_for_other_hardware() -> None:
    assert judge(FAULT, text(LINE.replace("cuda13", "metal"))).findings == ()


def test_claims_nothing_when_the_distributions_are_unread() -> None:
    verdict = judge(FAULT, recording("h200-healthy", python={"distributions": ...}))

    assert verdict.outcome is Outcome.SKIPPED
