"""oom-on-one-rank"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.test_rank_hung import watchdog

FAULT = "oom-on-one-rank"


def short(rank: int) -> str:
    """Return the line of a rank that is out of GPU memory."""
    return f"[rank{rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."


def test_fires_when_one_is_short_and_others_wait() -> None:
    diagnosis = pipeline.judge(text(short(3), *(watchdog(rank) for rank in (0, 1, 2))))

    [cause] = diagnosis.causes
    assert cause.finding.fault == FAULT
    assert "rank 3 alone" in cause.finding.summary.say("en")
    assert {c.finding.fault for c in diagnosis.consequences} == {"gpu-memory-exhausted", "rank-hung"}


@pytest.mark.parametrize(
    "lines",
    [
        ("RuntimeError: CUDA error: out of memory", "# note: only rank 5 prints it, the rest hang in init"),
        ("torch.OutOfMemoryError", "其中一张卡爆显存，其他进程卡住不动"),
    ],
)
def test_fires_on_what_a_person_tells(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines", [(short(0), short(1), watchdog(2)), (short(0),), (watchdog(0), watchdog(1))]
)
def test_clear_when_all_are_short_or_nobody_waits(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    unread = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, unread).outcome is Outcome.SKIPPED
