"""libibverbs-missing-in-image"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "libibverbs-missing-in-image"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "NCCL INFO Failed to open libibverbs.so[.1]",
                "NCCL INFO NET/Socket : Using [0]ib0:10.9.0.4<0>",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL INFO Failed to open libibverbs.so[.1]",
                "# note: slurm cluster with HDR InfiniBand between the nodes",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 镜像没装 libibverbs，多机训练 NCCL 走了 socket，变慢",),
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
            "NCCL INFO Failed to open libibverbs.so[.1]",
            "# note: one node with four cards, no InfiniBand",
        ),
        (
            "NCCL INFO NET/IB : No device found.",
            "# note: InfiniBand cluster, docker",
        ),
        (
            "NCCL INFO Failed to open libibverbs.so[.1]",
            "NCCL INFO NET/Socket : Using [0]eth0:10.0.0.2<0>",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
