"""slurm-gres-count-stale-after-mig-change"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-gres-count-stale-after-mig-change"
SHOWS = (
    (
        (
            "slurmctld: error: Setting node gpu1 state to INVAL with reason:gres/gpu count reported "
            "lower than configured (3 < 4)"
        ),
    ),
    ("slurmctld: _node_config_validate: gres/gpu: Count changed on node gpu1 (4 != 7)",),
    (
        (
            "# note: we repartitioned MIG on the node and slurmctld still expects the old gres "
            "count, node is drained"
        ),
    ),
    ("# note: 重新切分 MIG 之后 slurm 的 gres 数量对不上，节点被 drain，slurmctld 仍是旧的",),
)
OTHERS = (
    ("gres/gpu count reported lower than configured (0 < 8)",),
    (
        (
            "We were configured to autodetect nvml functionality, but we weren't able to find that "
            "lib when Slurm was configured."
        ),
        "gres type MIG, count changed",
    ),
    ("slurm 23.11 with MIG: srun works",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_count_of_yesterday(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_counts_of_zero(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
