"""slurm-node-memory-overstated"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-node-memory-overstated"
SHOWS = (
    ("Reason=Low RealMemory [slurm@2026-11-10T10:00:00]",),
    ("slurmctld: error: Node gpu03 has low real_memory size (515560 < 524288)",),
    (
        "NodeName=gpu03 RealMemory=524288 State=DRAIN",
        "# note: slurmd -C prints 515560",
    ),
    ("# note: slurm.conf 里的 RealMemory 写得太大，节点被 drain",),
)
OTHERS = (
    ("Reason=gres/gpu count reported lower than configured (0 < 8)",),
    ("NodeName=gpu03 RealMemory=515000 State=IDLE",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_memory_that_is_not_there(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_nodes_drained_for_other_reasons(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
