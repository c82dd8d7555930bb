"""nccl-slower-than-nvlink"""

from typing import Any

import pytest
from msgspec import structs

from codeblue.model.facts import CollectiveTest, CollectiveTests, RankGpu, Transfer
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text
from tests.faults.collectives import NVLINKED, OVER_PCIE, ran

FAULT = "nccl-slower-than-nvlink"
LARGE = 1 << 28


def run(
    speed: float, gpu: str = "NVIDIA H200", machines: tuple[int, ...] = (0, 0), **changes: Any
) -> CollectiveTest:
    gpus = {
        str(rank): RankGpu(machine=machine, device=rank, name=gpu) for rank, machine in enumerate(machines)
    }
    transfer = Transfer(size_bytes=LARGE, reduction="sum", bus_bandwidth=speed, wrong=0)
    test = CollectiveTest(program="all_reduce_perf", gpus=gpus, transfers=[transfer], wrong=0, average=speed)
    return structs.replace(test, **changes)


def told(*tests: CollectiveTest, tuned: tuple[str, ...] = ()) -> Snapshot:
    [view] = text("").views
    section = CollectiveTests(tests=list(tests), tuned=list(tuned), source="out.txt:1")
    return Snapshot(views=[structs.replace(view, collective_tests=section)])


def outcome(*tests: CollectiveTest, tuned: tuple[str, ...] = ()) -> Outcome:
    return judge(FAULT, told(*tests, tuned=tuned)).outcome


@pytest.mark.parametrize("speed", [29.0, 3.4])
def test_fires_on_what_two_h200_reach_over_shared_memory_and_sockets(speed: float) -> None:
    [finding] = judge(FAULT, told(run(speed))).findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.summary.values == {
        "count": "2",
        "gpu": "NVIDIA H200",
        "speed": f"{speed:g}",
        "links": "450",
    }


@pytest.mark.parametrize(
    ("gpu", "speed"), [("NVIDIA H100 80GB HBM3", 40.0), ("A100-SXM4-40GB", 20.0), ("NVIDIA B200", 60.0)]
)
def test_fires_on_other_boards_that_are_joined_by_nvlink(gpu: str, speed: float) -> None:
    assert outcome(run(speed, gpu, (0,) * 8)) is Outcome.FIRED


@pytest.mark.parametrize(("gpu", "speed"), [("NVIDIA H200", 312.0), ("NVIDIA A100-SXM4-80GB", 82.0)])
def test_clear_over_nvlink_also_where_a_pair_has_a_third_of_the_links(gpu: str, speed: float) -> None:
    assert outcome(run(speed, gpu)) is Outcome.CLEAR


def test_clear_for_several_machines() -> None:
    assert outcome(run(29.0, machines=(0, 1))) is Outcome.CLEAR


@pytest.mark.parametrize(
    "gpu",
    [
        "NVIDIA H100 NVL",
        "NVIDIA A100 80GB PCIe",
        "Tesla V100-SXM2-16GB",
        "NVIDIA GeForce RTX 4090",
        "NVIDIA L40S",
        "NVIDIA H200 MIG 1g.18gb",
    ],
)
def test_clear_where_the_name_promises_no_nvlink_between_all(gpu: str) -> None:
    assert outcome(run(12.0, gpu)) is Outcome.CLEAR


def test_clear_for_small_messages_one_gpu_and_ranks_that_share_a_gpu() -> None:
    small = Transfer(size_bytes=1 << 20, reduction="sum", bus_bandwidth=12.0, wrong=0)
    same = {str(rank): RankGpu(machine=0, device=0, name="NVIDIA H200") for rank in range(2)}

    assert outcome(run(12.0, transfers=[small])) is Outcome.CLEAR
    assert outcome(run(12.0, machines=(0,))) is Outcome.CLEAR
    assert outcome(run(12.0, gpus=same)) is Outcome.CLEAR


def test_clear_for_operations_whose_number_says_nothing_of_the_links() -> None:
    moved = Transfer(size_bytes=LARGE, reduction=None, bus_bandwidth=12.0, wrong=0)

    assert outcome(run(12.0, program="sendrecv_perf", transfers=[moved])) is Outcome.CLEAR
    assert outcome(run(12.0, program="all_gather_perf", transfers=[moved])) is Outcome.FIRED


def test_clear_if_the_run_was_slowed_on_purpose_or_another_one_is_fast() -> None:
    assert outcome(run(12.0), tuned=("NCCL_MAX_NCHANNELS",)) is Outcome.CLEAR
    assert outcome(run(12.0), run(312.0)) is Outcome.CLEAR


def test_claims_nothing_when_no_test_was_read() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
    assert judge(FAULT, text("train.py: epoch 1")).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    ("speed", "way", "variant"),
    [(29.0, "SHM/direct/direct", "shm"), (3.4, "NET/Socket", "net"), (29.0, None, None)],
)
def test_fires_on_a_trial_that_took_a_slow_way(speed: float, way: str | None, variant: str | None) -> None:
    [finding] = judge(FAULT, ran(speed, way, fabric=NVLINKED)).findings

    assert (finding.variant, finding.subject) == (variant, "gpus")
    assert finding.certainty is (Certainty.CERTAIN if way else Certainty.LIKELY)
    assert finding.summary.values["speed"] == f"{speed:g}"
    assert finding.summary.values["links"] == "450"


def test_says_in_words_which_way_it_took() -> None:
    [finding] = judge(FAULT, ran(29.0, "SHM/direct/direct")).findings

    assert "reaches 29 GB/s through shared memory; NVLink carries 450" in finding.summary.say("en")
    assert "经共享内存" in finding.summary.say("zh")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"speed": 60.0},
        {"speed": 29.0, "gpu": "NVIDIA L40S"},
        {"speed": 29.0, "hosts": ("host-a", "host-b")},
        {"speed": 29.0, "variables": {"NCCL_MAX_NCHANNELS": "2"}},
        {"speed": 29.0, "fabric": OVER_PCIE},
        {"speed": 2.0, "size": str(1 << 20)},
        {"speed": 0.5, "gpu": None},
        {"speed": None},
    ],
    ids=[
        "NVLink",
        "part of the links",
        "no NVLink",
        "two hosts",
        "held to two channels",
        "links not given",
        "small messages",
        "processors",
        "not measured",
    ],
)
def test_clear_on_trials_that_do_what_they_can(settings: dict[str, Any]) -> None:
    assert judge(FAULT, ran(**settings)).outcome is not Outcome.FIRED
