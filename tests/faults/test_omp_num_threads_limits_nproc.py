"""omp-num-threads-limits-nproc"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "omp-num-threads-limits-nproc"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ nproc",
            "1",
            "$ echo $OMP_NUM_THREADS",
            "1",
            "# lscpu lists 64 CPUs",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: builds in the image use one core because nproc honours OMP_NUM_THREADS"),),
    ),
    (Certainty.POSSIBLE, ("# note: 容器里 nproc 只有 1，后来发现环境变量 OMP_NUM_THREADS=1",)),
    (
        Certainty.POSSIBLE,
        (
            ("$ srun --cpus-per-task 16 --container-image nvcr.io/nvidia/pytorch:24.05-py3 bash -c nproc"),
            "# nproc is 1",
        ),
    ),
)
OTHERS = (
    (
        "$ torchrun --nproc_per_node 8 train.py",
        ("Setting OMP_NUM_THREADS environment variable for each process to be 1 in default"),
    ),
    (
        "$ nproc",
        "64",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_nproc_under_the_variable(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_limits(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
