"""cpu-thread-oversubscription"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

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
