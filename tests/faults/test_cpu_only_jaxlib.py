"""cpu-only-jaxlib"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text

FAULT = "cpu-only-jaxlib"
NO_PLUGIN = {"jax-cuda13-plugin": ..., "jax-cuda13-pjrt": ...}
ALONE = NO_PLUGIN | {"cupy-cuda13x": ...}
ABSENT = {"state": "absent"}


def jax(distributions: dict[str, Any], **changes: Any) -> Snapshot:
    return recording("h200-healthy", python={"distributions": distributions}, **changes)


def test_fires_where_jax_is_the_only_framework() -> None:
    [finding] = judge(FAULT, jax(ALONE, torch=ABSENT)).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)
    assert finding.evidence[0].value == "0.11.2"


def test_fires_as_a_risk_beside_torch_and_as_trouble_once_jax_complained() -> None:
    [quiet] = judge(FAULT, jax(NO_PLUGIN)).findings
    words = text("An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed.")
    [told] = judge(FAULT, joined(jax(NO_PLUGIN), words)).findings

    assert (quiet.kind, told.kind) == (Kind.RISK, Kind.TROUBLE)


@pytest.mark.parametrize(
    "snapshot",
    [
        recording("h200-healthy", torch=ABSENT),
        jax(ALONE, torch=ABSENT, pci={"functions": {}, "nvidia_gpus": []}),
        jax(ALONE, torch=ABSENT, container={"state": "read", "engine": "docker"}, nodes=ABSENT),
        jax(ALONE, torch=ABSENT, environment={"variables": {"JAX_PLATFORMS": "cpu"}}),
        jax(ALONE, torch=ABSENT, environment={"variables": {"CUDA_VISIBLE_DEVICES": ""}}),
        jax(ALONE | {"jaxlib": {"version": "0.4.25+cuda12.cudnn89"}}, torch=ABSENT),
        jax(ALONE | {"jaxlib": {"installer": "conda"}}, torch=ABSENT),
        jax(ALONE | {"jaxlib": ..., "jax": ...}, torch=ABSENT),
    ],
    ids=["plugin", "no-gpu", "no-gpu-given", "cpu-asked", "hidden", "old-cuda", "conda", "no-jax"],
)
def test_clear_where_no_cuda_backend_is_missing(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "W xla_bridge.py:795] An NVIDIA GPU may be present on this machine, but a "
                "CUDA-enabled jaxlib is not installed. Falling back to cpu."
            ),
            Certainty.CERTAIN,
        ),
        ("WARNING:absl:No GPU/TPU found, falling back to CPU.", Certainty.POSSIBLE),
        (
            (
                "RuntimeError: Unknown backend: 'gpu' requested, but no platforms that are "
                "instances of gpu are present."
            ),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_when_the_cuda_backend_is_missing(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("INFO: Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so"),
        "[CudaDevice(id=0)]",
    ],
)
def test_clear_on_other_backends(line: str) -> None:
    assert judge(FAULT, text(line)).findings == ()


def test_claims_nothing_when_the_distributions_are_unread() -> None:
    snapshot = recording("h200-healthy", python={"distributions": ...})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
