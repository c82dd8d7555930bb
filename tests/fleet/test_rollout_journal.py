"""The journal of a repair after codeblue was killed: who was asked and who is next."""

from pathlib import Path

import pytest

from codeblue.fleet.repairing import order
from codeblue.fleet.rollout_journal import journal
from codeblue.fleet.store import Store
from codeblue.model.fleet import Run
from codeblue.model.plan import Plan
from codeblue.model.rollout import Event, NodePlan, Outcome
from codeblue.sources.target import Unusable

FAULT = "shm-permissions"
RUN = Run(id="20270101T000000-0001", engine="ssh")


def plan(node: str) -> NodePlan:
    """Return a plan of a node."""
    return NodePlan(
        node=node, plan=Plan(codeblue="1", host="h", boot="b", made="now", items=(), digest=f"of-{node}")
    )


def test_a_killed_repair_goes_on_where_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with journal(store, RUN, FAULT) as kept:
        for node, outcome in (
            ("a", Outcome.FIXED),
            ("b", None),
            ("c", Outcome.AWAITING),
            ("d", Outcome.REFUSED),
        ):
            kept.add(Event.ASKED, node=node, plan=f"of-{node}", wave=1)
            if outcome:
                kept.add(Event.OUTCOME, node=node, outcome=outcome, plan=f"of-{node}", wave=1)
    path = tmp_path / RUN.id / f"fix-{FAULT}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"time":"2027-01-01T00:00:00Z","event":"outc')

    with journal(store, RUN, FAULT) as kept:
        last = kept.last()
        assert {name: entry.outcome for name, entry in last.items()} == {
            "a": Outcome.FIXED,
            "b": Outcome.SILENT,
            "c": Outcome.AWAITING,
            "d": Outcome.REFUSED,
        }
        assert set(kept.standing()) == {"a", "b", "c"}, "what may stand can be taken back"
        # Who awaits a reboot comes first, then who was not asked, last who failed or said nothing.
        assert order([plan(name) for name in "abcde"], kept) == ["c", "e", "b", "d"]
        kept.add(Event.UNDONE, node="a", outcome=Outcome.TAKEN_BACK)
        assert kept.last()["a"].event is Event.UNDONE, "a line that was cut short costs no other line"
    with journal(store, RUN, FAULT) as kept:
        assert kept.last()["a"].event is Event.UNDONE
        assert set(kept.standing()) == {"b", "c"}


def test_one_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with journal(store, RUN, FAULT), pytest.raises(Unusable) as refused, journal(store, RUN, FAULT):
        pass
    assert "another codeblue is repairing" in refused.value.line.say("en")


def test_a_bucket_keeps_no_journal() -> None:
    with pytest.raises(Unusable) as refused, journal(Store("memory://fleet"), RUN, FAULT):
        pass
    assert "give --store FOLDER" in refused.value.line.say("en")
