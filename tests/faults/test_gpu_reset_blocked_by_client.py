"""gpu-reset-blocked-by-client"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-reset-blocked-by-client"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("  GPU 00000000:1B:00.0: In use by another client", Certainty.CERTAIN),
        ("1 device is currently being used by one or more other processes", Certainty.CERTAIN),
        ("Could not unload NVIDIA driver kernel modules, driver is in use", Certainty.CERTAIN),
        ("modprobe: FATAL: Module nvidia_uvm is in use.", Certainty.LIKELY),
    ],
)
def test_fires_when_somebody_holds_the_gpu(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "GPU 00000000:1B:00.0 was successfully reset.",
        "modprobe: FATAL: Module nvidia not found",
    ],
)
def test_clear_after_a_reset(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "$ nvidia-smi -i 0 -mig 1",
        ("Warning: MIG mode is in pending enable state for GPU 00000000:07:00.0:In use by another client"),
        "gpu: A100",
    ),
    (
        "rmmod: ERROR: Module nvidia is in use by: nvidia_uvm nvidia_modeset",
        "# note: operator wants to update the driver",
    ),
    (
        (
            "# note: driver pod restarts in a loop: it cannot unload the nvidia module "
            "because nvidia-persistenced still holds the device"
        ),
        "k8s: OpenShift",
    ),
)
NEAR = (
    "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
    "# note: another process holds the GPU",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
