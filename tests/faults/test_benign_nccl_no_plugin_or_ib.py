"""benign-nccl-no-plugin-or-ib"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-nccl-no-plugin-or-ib"
LINES = (
    "node1:40:41 [0] NCCL INFO NET/Plugin: Could not find: libnccl-net.so",
    (
        "node1:40:41 [0] NCCL INFO NET/Plugin : No plugin found (libnccl-net.so), using "
        "internal implementation"
    ),
    "node1:40:41 [0] NCCL INFO TUNER/Plugin: Could not find: libnccl-tuner.so",
    "node1:40:41 [0] NCCL INFO NET/IB : No device found.",
    "node1:40:41 [0] NCCL INFO Failed to initialize NET plugin IB",
    "node1:40:41 [0] NCCL INFO Failed to open libibverbs.so[.1]",
)
OTHERS = (
    "node1:40:41 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]",
    "node1:40:41 [0] NCCL WARN NET/IB : Unable to open device mlx5_0",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_notice_of_a_missing_part(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.kind is Kind.HARMLESS
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_lines_about_parts_that_are_there(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
