"""slurm-task-count-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-task-count-mismatch"
SHOWS = (
    (
        (
            "ValueError: You set `devices=4` in Lightning, but the number of tasks per node "
            "configured in SLURM `--ntasks-per-node=2` does not match."
        ),
    ),
    (("RuntimeError: You set `--ntasks=8` in your SLURM bash script, but this variable is not supported."),),
    (
        "#SBATCH --ntasks=1",
        "#SBATCH --ntasks-per-node=4",
        "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/4",
    ),
    (("# note: ntasks=1 and ntasks-per-node=2 in the sbatch file; training hangs waiting for rank 1"),),
    ("# note: slurm 只启动一个任务，训练程序等待 4 个 rank，一直卡住",),
)
OTHERS = (
    (
        "#SBATCH --ntasks-per-node=4",
        "#SBATCH --nodes=2",
    ),
    ("srun: job 7 queued and waiting for resources",),
    ("torchrun --nproc_per_node=8 hangs at init",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_tasks_that_were_not_started(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_matching_numbers(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
