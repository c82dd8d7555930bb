"""node-disk-pressure"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "node-disk-pressure"
SHOWS = (
    (
        (
            "0/2 nodes are available: 1 node(s) had untolerated taint "
            "{node.kubernetes.io/disk-pressure: }, 1 Insufficient nvidia.com/gpu."
        ),
    ),
    (("DiskPressure     True    Tue, 10 Nov 2026   KubeletHasDiskPressure   kubelet has disk pressure"),),
    ("The node was low on resource: ephemeral-storage. Container main was using 40Gi",),
    ("# note: pods get evicted, /var/lib/docker is 96% full of old images",),
    ("# note: 节点磁盘压力，旧镜像把系统盘占满了，pod 被驱逐",),
)
OTHERS = (
    (
        "  DiskPressure     False   Tue, 10 Nov 2026   KubeletHasNoDiskPressure",
        "# note: evicted; image disk 90% full",
    ),
    ("The node was low on resource: memory.",),
    ("OSError: [Errno 28] No space left on device",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_disk_beyond_its_threshold(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_healthy_disks_and_memory(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
