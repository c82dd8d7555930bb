"""The journal: what was written stays written, readable and for its owner alone."""

import os
import stat
from pathlib import Path

import pytest
from msgspec import structs

from codeblue.model.journal import Event, Record
from codeblue.model.plan import Refused
from codeblue.model.remedy import Undo, Verb
from codeblue.remedy.journal import Journal
from codeblue.remedy.retention import tidy
from codeblue.remedy.store import Kept, alone, prepare


def step(run: str, event: Event, number: int = 0, **more: object) -> Record:
    """Return an event of a step that changes a file."""
    record = Record(
        time="", run=run, event=event, step=number, verb=Verb.FILE_WRITE, args={"path": "/x"}, undo=Undo.EXACT
    )
    return structs.replace(record, **more)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """A journal in a folder of its own."""
    prepare(tmp_path / "state")
    return Journal(tmp_path / "state")


def test_events_come_back_in_their_order(journal: Journal) -> None:
    for event in (Event.BEGIN, Event.INTENT, Event.DONE, Event.FIXED, Event.END):
        journal.add(step("a1", event))

    assert [record.event for record in journal.records()] == [
        Event.BEGIN,
        Event.INTENT,
        Event.DONE,
        Event.FIXED,
        Event.END,
    ]
    assert journal.damaged() == []


def test_nobody_else_can_read_it(journal: Journal) -> None:
    journal.add(step("a1", Event.BEGIN))
    digest = Kept(journal.folder).put(b"secret")

    for path in (journal.folder, *journal.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert Kept(journal.folder).get(digest) == b"secret"


def test_a_line_cut_short_by_a_crash_hides_no_other(journal: Journal) -> None:
    journal.add(step("a1", Event.BEGIN))
    path = journal.folder / "journal.jsonl"
    with path.open("ab") as stream:
        stream.write(b'{"time":"2026-')
    journal.add(step("a1", Event.END))

    assert [record.event for record in journal.records()] == [Event.BEGIN, Event.END]
    assert journal.damaged() == [2]


def test_a_changed_line_is_noticed(journal: Journal) -> None:
    for event in (Event.BEGIN, Event.DONE, Event.END):
        journal.add(step("a1", event, user="alice"))
    path = journal.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"alice", b"mallo", 1))

    assert journal.damaged() == [2]


def test_a_damaged_before_image_is_refused(journal: Journal) -> None:
    kept = Kept(journal.folder)
    digest = kept.put(b"old")
    (journal.folder / "before" / digest).write_bytes(b"other")

    with pytest.raises(Refused):
        kept.get(digest)


def test_what_stands_is_what_was_done_and_not_taken_back(journal: Journal) -> None:
    for event, number in (
        (Event.BEGIN, -1),
        (Event.INTENT, 0),
        (Event.DONE, 0),
        (Event.INTENT, 1),
        (Event.DONE, 1),
        (Event.BACK_INTENT, 1),
        (Event.BACK, 1),
        (Event.INTENT, 2),
        (Event.FAILED, 2),
        (Event.END, -1),
    ):
        journal.add(step("a1", event, number))
    [run] = journal.runs()

    assert [record.step for record in run.standing()] == [0]
    assert run.ended


def test_an_undo_that_is_under_way_opens_the_run_again(journal: Journal) -> None:
    for event in (Event.BEGIN, Event.INTENT, Event.DONE, Event.FIXED, Event.END, Event.BACK_INTENT):
        journal.add(step("a1", event))
    [run] = journal.runs()

    assert not run.ended
    assert run.going_back


def test_the_lock_is_for_one(journal: Journal) -> None:
    with alone(journal.folder):
        with pytest.raises(Refused) as refused, alone(journal.folder):
            pass
        assert str(os.getpid()) in refused.value.line.say("en")
    with alone(journal.folder):
        pass


def test_images_are_kept_only_for_what_may_be_taken_back(journal: Journal) -> None:
    kept = Kept(journal.folder)
    stands, gone = kept.put(b"stands"), kept.put(b"taken back")
    for run, digest, last in (("a1", stands, Event.FIXED), ("b2", gone, Event.BACK)):
        journal.add(step(run, Event.BEGIN, -1))
        journal.add(step(run, Event.INTENT))
        journal.add(step(run, Event.DONE, before={"content": digest}))
        journal.add(step(run, last, 0 if last is Event.BACK else -1))
        journal.add(step(run, Event.END, -1))

    assert tidy(journal, kept, days=90) == 1
    assert kept.get(stands) == b"stands"
    with pytest.raises(Refused):
        kept.get(gone)


def test_without_a_place_for_the_journal_nothing_is_changed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(Refused):
        prepare(tmp_path / "file" / "state")


def test_a_digest_anywhere_in_what_a_verb_noted_is_kept(journal: Journal) -> None:
    kept = Kept(journal.folder)
    digest = kept.put(b"old")
    journal.add(step("a1", Event.BEGIN, -1))
    journal.add(step("a1", Event.DONE, before={"files": f'[{{"path":"/x","content":"{digest}"}}]'}))
    journal.add(step("a1", Event.END, -1))

    assert tidy(journal, kept, days=90) == 0
    assert kept.get(digest) == b"old"
