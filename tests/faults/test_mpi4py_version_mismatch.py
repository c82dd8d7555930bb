"""mpi4py-version-mismatch"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mpi4py-version-mismatch"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (("simlib 2.0 requires mpi4py>=4.0.1, but you have mpi4py 3.1.4 which is incompatible."),),
        ),
        (
            Certainty.LIKELY,
            (
                ">>> from mpi4py import MPI",
                "# note: it never returns, mpi4py 3.0.3; the library wants a newer version",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 导入 mpi4py 时卡住，升级版本后正常",),
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
            "from mpi4py import MPI",
            "ModuleNotFoundError: No module named 'mpi4py'",
        ),
        ("# note: the training hangs in MPI_Allreduce",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
