"""slurm-version-mismatch-between-nodes"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-version-mismatch-between-nodes"
SHOWS = (
    (("slurmd: error: slurm_unpack_received_msg: Incompatible versions of client and server code"),),
    (
        "error: Credential signature check: Credential data mismatch",
        "error: Invalid job credential from 1000@10.0.0.2",
    ),
    ("error: unpack_header: Invalid Protocol Version 9984 from uid=0",),
    (
        "srun: error: Application launch failed: Invalid job credential",
        "# note: slurmctld is 23.11, the new node has 21.08 from its distribution",
    ),
    ("# note: 控制器和计算节点的 slurm 版本不一致，srun 报 Invalid job credential",),
)
OTHERS = (
    (
        "slurmctld: error: Munge decode failed: Expired credential",
        "slurm 22.05 Protocol authentication error",
    ),
    ("NCCL WARN Mismatched NCCL version detected",),
    ("slurmd version 22.05.3 started",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_releases_that_do_not_talk(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_keys_and_clocks(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
