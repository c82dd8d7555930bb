"""torch-not-installed"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

NO_TORCH = {"torch": {"state": "absent"}, "torch_trial": {"state": "absent"}}
IN_CONTAINER = {"state": "read", "engine": "docker", "injected": []}


OTHERS = dict.fromkeys(("jax", "jaxlib", "cupy-cuda13x", "onnxruntime"), ...)
"""What the recorded environment also has; with one of these nobody misses torch."""


def bare(**changes: object) -> Snapshot:
    python = {"distributions": {"torch": ..., "torchvision": ...} | OTHERS} | dict(
        changes.pop("python", {}) or {}
    )  # type: ignore[call-overload]
    return recording("h200-healthy", python=python, **NO_TORCH, **changes)


def test_fires_when_a_gpu_waits_for_an_interpreter_without_torch() -> None:
    [finding] = judge("torch-not-installed", bare()).findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"python": "/opt/torch/.venv/bin/python3", "requirement": "torch"}


def test_fires_and_names_the_interpreter_that_has_torch() -> None:
    snapshot = bare(python={"environment": "system", "other_torches": ["/srv/env/bin/python"]})

    [finding] = judge("torch-not-installed", snapshot).findings

    assert finding.certainty is Certainty.LIKELY
    assert "/srv/env/bin/python" in finding.summary.say("zh")


def test_fires_when_only_a_folder_without_code_is_called_torch() -> None:
    folder = {"namespace_only": True, "location": "/job/torch", "version": ..., "cuda": ..., "hip": ...}
    python = {"distributions": {"torch": ...} | OTHERS, "shadows": {"torch": "./torch"}}

    [finding] = judge("torch-not-installed", recording("h200-healthy", torch=folder, python=python)).findings

    assert "torch.namespace_only" in [e.path for e in finding.evidence]


def test_fires_only_as_possible_for_the_python_of_a_bare_host() -> None:
    [finding] = judge("torch-not-installed", bare(python={"environment": "system"})).findings

    assert finding.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    "line", ["ModuleNotFoundError: No module named 'torch'", "ImportError: No module named torch"]
)
def test_fires_on_the_words_of_python(line: str) -> None:
    assert judge("torch-not-installed", text(line)).outcome is Outcome.FIRED


def test_clear_on_a_module_inside_torch() -> None:
    other = "ModuleNotFoundError: No module named 'torch.nn.parallel.old'"

    assert judge("torch-not-installed", text(other)).outcome is not Outcome.FIRED
    assert judge("torch-not-installed", recording("h200-healthy")).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "changes",
    [
        {"pci": {"functions": {}, "nvidia_gpus": []}},
        {"python": {"distributions": OTHERS | {"torch": ..., "jax": {"version": "0.9"}}}},
        {"python": {"distributions": OTHERS | {"torch": ..., "cupy-cuda13x": {"version": "14"}}}},
        {"container": IN_CONTAINER, "nodes": {"state": "absent"}},
    ],
    ids=["no-gpu", "jax", "cupy", "container-without-gpu"],
)
def test_clear_where_nothing_expects_torch(changes: dict[str, object]) -> None:
    assert judge("torch-not-installed", bare(**changes)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_interpreter_was_not_read() -> None:
    snapshot = recording("h200-healthy", **NO_TORCH, python={"state": "timeout"})

    verdict = judge("torch-not-installed", snapshot)

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python: timeout")
