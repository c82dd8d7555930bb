"""rank-hung"""

import pytest
from msgspec import structs

from codeblue.model.facts import Stream
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.collectives import ran

FAULT = "rank-hung"
LINES = (
    (
        "[rank4]:[E1130 10:00:00.0 ProcessGroupNCCL.cpp:689] [Rank 4] Watchdog caught "
        "collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=4, "
        "NumelOut=4, Timeout(ms)=600000) ran for 600001 milliseconds before timing out."
    ),
)
OTHERS = (
    (
        "Received a dump signal due to a collective timeout from rank 0. This is most likely "
        "caused by incorrect usages of collectives"
    ),
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_watchdog(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("job", Certainty.LIKELY)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"sequence": "9", "operation": "ALLREDUCE"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_the_advice_that_follows(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def watchdog(rank: int, sequence: int = 9) -> str:
    """Return the line of a rank that waited."""
    return (
        f"[rank{rank}]:[E1130 10:30:00.0 P.cpp:1] Watchdog caught collective operation timeout: "
        f"WorkNCCL(SeqNum={sequence}, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600001 milliseconds"
    )


def test_names_the_rank_that_does_not_complain_of_waiting() -> None:
    [finding] = judge(FAULT, text(*(watchdog(rank) for rank in (0, 1, 3)))).findings

    assert "rank 2 did not arrive" in finding.summary.say("en")
    assert "rank 2" in finding.summary.say("zh")


def test_names_the_rank_that_stands_at_an_earlier_collective() -> None:
    [finding] = judge(FAULT, text(*(watchdog(rank, 8 if rank == 1 else 9) for rank in range(4)))).findings

    assert "rank 1 is behind: it stands at collective 8, the others at 9" in finding.summary.say("en")


def test_names_the_rank_that_fell_silent() -> None:
    waited = text(watchdog(0), watchdog(1))
    section = waited.views[0].sightings
    streams = [
        Stream(file=f"rank_{n}.log", rank=n, last_time=f"10:{n}0:00", last_line=n, last_text="step 7")
        for n in range(3)
    ]
    view = structs.replace(waited.views[0], sightings=structs.replace(section, streams=streams))

    [finding] = judge(FAULT, structs.replace(waited, views=[view])).findings

    assert "rank 2 did not arrive: it wrote nothing after 10:20:00" in finding.summary.say("en")
    assert finding.evidence[0].source == "rank_2.log:2"


@pytest.mark.parametrize("ranks", [(0, 5), (0, 9, 18, 27)])
def test_clear_on_whom_they_waited_for_if_most_are_missing(ranks: tuple[int, ...]) -> None:
    [finding] = judge(FAULT, text(*map(watchdog, ranks))).findings

    assert "did not arrive" not in finding.summary.say("en")


def test_fires_when_the_collectives_of_a_trial_stand_still() -> None:
    still = {"error": "no answer within 90 s", "at": "first collective"}
    [finding] = judge(FAULT, ran(rows={"0": still, "1": still})).findings

    assert finding.summary.values["at"] == "first collective"


@pytest.mark.parametrize(
    "rows",
    [{}, {"0": {"error": "no answer within 90 s"}, "1": {"error": "RuntimeError: out of memory"}}],
    ids=["healthy", "another failed"],
)
def test_clear_where_the_trial_ended_or_a_rank_failed(rows: dict[str, dict[str, str]]) -> None:
    assert judge(FAULT, ran(rows=rows)).outcome is Outcome.CLEAR
