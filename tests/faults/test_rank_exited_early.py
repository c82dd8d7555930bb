"""rank-exited-early"""

import pytest
from msgspec import structs

from codeblue import pipeline
from codeblue.model.facts import Stream
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text
from tests.faults.test_rank_hung import watchdog

FAULT = "rank-exited-early"


def ended(last: str) -> Snapshot:
    """Return a job in which rank 2 wrote a last line and the others waited."""
    waited = text(watchdog(0), watchdog(1))
    streams = [
        Stream(file="a.log", rank=n, last_time="10:00:00", last_line=4, last_text=last) for n in range(3)
    ]
    view = waited.views[0]
    section = structs.replace(view.sightings, streams=streams)
    return structs.replace(waited, views=[structs.replace(view, sightings=section)])


def test_fires_on_a_last_line_that_sounds_like_an_end() -> None:
    [finding] = judge(FAULT, ended("epoch 3: training finished, model saved")).findings

    assert "rank 2 ended at 10:00:00" in finding.summary.say("en")
    assert finding.evidence[0].source == "a.log:4"


def test_fires_first_and_the_waiting_follows() -> None:
    diagnosis = pipeline.judge(ended("all batches done"))

    assert [c.finding.fault for c in diagnosis.causes] == [FAULT]
    assert [c.finding.fault for c in diagnosis.consequences] == ["rank-hung"]


@pytest.mark.parametrize(
    "lines",
    [
        (
            "# note: rank 3 left its loop and exited with code 0",
            "the others hang in all_reduce",
        ),
        ("rank 1 训练完提前退出", "其余 rank 卡住在 NCCL all_reduce"),
    ],
)
def test_fires_on_what_a_person_tells(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize("last", ["step 7", "[rank2]: KeyError: 'x'"])
def test_clear_when_it_broke_off(last: str) -> None:
    assert judge(FAULT, ended(last)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    unread = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, unread).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        ("Watchdog caught collective operation timeout", "# note: rank 3 had no more batches and returned"),
        (
            "Watchdog caught collective operation timeout",
            "# note: rank 1 直接结束，退出码是 0，rank 0 还在等",
        ),
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines", [("Watchdog caught collective operation timeout", "# note: rank 3 still loads its batches")]
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
