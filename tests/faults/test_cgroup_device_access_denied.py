"""cgroup-device-access-denied"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cgroup-device-access-denied"
DOCKER = {"state": "read", "engine": "docker", "injected": []}


def nodes(result: str, *paths: str, **row: Any) -> dict[str, Any]:
    return {"nodes": {path: row | {"open_rw": result} for path in paths}}


@pytest.mark.parametrize("path", ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"])
def test_fires_on_eperm(path: str) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nodes=nodes("EPERM", path), container=DOCKER)).findings

    assert (finding.subject, finding.variant) == (f"node:{path}", None)
    assert ("container.engine", "docker") in [(e.path, e.value) for e in finding.evidence]


def test_fires_as_nodev_when_the_mount_refuses_every_device() -> None:
    refused = nodes("EACCES", "/dev/nvidiactl", nodev=True)

    [finding] = judge(FAULT, recording("h200-healthy", nodes=refused)).findings

    assert (finding.variant, finding.certainty) == ("mount-nodev", Certainty.CERTAIN)


def test_fires_as_nodev_for_root_whatever_the_mode() -> None:
    refused = nodes("EACCES", "/dev/nvidiactl", nodev=True, mode="0600")
    root = {"uid": 0, "gid": 0, "name": "root", "groups": {"root": 0}}

    [finding] = judge(FAULT, recording("h200-healthy", nodes=refused, user=root)).findings

    assert finding.variant == "mount-nodev"


def test_fires_without_certainty_when_only_a_security_module_is_left() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nodes=nodes("EACCES", "/dev/nvidiactl"))).findings

    assert (finding.variant, finding.certainty) == ("security-module", Certainty.LIKELY)


@pytest.mark.parametrize(
    "changed",
    [
        nodes("ok", "/dev/nvidia0"),
        nodes("ok", "/dev/nvidia0", nodev=True),
        nodes("EPERM", "/dev/nvidia-uvm-tools"),
        nodes("EACCES", "/dev/nvidiactl", mode="0600"),
        nodes("EACCES", "/dev/nvidiactl", mode="0600", nodev=True),
        nodes("EPERM", "/dev/nvidia1", exists=True, mode="0666", owner=0, group=0),
    ],
    ids=[
        "healthy",
        "nodev but opens",
        "tools",
        "mode excludes",
        "mode and nodev",
        "other GPU of a Slurm node",
    ],
)
def test_clear_when_nothing_but_the_mode_or_the_allotment_refuses(changed: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", nodes=changed)).outcome is Outcome.CLEAR


def test_claims_nothing_when_no_open_was_tried() -> None:
    unread = {"nodes": {"/dev/nvidiactl": {"open_rw": ...}}}

    assert judge(FAULT, recording("h200-healthy", nodes=unread)).outcome is Outcome.SKIPPED


def test_fires_when_the_container_could_not_be_told() -> None:
    refused = {"nodes": {"/dev/nvidiactl": {"open_rw": "EPERM"}}}
    snapshot = recording("h200-healthy", nodes=refused, container={"state": "error"})

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


SAID = (
    (
        "Failed to initialize NVML: Unknown Error",
        "# note: the lxc config has mounts of /dev/nvidia* but no lxc.cgroup2.devices.allow lines",
        "container: LXC on Proxmox",
    ),
    (
        'open("/dev/nvidiactl", O_RDWR) = -1 EPERM (Operation not permitted)',
        "# note: nodes bind-mounted with -v /dev:/dev",
    ),
    (
        (
            "# note: /dev/nvidia* are bind mounted and world writable, still Operation not "
            "permitted inside; --privileged works"
        ),
        "container: docker",
    ),
)
NEAR = (
    "Failed to initialize NVML: Unknown Error",
    "# note: after a few hours, --privileged was never tried",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
