"""A job of several ranks: one trouble, its first rank, and what only followed."""

import pytest

from codeblue.diagnose.ranks import gathered, spans
from codeblue.model.diagnosis import Explained
from codeblue.model.facts import Sighting, Sightings
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.finding import Evidence, Finding
from codeblue.model.layers import Layer
from codeblue.model.text import message


def on(rank: int | None, fault: str, number: int, certainty: Certainty = Certainty.CERTAIN) -> Explained:
    """Return a cause on a rank whose evidence is the sighting of this number."""
    return Explained(
        Finding(
            fault=fault,
            variant=None,
            layer=Layer.APPLICATION,
            kind=Kind.TROUBLE,
            subject=f"rank:{rank}" if rank is not None else "log",
            severity=Severity.ERROR,
            certainty=certainty,
            summary=message("took {n} GiB {{", "占用 {n} GiB", n=3),
            explains=(),
            evidence=(Evidence(f"sightings.seen[{number}].text", "x", "s"),),
            remedy=None,
            rank=rank,
            host="node7",
            time=f"10:0{number}",
        )
    )


def seen(*times: str | None) -> Sightings:
    """Return sightings that were written at these times."""
    return Sightings(
        seen=[Sighting(fault="x", text="x", file="f", line=n, when=when) for n, when in enumerate(times)]
    )


def test_one_trouble_on_many_ranks_is_one_cause_on_the_first() -> None:
    causes = [on(0, "oom", 0), on(1, "oom", 1), on(2, "oom", 2)]

    [cause], rest = gathered(causes, seen("2026-11-30T10:00:02", "2026-11-30T10:00:01", None), ())

    assert (cause.finding.rank, rest) == (1, [])
    assert cause.finding.summary.say("en") == ("took 3 GiB { (first rank 1 on node7 at 10:01; later 0, 2)")
    assert "rank 1" in cause.finding.summary.say("zh")
    assert len(cause.finding.evidence) == 3


def test_what_ranks_report_of_others_follows_from_a_trouble_of_their_own() -> None:
    causes = [on(0, "waited", 0), on(1, "oom", 1)]

    own, echoes = gathered(causes, seen(None, None), {"waited"})

    assert [c.finding.fault for c in own] == ["oom"]
    assert [(c.finding.fault, c.others) for c in echoes] == [("waited", ("oom",))]


def test_what_is_merely_possible_explains_no_echo() -> None:
    causes = [on(0, "waited", 0), on(1, "oom", 1, Certainty.POSSIBLE)]

    assert gathered(causes, seen(None, None), {"waited"})[1] == []


def test_the_first_trouble_in_time_comes_first() -> None:
    causes = [on(0, "late", 0), on(None, "machine", 2), on(1, "early", 1)]

    own, _ = gathered(causes, seen("2026-11-30T10:00:02", "2026-11-30T10:00:01", None), ())

    assert [c.finding.fault for c in own] == ["early", "machine", "late"]


@pytest.mark.parametrize(
    ("ranks", "short"), [([3], "3"), ([0, 1, 2, 5], "0-2, 5"), ([0, 1], "0-1"), ([], "")]
)
def test_ranks_in_short(ranks: list[int], short: str) -> None:
    assert spans(ranks) == short
