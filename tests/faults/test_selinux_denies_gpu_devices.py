"""selinux-denies-gpu-devices"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "selinux-denies-gpu-devices"
DENIED = (
    'type=AVC msg=audit(1700000000.000:7): avc:  denied  { read write } for  pid=9 comm="python3" '
    'name="nvidiactl" dev="devtmpfs" ino=5 scontext=system_u:system_r:container_t:s0:c1,c2 '
    "tcontext=system_u:object_r:device_t:s0 tclass=chr_file permissive=0"
)


@pytest.mark.parametrize(
    "line",
    [
        DENIED,
        DENIED.replace(" permissive=0", ""),
        DENIED.replace('name="nvidiactl"', 'path="/dev/nvidia-uvm"'),
        DENIED.replace("nvidiactl", "nvidia3"),
    ],
)
def test_fires_on_a_denial_of_a_gpu_node(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is Certainty.CERTAIN


def test_fires_as_a_possibility_on_the_words_of_nvml() -> None:
    [finding] = judge(FAULT, text("Failed to initialize NVML: Insufficient Permissions")).findings

    assert finding.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    "line",
    [
        DENIED.replace("permissive=0", "permissive=1"),
        DENIED.replace("nvidiactl", "kvm"),
        DENIED.replace("tclass=chr_file", "tclass=file").replace("nvidiactl", "nvidia0"),
    ],
    ids=["permissive", "other device", "no device"],
)
def test_clear_when_no_gpu_node_was_denied(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "Failed to initialize NVML: Insufficient Permissions",
        "# note: podman; with --security-opt label=disable it works",
        "os: Fedora 39",
    ),
    (
        ("# note: nvidia-smi in the container: Insufficient Permissions, setenforce 0 makes it work"),
        "container: podman",
        "os: RHEL 9",
    ),
    (
        (
            "type=AVC msg=audit(1690000000.1:20): avc:  denied  { read write } for  pid=99 "
            'comm="python" name="nvidiactl" dev="devtmpfs" ino=4 '
            "scontext=system_u:system_r:container_t:s0 "
            "tcontext=system_u:object_r:xserver_misc_device_t:s0 tclass=chr_file permissive=0"
        ),
        "os: RHEL 8",
    ),
)
NEAR = (
    "Failed to initialize NVML: Unknown Error",
    "$ getenforce",
    "Permissive",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
