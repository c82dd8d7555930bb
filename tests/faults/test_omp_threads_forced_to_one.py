"""omp-threads-forced-to-one"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.feeding import tried

FAULT = "omp-threads-forced-to-one"
SAID = (
    (
        "$ srun --cpus-per-task=32 --container-image=nvcr.io#nvidia/pytorch:24.02-py3 env | grep OMP",
        "OMP_NUM_THREADS=1",
        "# note: nobody sets this in the job",
    ),
    ("# note: enroot 的 hook 给每个 PyTorch 容器都设置了 OMP_NUM_THREADS=1，数据预处理很慢",),
    (
        (
            "# preprocessing uses one core of 64 in the container, OMP_NUM_THREADS is 1 although neither "
            "image nor script sets it (a runtime hook does)"
        ),
    ),
    (
        "srun: pyxis container",
        "OMP_NUM_THREADS=1",
        "# comes from /etc/enroot/hooks.d, 16 cores were asked for and the loader is single threaded",
    ),
)
OTHERS = (
    (
        (
            "Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid "
            "your system being overloaded"
        ),
        "# note: in a container, training is slow",
    ),
    (
        "export OMP_NUM_THREADS=8",
        "step 1",
    ),
    (
        (
            "# note: in our docker container every worker opens 64 threads and it is slow; "
            "OMP_NUM_THREADS=1 fixes it"
        ),
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "$ cat /etc/enroot/hooks.d/50-slurm-pytorch.sh",
            '    echo "OMP_NUM_THREADS=1" >> $ENROOT_ENVIRON',
            "$ nproc",
            "# note: tokenising is slow inside, outside it uses all cores",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines", [("$ nproc", "1", "OMP_NUM_THREADS=1", "# note: enroot, make -j$(nproc) starts one job")]
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings


def test_fires_as_a_risk_where_one_process_has_many_processors() -> None:
    [finding] = judge(FAULT, tried({"variables": {"OMP_NUM_THREADS": "1"}})).findings

    assert (finding.subject, finding.kind) == ("env:OMP_NUM_THREADS", Kind.RISK)


def test_clear_where_the_process_has_few_processors_or_more_threads() -> None:
    few = {"allowed": 2, "variables": {"OMP_NUM_THREADS": "1"}}

    assert not judge(FAULT, tried(few)).findings
    assert not judge(FAULT, tried({"variables": {"OMP_NUM_THREADS": "8"}})).findings
