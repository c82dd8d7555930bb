"""nvidia-not-default-runtime-for-kubelet"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nvidia-not-default-runtime-for-kubelet"
SHOWS = (
    (
        "E1101 main.go:132] Incompatible strategy detected auto",
        ("E1101 main.go:133] If this is a GPU node, did you configure the NVIDIA Container Toolkit?"),
    ),
    (('Failed to create pod sandbox: failed to get sandbox runtime: no runtime for "nvidia" is configured'),),
    (
        "Allocatable:",
        "  nvidia.com/gpu:  0",
        "# docker run --gpus all works on the same node; kubelet uses containerd with runc",
    ),
    ("# note: k3s 里 pod 没写 runtimeClassName，容器里没有 libcuda",),
    (("# note: device plugin daemonset sees no GPU; default-runtime in the engine was still runc"),),
)
OTHERS = (
    (
        "  nvidia.com/gpu:  0",
        "# note: XidCriticalError, the plugin marks it unhealthy on containerd",
    ),
    (
        "nvidia-smi works",
        "# note: docker run --gpus all fails, default runtime unknown",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_plugin_without_the_driver(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_gpus_lost_for_other_reasons(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "device-plugin: No devices found. Waiting indefinitely.",
            "$ nvidia-smi mig -lgi",
            "No GPU instances found: Not Found",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
