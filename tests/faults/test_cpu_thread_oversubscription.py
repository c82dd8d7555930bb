"""cpu-thread-oversubscription"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.feeding import tried

FAULT = "cpu-thread-oversubscription"
TEXTS = (
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: every data loader worker starts 96 threads, the load average is 900 and "
                "the GPUs are idle, very slow"
            ),
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "$ OMP_NUM_THREADS=4 python train.py",
            "# this solved it, before the CPU was at 100 % and each step was slow",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 每个进程开的线程数太多，CPU 负载很高，训练很慢",)),
    (
        Certainty.LIKELY,
        (
            "load average: 812.10, 790.33, 600.01",
            "# with OMP_NUM_THREADS=2 -> 9 it/s, without 1 it/s",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "$ grep Threads /proc/4711/status",
            "Threads:        513",
            "torch.set_num_threads(4) brings step_time from 2.1 to 0.3",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 每个 rank 启动 96 个线程，GPU 利用率只有一成",)),
)
OTHERS = (
    (
        "RuntimeError: can't start new thread",
        "# each worker starts 96 threads, slow",
    ),
    ("# note: the training is slow, GPU utilisation is low",),
    (("Setting OMP_NUM_THREADS environment variable for each process to be 1 in default"),),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_too_many_threads(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_slowness(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "load average: 812.3, 790.1",
            "data_time 2.1 step_time 0.2",
            "# note: 16 workers, 64 cores; with OMP_NUM_THREADS=1 data_time is 0.05",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize("lines", [("load average: 2.3, 2.1", "data_time 2.1", "OMP_NUM_THREADS=1")])
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings


def test_fires_as_a_risk_when_a_quota_leaves_less_than_the_threads_need() -> None:
    quota = {"quota": 4.0, "quota_source": "/sys/fs/cgroup/cpu.max"}

    [finding] = judge(FAULT, tried(quota)).findings

    assert (finding.subject, finding.kind) == ("cpus", Kind.RISK)
    assert [e.value for e in finding.evidence] == [64, 8, 900.0, 9000.0]


def test_fires_as_a_risk_when_a_variable_asks_for_too_many() -> None:
    assert judge(FAULT, tried({"variables": {"OMP_NUM_THREADS": "64"}})).findings


def test_clear_on_what_every_machine_does_by_itself_or_what_costs_nothing() -> None:
    asked = {"variables": {"OMP_NUM_THREADS": "64"}}

    assert not judge(FAULT, tried()).findings
    assert not judge(FAULT, tried(asked, crowd={"per_second_single": 1000.0})).findings
    assert not judge(FAULT, tried(asked, small=True)).findings
