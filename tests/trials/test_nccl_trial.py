"""Collectives, run for real by two workers over gloo on the processor."""

from pathlib import Path

import pytest

from codeblue.diagnose.measures import measures
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot, View
from tests.conftest import judge, thorough
from tests.trials.running import changed_torch, needs_torch, tried

pytestmark = needs_torch

OPERATIONS = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast"}

SLOW_RANK = """
import time
dist = module.distributed
real = dist.all_reduce
def all_reduce(*arguments, **named):
    if dist.get_rank() == 1:
        time.sleep(0.5)
    return real(*arguments, **named)
dist.all_reduce = all_reduce
"""
"""Rank 1 is late with each all_reduce that it hands in."""

SLOW_COMPUTING = """
import time
dist = module.distributed
mm, all_reduce, due = module.mm, dist.all_reduce, []
def late(*arguments, **named):
    if due and dist.get_rank() == 0:
        time.sleep(0.5)
    due.clear()
    return mm(*arguments, **named)
def next_round(*arguments, **named):
    due.append(True)
    return all_reduce(*arguments, **named)
module.mm, dist.all_reduce = late, next_round
"""
"""Rank 0 takes long for the first product after each all_reduce."""

SPOILT = """
dist = module.distributed
real = dist.all_reduce
def all_reduce(tensor, *arguments, **named):
    result = real(tensor, *arguments, **named)
    if tensor.numel() > 1000 and dist.get_rank() == 1:
        tensor[7] += 1
    return result
dist.all_reduce = all_reduce
"""
"""One value of each larger result is off by one on rank 1."""

FAILING = """
dist = module.distributed
def broadcast(*arguments, **named):
    if dist.get_rank() == 1:
        raise RuntimeError("this rank cannot")
    return real(*arguments, **named)
real, dist.broadcast = dist.broadcast, broadcast
"""
CRASHING = """
import os, signal
dist = module.distributed
real = dist.broadcast
def broadcast(*arguments, **named):
    if dist.get_rank() == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    return real(*arguments, **named)
dist.broadcast = broadcast
"""


def outcome(fault: str, view: View) -> Outcome:
    return judge(fault, Snapshot(views=[view])).outcome


@pytest.fixture(scope="module")
def view() -> View:
    return tried("nccl")


def test_all_operations_are_right_on_both_ranks(view: View) -> None:
    rows = view.nccl_trial.devices

    assert {row.rank for row in rows.values()} == {0, 1}
    for row in rows.values():
        assert (row.error, row.world, row.backend) == (None, 2, "gloo")
        assert set(row.collectives) == OPERATIONS
        assert all(one.wrong == 0 for sizes in row.collectives.values() for one in sizes.values())


def test_bus_bandwidth_is_that_of_nccl_tests(view: View) -> None:
    """For two ranks: all_reduce 2(n-1)/n = 1, broadcast 1, the others (n-1)/n = 1/2."""
    found = view.nccl_trial.devices["0"].collectives

    for name, factor in {"all_reduce": 1, "broadcast": 1}.items() | dict.fromkeys(
        OPERATIONS - {"all_reduce", "broadcast"}, 0.5
    ).items():
        for size, one in found[name].items():
            assert one.algbw == pytest.approx(int(size) / one.seconds / 1e9, rel=1e-4)
            assert one.busbw == pytest.approx(one.algbw * factor, rel=1e-4)


def test_both_ranks_tell_the_same_speeds(view: View) -> None:
    first, second = (row.collectives["all_gather"] for row in view.nccl_trial.devices.values())

    assert {size: one.busbw for size, one in first.items()} == {
        size: one.busbw for size, one in second.items()
    }


def test_measures_name_the_largest_message(view: View) -> None:
    found = {one.key: one for one in measures(view)}

    assert found["all_reduce-busbw"].name.values["size"] == "4 MiB"
    assert found["all_reduce-busbw"].ceiling is None


def test_nothing_is_found_on_healthy_ranks(view: View) -> None:
    for fault in ("straggler-rank", "collective-results-wrong", "nccl-falls-back-to-socket"):
        assert outcome(fault, view) is Outcome.CLEAR


def test_a_rank_that_hands_in_late_is_named(tmp_path: Path) -> None:
    view = tried("nccl", environment=changed_torch(tmp_path, SLOW_RANK), options={"nccl": {"seconds": 3}})
    [finding] = judge("straggler-rank", Snapshot(views=[view])).findings

    assert (finding.subject, finding.variant) == ("rank:1", "host")


@thorough
def test_a_rank_that_computes_slowly_is_named(tmp_path: Path) -> None:
    slow = changed_torch(tmp_path, SLOW_COMPUTING)
    view = tried("nccl", environment=slow, options={"nccl": {"seconds": 2}})
    [finding] = judge("straggler-rank", Snapshot(views=[view])).findings

    assert (finding.subject, finding.variant) == ("rank:0", "compute")


def test_one_wrong_value_is_seen(tmp_path: Path) -> None:
    view = tried("nccl", environment=changed_torch(tmp_path, SPOILT))
    [finding] = judge("collective-results-wrong", Snapshot(views=[view])).findings

    assert finding.variant == "all_reduce"
    assert finding.summary.values["rank"] == "1"
    assert all(one.wrong == 0 for one in view.nccl_trial.devices["0"].collectives["all_reduce"].values())


@thorough
def test_a_rank_that_fails_ends_the_trial_of_all(tmp_path: Path) -> None:
    rows = tried("nccl", environment=changed_torch(tmp_path, FAILING)).nccl_trial.devices

    assert rows["1"].error == "RuntimeError: this rank cannot"
    assert rows["0"].error == "it waited in vain for another rank, which failed"
    assert rows["0"].at.startswith("broadcast")


@thorough
def test_a_rank_that_crashes_ends_the_trial_of_all(tmp_path: Path) -> None:
    view = tried("nccl", "gpu", environment=changed_torch(tmp_path, CRASHING))
    rows = view.nccl_trial.devices

    assert rows["1"].error == "the worker was ended by signal 11"
    assert rows["0"].error is not None
    assert view.gpu_trial.devices["0"].error is None


@thorough
def test_a_second_run_with_a_changed_variable() -> None:
    trial = tried("nccl", changed={"nccl": {"GLOO_SOCKET_IFNAME": "lo", "GLOO_LOG": None}}).nccl_trial

    assert trial.again.changed == {"GLOO_SOCKET_IFNAME": "lo", "GLOO_LOG": None}
    assert all(set(row.collectives) == OPERATIONS for row in trial.again.devices.values())
    assert trial.devices["0"].collectives != trial.again.devices["0"].collectives


@thorough
def test_an_interface_that_does_not_exist_fails_in_bounded_time() -> None:
    rows = tried("nccl", environment={"GLOO_SOCKET_IFNAME": "nosuch0"}).nccl_trial.devices

    assert all("nosuch0" in (row.error or "") for row in rows.values())
