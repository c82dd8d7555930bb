"""The executor with real verbs: all of an item, or nothing of it; and the way back later."""

import os
import subprocess
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path

import pytest
from msgspec import structs

from codeblue.cli import applying
from codeblue.model.journal import Event
from codeblue.model.plan import Refused
from codeblue.model.remedy import Risk, Undo, Verb
from codeblue.model.site import Fix
from codeblue.remedy import here, policy, retention
from codeblue.remedy.executor import Checked, undoable
from codeblue.remedy.store import alone
from tests.fix import executing
from tests.fix.child import in_child, leave_mounts
from tests.fix.executing import IN_VAIN, Bench, everything, filled, mode, rename, write, write_new
from tests.fix.flows import recovered
from tests.fix.kept import tree


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """An executor with a private state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return Bench(tmp_path / "state" / "codeblue")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with files."""
    return filled(tmp_path / "place")


def undone(bench: Bench, wanted: str | None = None) -> list[str | None]:
    """Take a run back; return for each step why it could not be."""
    told = bench.executor.undo(undoable(bench.journal.runs(), wanted))
    return [why.say("en") if why else None for _, why in told]


def test_what_helps_stands_and_is_in_the_journal(bench: Bench, place: Path) -> None:
    result = bench.apply(everything(place), expires="2026-12-24")

    assert result.event is Event.FIXED
    assert (place / "x.list").read_bytes() == b"new\n"
    assert (place / "keys").stat().st_mode & 0o777 == 0o600
    assert (place / "torch.py.away").exists() and (place / "a/b.d/y.list").exists()
    begin = bench.last().begin
    assert (begin.host, begin.boot, begin.expires) == (here.host(), here.boot(), "2026-12-24")
    assert bench.events() == [Event.BEGIN, *[Event.INTENT, Event.DONE] * 5, Event.FIXED, Event.END]
    assert not bench.journal.damaged()


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (IN_VAIN, "the check still finds the fault"),
        (Checked(remains=False, broke=("oom-killed",)), "the change brought new trouble: oom-killed"),
        (Checked(remains=True, unseen=executing.WHY), "the check could not look: why"),
    ],
)
def test_what_does_not_help_is_taken_back(bench: Bench, place: Path, check: Checked, says: str) -> None:
    old = tree(place)

    result = bench.apply(everything(place), check)

    assert (result.event, result.why and result.why.say("en")) == (Event.NOT_FIXED, says)
    assert tree(place) == old
    assert bench.events()[-2:] == [Event.NOT_FIXED, Event.END]
    assert not bench.last().standing() and not result.left


def test_a_step_that_fails_takes_those_before_it_back(bench: Bench, place: Path) -> None:
    old = tree(place)
    inside = Verb.FILE_WRITE, {"path": str(place / "a" / "inside"), "content": "x\n"}
    file = Verb.FILE_WRITE, {"path": str(place / "a"), "content": "no folder\n"}

    result = bench.apply([mode(place), file, inside])

    assert result.event is Event.FAILED and result.why is not None
    assert tree(place) == old
    assert bench.events()[-2:] == [Event.FAILED, Event.END]
    assert not bench.last().standing()


@pytest.mark.parametrize("wish", [write, mode, rename, write_new, executing.edit])
def test_what_changed_since_the_preview_is_left_alone(
    bench: Bench, place: Path, wish: executing.Make
) -> None:
    made, item = bench.planned([write(place), *([] if wish is write else [wish(place)])])
    target = Path(item.steps[-1].args["path"])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text('{"theirs": 1}\n', encoding="ascii")
    target.chmod(0o644)
    old = tree(place)

    with pytest.raises(Refused) as refused:
        bench.carry_out(made, item)

    assert "not as it was in the preview" in str(refused.value)
    assert tree(place) == old
    assert not bench.journal.records()


def test_a_step_finds_what_the_step_before_it_has_made(bench: Bench, place: Path) -> None:
    name, args = executing.edit(place)

    result = bench.apply([(name, args), (name, {**args, "at": "d.e"})])

    assert result.event is Event.FIXED
    assert '"b": "c"' in (place / "settings.json").read_text(encoding="ascii")
    assert '"e": "c"' in (place / "settings.json").read_text(encoding="ascii")


def test_undo_brings_everything_back_once(bench: Bench, place: Path) -> None:
    old = tree(place)
    bench.apply(everything(place))

    retention.tidy(bench.journal, bench.kept, days=90)
    assert undone(bench) == [None] * 5

    assert tree(place) == old
    with pytest.raises(Refused) as refused:
        undone(bench)
    assert "nothing that codeblue changed" in str(refused.value)


def test_undo_by_name_of_the_run_or_the_fault(bench: Bench, place: Path) -> None:
    bench.apply([write(place)])
    first = bench.last().name
    bench.apply([mode(place)])

    assert undone(bench, first) == [None]
    assert (place / "x.list").read_bytes() == b"old\n"
    assert undone(bench, "some-fault") == [None]
    with pytest.raises(Refused):
        undone(bench, "some-fault")


def test_a_file_that_somebody_edited_since_stays_as_it_is(bench: Bench, place: Path) -> None:
    bench.apply([write(place), mode(place)])
    (place / "x.list").write_text("theirs\n", encoding="ascii")

    [of_mode, of_file] = undone(bench)

    assert of_mode is None and of_file is not None and "changed" in of_file
    assert (place / "x.list").read_text(encoding="ascii") == "theirs\n"
    assert (place / "keys").stat().st_mode & 0o777 == 0o666
    assert [record.event for record in bench.last().records][-2:] == [Event.BACK_FAILED, Event.END]
    assert undoable(bench.journal.runs(), None).name == bench.last().name, "it can be tried again"


def test_what_has_no_way_back_is_said_and_hides_nothing(bench: Bench, place: Path) -> None:
    bench.apply([write(place)])
    cache = place.parent / ".triton" / "cache"
    cache.mkdir(parents=True)
    (cache / "k").write_text("compiled", encoding="ascii")
    wish = Verb.CACHE_CLEAN, {"path": str(cache)}

    result = bench.apply([mode(place), wish], IN_VAIN)

    [(step, why)] = result.left
    assert (step.verb, why.say("en")) == (wish[0], "this verb has no way back")
    assert (place / "keys").stat().st_mode & 0o777 == 0o666
    assert undoable(bench.journal.runs(), None).standing()[0].verb is Verb.FILE_WRITE
    assert undone(bench, bench.last().name) == ["this verb has no way back"]
    assert list(cache.parent.iterdir()) == [], "what was put aside does not stay"


def test_attempts_in_vain_are_counted(bench: Bench, place: Path) -> None:
    now = datetime.now(timezone.utc)
    for tried in range(3):
        _, item = bench.planned([write(place)])
        assert (policy.exhausted(item, bench.journal.runs(), here.host(), Fix(), now) is None) == (tried < 3)
        bench.apply([write(place)], IN_VAIN)

    assert policy.exhausted(item, bench.journal.runs(), here.host(), Fix(), now) is not None
    assert policy.exhausted(item, bench.journal.runs(), "other", Fix(), now) is None


@pytest.mark.parametrize("event", [Event.FIXED, Event.NOT_FIXED])
def test_after_a_reboot_the_check_has_the_last_word(bench: Bench, place: Path, event: Event) -> None:
    made, item = bench.planned([write(place)])
    waits = structs.replace(item, steps=(structs.replace(item.steps[0], risk=Risk.REBOOT),))

    assert bench.carry_out(made, waits, IN_VAIN).event is Event.AWAITING
    assert bench.last().awaiting
    bench.executor.settle(bench.last().name, event)
    assert bench.last().settled is event
    assert not bench.last().awaiting and bench.last().ended
    assert bench.executor.recover() == [] and (place / "x.list").read_bytes() == b"new\n"
    assert undone(bench) == [None]


def test_a_verdict_after_a_reboot_that_was_cut_short_takes_nothing_back(bench: Bench, place: Path) -> None:
    made, item = bench.planned([write(place)])
    waits = structs.replace(item, steps=(structs.replace(item.steps[0], risk=Risk.REBOOT),))
    bench.carry_out(made, waits)
    bench.executor.settle(bench.last().name, Event.NOT_FIXED)
    path = bench.folder / "journal.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))

    assert bench.executor.recover() == []
    assert bench.last().ended and (place / "x.list").read_bytes() == b"new\n"


def test_runs_of_another_host_that_shares_the_folder_are_left_to_it(bench: Bench, place: Path) -> None:
    bench.apply([write(place)])
    path = bench.folder / "journal.jsonl"
    lines = path.read_bytes().replace(here.host().encode(), b"another").splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]))

    assert bench.executor.recover() == []
    with pytest.raises(Refused):
        undoable(bench.journal.runs(), None)
    assert (place / "x.list").read_bytes() == b"new\n"


def test_of_two_at_once_one_is_refused(bench: Bench, place: Path) -> None:
    read, write_ = os.pipe()
    pid = os.fork()
    if not pid:
        with alone(bench.folder):
            os.write(write_, b"locked")
            os.read(read, 0)
            os.kill(os.getpid(), 19)  # SIGSTOP: it holds the lock until it is killed
        os._exit(0)
    os.read(read, 6)
    try:
        with pytest.raises(Refused) as refused, alone(bench.folder):
            bench.apply([write(place)])
        assert str(pid) in str(refused.value)
        assert (place / "x.list").read_bytes() == b"old\n"
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    with alone(bench.folder):
        assert bench.apply([write(place)]).event is Event.FIXED


def test_no_step_is_called_undoable_that_is_not(bench: Bench, place: Path) -> None:
    _, item = bench.planned(everything(place))

    assert {step.undo for step in item.steps} == {Undo.EXACT}


def test_who_interrupts_it_has_the_half_taken_back(
    bench: Bench, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> Checked:
        raise KeyboardInterrupt

    made, item = bench.planned(everything(place))
    old = tree(place)

    with pytest.raises(KeyboardInterrupt), applying.bench() as tools:
        tools.executor.apply(made, item, "0a1b2c3d", "", interrupted)

    assert tree(place) == old and bench.last().ended
    assert "found an interrupted run 0a1b2c3d (some-fault): file-mode" in capsys.readouterr().err


@pytest.mark.root
@pytest.mark.parametrize("room", range(0, 5000, 350))
def test_a_disk_that_becomes_full(room: int, place: Path, tmp_path: Path) -> None:
    def work() -> None:
        leave_mounts()
        folder = tmp_path / "small"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)], check=True)
        small, old = Bench(folder / "codeblue"), tree(place)
        # The journal's last page has so much room, and there is no other.
        small.apply([mode(place)], IN_VAIN)
        (folder / "codeblue" / "journal.jsonl").open("ab").write(b" " * (8192 - 4096 - room % 4096) + b"\n")
        with (folder / "filling").open("wb", buffering=0) as filling, suppress(OSError):
            while filling.write(b"x" * 4096):
                pass
        event, said = None, "No space left on device"
        try:
            event = small.apply(everything(place)).event
        except Refused as refused:
            said = str(refused)
        assert "No space left on device" in said
        (folder / "filling").unlink()
        recovered(small.folder)
        assert (tree(place) == old) == (event is not Event.FIXED) and small.last().ended
        assert room > 3000 or event is not Event.FIXED

    in_child(work)
