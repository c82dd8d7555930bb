"""operator-driver-conflicts-with-host-driver"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "operator-driver-conflicts-with-host-driver"
SHOWS = (
    (
        "Stopping NVIDIA persistence daemon...",
        "Could not unload NVIDIA driver kernel modules, driver is in use",
    ),
    ("nvidia driver module is already loaded with refcount 12",),
    (
        "nvidia-driver-daemonset-x2z7p   0/1   CrashLoopBackOff",
        "# note: the host already has driver 550 from apt",
    ),
    ("# note: gpu-operator 的驱动容器起不来，节点镜像里预装了驱动",),
)
OTHERS = (
    (
        "nvidia-driver-daemonset-x2z7p 0/1 CrashLoopBackOff",
        "# note: dmesg is full of nouveau, host has no other driver installed",
    ),
    ("An NVIDIA kernel module 'nvidia-drm' appears to already be loaded in your kernel.",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_two_drivers_for_one_node(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_driver_container_with_other_troubles(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
