"""``codeblue check`` reminds of changes whose day has passed, and of such that await a reboot."""

import json
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from codeblue.cli.reminders import MOST, reminded
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.journal import Event
from codeblue.model.remedy import Risk
from codeblue.pipeline import judge
from codeblue.remedy import here
from codeblue.remedy.store import alone
from tests.conftest import recording
from tests.faults.test_nouveau_owns_gpu import HELD
from tests.fix.executing import Bench, filled, mode, write
from tests.test_cli import Run

YESTERDAY = (date.today() - timedelta(days=1)).isoformat()
TODAY = date.today().isoformat()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The executor whose journal ``check`` reads."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Bench(tmp_path / "state" / "codeblue")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with files."""
    return filled(tmp_path / "place")


@pytest.fixture(scope="module")
def diagnosis() -> Diagnosis:
    """Some diagnosis."""
    return judge(recording("h200-healthy"))


def notes(diagnosis: Diagnosis, lang: str = "en") -> list[str]:
    """Return what is added to it."""
    return [note.say(lang) for note in reminded(diagnosis).notes[len(diagnosis.notes) :]]


def awaiting(bench: Bench, place: Path, fault: str = "some-fault") -> None:
    """Make a change that needs a reboot."""
    made, item = bench.planned([write(place)])
    steps = (structs.replace(item.steps[0], risk=Risk.REBOOT),)
    bench.carry_out(made, structs.replace(item, fault=fault, subject="driver", steps=steps))


def test_a_day_that_has_passed(bench: Bench, place: Path, diagnosis: Diagnosis) -> None:
    bench.apply([write(place)], expires=TODAY)
    assert notes(diagnosis) == [], "its last day is today"
    bench.apply([mode(place)], expires=YESTERDAY)
    run = bench.last().name

    assert notes(diagnosis) == [
        f"the temporary change for some-fault ended on {YESTERDAY} and still stands: codeblue undo {run}"
    ]
    assert notes(diagnosis, "zh") == [
        f"针对 some-fault 的临时改动已于 {YESTERDAY} 到期，但仍未撤销：codeblue undo {run}"
    ]
    bench.executor.undo(bench.last())
    assert notes(diagnosis) == []


def test_a_reboot_that_is_awaited(bench: Bench, place: Path, diagnosis: Diagnosis) -> None:
    awaiting(bench, place)
    run = bench.last().name

    assert notes(diagnosis) == [f"the change for some-fault ({run}) awaits a reboot"]
    assert notes(diagnosis, "zh") == [f"针对 some-fault 的改动（{run}）等待重启"]
    path = bench.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(here.boot().encode(), b"0" * 16))
    before = path.read_bytes()
    assert "cannot tell whether it helped: codeblue fix some-fault --apply" in notes(diagnosis)[0]
    assert "无法判断是否有效" in notes(diagnosis, "zh")[0]
    assert path.read_bytes() == before, "a fault that nobody judged stays open"


@pytest.mark.parametrize(
    ("fault", "changes", "event"),
    [
        ("nouveau-owns-gpu", {}, Event.FIXED),
        ("nouveau-owns-gpu", {"pci": HELD}, Event.NOT_FIXED),
        ("nouveau-owns-gpu", {"pci": {"state": "denied"}}, None),
        ("nouveau-not-blacklisted-for-next-boot", {}, None),
    ],
)
def test_a_boot_later_the_check_decides(
    bench: Bench, place: Path, fault: str, changes: dict[str, Any], event: Event | None
) -> None:
    awaiting(bench, place, fault)
    path = bench.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(here.boot().encode(), b"0" * 16))
    checked = judge(recording("h200-healthy", **changes))

    [note] = notes(checked)

    assert (bench.last().settled is event) or (event is None and bench.last().awaiting)
    words = {Event.FIXED: "has helped", Event.NOT_FIXED: "has not helped", None: "cannot tell"}
    assert words[event] in note
    assert bool(notes(checked)) is (event is None)
    assert (place / "x.list").read_bytes() == b"new\n"


def test_while_another_codeblue_is_at_work_the_verdict_is_only_said(bench: Bench, place: Path) -> None:
    awaiting(bench, place, "nouveau-owns-gpu")
    path = bench.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(here.boot().encode(), b"0" * 16))
    checked = judge(recording("h200-healthy"))

    with alone(bench.folder):
        assert "has helped" in notes(checked)[0]

    assert bench.last().awaiting


def test_another_host_s_changes_are_not_ours(bench: Bench, place: Path, diagnosis: Diagnosis) -> None:
    awaiting(bench, place)
    path = bench.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(here.host().encode(), b"0" * 16))

    assert notes(diagnosis) == []


def test_many_are_counted(bench: Bench, place: Path, diagnosis: Diagnosis) -> None:
    for number in range(MOST + 2):
        (place / "x.list").write_text(f"{number}\n", encoding="ascii")
        bench.apply([write(place)], expires=YESTERDAY)

    assert len(notes(diagnosis)) == MOST + 1
    assert notes(diagnosis)[-1] == "2 more changes are to be looked at: codeblue journal"
    assert notes(diagnosis, "zh")[-1] == "另有 2 处改动需要处理：codeblue journal"


def test_no_journal_or_none_that_can_be_read(bench: Bench, diagnosis: Diagnosis) -> None:
    path = bench.folder / "journal.jsonl"
    assert notes(diagnosis) == []
    path.write_bytes(b"\x00\xff{}\n" * 5)
    assert notes(diagnosis) == []
    path.unlink()
    path.mkdir()
    assert notes(diagnosis) == []


def test_check_shows_it_and_changes_nothing(bench: Bench, place: Path, tmp_path: Path) -> None:
    bench.apply([write(place)], expires=YESTERDAY)
    before = (bench.folder / "journal.jsonl").read_bytes()

    shown = Run(tmp_path / "state")("check", "local", "--fast", "--format", "json").stdout

    assert any("still stands: codeblue undo" in note for note in json.loads(shown)["notes"])
    assert (bench.folder / "journal.jsonl").read_bytes() == before


def test_without_a_journal_nothing_of_it_is_imported(tmp_path: Path) -> None:
    run = Run(tmp_path / "state")
    done = run("check", "local", "--fast", PYTHONVERBOSE="1")

    assert "import 'codeblue.cli.reminders'" in done.stderr
    assert "codeblue.remedy.journal" not in done.stderr, sys.version
