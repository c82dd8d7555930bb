"""mpi-without-slurm-pmi"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mpi-without-slurm-pmi"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.CERTAIN,
            ("but OMPI was not built with SLURM's PMI support and therefore cannot",),
        ),
        (
            Certainty.LIKELY,
            ("[n3:100] OPAL ERROR: Unreachable in file pmix3x_client.c at line 112",),
        ),
        (
            Certainty.LIKELY,
            (
                "*** An error occurred in MPI_Init_thread",
                "*** on a NULL communicator",
                "*** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,",
                "# note: from mpi4py import MPI inside salloc",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 在 slurm 作业里 srun 启动，Open MPI 没有编译 PMIx 支持",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "*** An error occurred in MPI_Init",
            "# note: mpirun on a workstation",
        ),
        ("srun: error: Unable to allocate resources",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
