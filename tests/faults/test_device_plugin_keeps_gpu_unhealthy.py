"""device-plugin-keeps-gpu-unhealthy"""

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "device-plugin-keeps-gpu-unhealthy"
SHOWS = (
    ("XidCriticalError: Xid=94 on Device=GPU-1234; marking device as unhealthy.",),
    ("'nvidia.com/gpu' device marked unhealthy: GPU-1234",),
    (("# note: plugin says the gpu is unhealthy; after I restart the device plugin it is healthy again"),),
    ("# note: 出过一次 Xid 之后设备插件一直认为显卡不健康，重启插件才恢复",),
)
OTHERS = (
    ("NVRM: Xid (PCI:0000:3b:00): 94, pid=1, name=python",),
    ("Readiness probe failed: pod unhealthy, restarting",),
    (
        "Allocatable: nvidia.com/gpu: 8",
        "# all healthy",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_gpu_that_is_never_taken_back(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_claims_nothing_on_other_words_on_health(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.SKIPPED


def told(allocatable: dict[str, int], capacity: dict[str, int]) -> Snapshot:
    section = {"state": "read", "allocatable": allocatable, "capacity": capacity}
    return recording("h200-healthy", kubernetes_node=section)


@pytest.mark.parametrize(
    ("allocatable", "words", "path"),
    [
        (
            {"nvidia.com/gpu": 7},
            "of 8 nvidia.com/gpu the device plugin calls 1 unhealthy",
            "[nvidia.com/gpu]",
        ),
        ({"nvidia.com/gpu": 0}, "calls all 8 nvidia.com/gpu unhealthy, or has stopped", "[nvidia.com/gpu]"),
        ({}, "calls all 8 nvidia.com/gpu unhealthy, or has stopped", ""),
    ],
)
def test_fires_where_the_cluster_tells_that_gpus_were_withdrawn(
    allocatable: dict[str, int], words: str, path: str
) -> None:
    [finding] = judge(FAULT, told(allocatable, {"nvidia.com/gpu": 8})).findings

    assert words in finding.summary.say("en")
    assert [e.path for e in finding.evidence] == [
        "kubernetes_node.capacity[nvidia.com/gpu]",
        f"kubernetes_node.allocatable{path}",
    ]


@pytest.mark.parametrize("count", [0, 8])
def test_clear_where_all_that_is_announced_can_be_had(count: int) -> None:
    counts = {"nvidia.com/gpu": count}

    assert judge(FAULT, told(counts, counts)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
