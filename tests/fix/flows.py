"""Kill whole runs of the executor, and its recovery, before each of their system calls."""

import ctypes
import itertools
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from codeblue.model.journal import Event
from codeblue.model.plan import Plan, PlanItem
from codeblue.model.remedy import Verb
from codeblue.remedy.store import alone
from tests.fix.executing import HELPED, IN_VAIN, Bench, Wish, edit, filled, mode, rename, write, write_new
from tests.fix.kept import Entry, tree
from tests.fix.traced import CHANGING, traced

NEW_NETWORK = 0x40000000
RUN = "0a1b2c3d"
SETTING = Path("/proc/sys/net/core/somaxconn")
"""Every network namespace has its own."""

State = tuple[dict[str, Entry], str]
Recovered = list[tuple[Event, str]]
Start = Callable[[], tuple[Bench, Callable[[], None]]]


class Count(Struct):
    """What was found after kills at every point."""

    points: int = 0
    old: int = 0
    new: int = 0
    cut: int = 0
    """Points at which the journal's last line was also cut short, as a loss of power does."""
    again: int = 0
    """Points at which the recovery was killed too."""


def three_files(place: Path) -> list[Wish]:
    """An edited file, a new one with new folders, permission bits."""
    return [edit(place), write_new(place), mode(place)]


def two_in_one(place: Path) -> list[Wish]:
    """A step that changes two files, and a renamed one."""
    for name in (".bashrc", ".profile"):
        (place / name).write_text("umask 022\nexport CODEBLUE_FLOW=1\n", encoding="ascii")
    return [(Verb.ENV_UNSET, {"name": "CODEBLUE_FLOW"}), rename(place)]


def setting(place: Path) -> list[Wish]:
    """A kernel setting, and the file that keeps it."""
    SETTING.write_text("4096", encoding="ascii")
    return [(Verb.SYSCTL_SET, {"name": "net.core.somaxconn", "value": "1000"}), write(place)]


Make = Callable[[Path], list[Wish]]
FLOWS: dict[str, Make] = {make.__name__: make for make in (three_files, two_in_one)}
OF_ROOT: dict[str, Make] = {"setting": setting}


class Flow:
    """One item in a folder in memory, to be carried out and taken back over and over."""

    def __init__(self, make: Make, memory: Path) -> None:
        self._make = make
        self._memory = memory
        self._place = memory / "place"
        self.old: State
        self.new: State

    def prepared(self) -> tuple[Bench, Plan, PlanItem]:
        """Return an executor with nothing in its journal, and the plan."""
        for folder in ("place", "state"):
            shutil.rmtree(self._memory / folder, ignore_errors=True)
        filled(self._place)
        wishes = self._make(self._place)
        bench = Bench(self._memory / "state" / "codeblue")
        self.old = self.state()
        return bench, *bench.planned(wishes)

    def state(self) -> State:
        """Return all that the flow changes."""
        there = SETTING.read_text(encoding="ascii") if self._make is setting else ""
        return tree(self._place), there

    def starts(self) -> dict[str, Start]:
        """Return what is killed: a run that helps, one that does not, and taking one back."""
        return {"apply": self._apply, "in vain": self._in_vain, "undo": self._undo}

    def _apply(self) -> tuple[Bench, Callable[[], None]]:
        bench, made, item = self.prepared()
        return bench, lambda: _carry_out(bench, made, item, True)

    def _in_vain(self) -> tuple[Bench, Callable[[], None]]:
        bench, made, item = self.prepared()
        return bench, lambda: _carry_out(bench, made, item, False)

    def _undo(self) -> tuple[Bench, Callable[[], None]]:
        bench, made, item = self.prepared()
        _carry_out(bench, made, item, True)
        self.new = self.state()
        return bench, lambda: _undo(bench)


def _carry_out(bench: Bench, made: Plan, item: PlanItem, helps: bool) -> None:
    with alone(bench.folder):
        bench.executor.apply(made, item, RUN, "", lambda _: HELPED if helps else IN_VAIN)


def _undo(bench: Bench) -> None:
    with alone(bench.folder):
        assert all(why is None for _, why in bench.executor.undo(bench.last()))


def recovered(folder: Path) -> Recovered:
    """Do what every codeblue does first that changes something; return what is said of each step."""
    bench = Bench(folder)
    with alone(folder):
        bench.kept.sweep()
        return [(step.event, text.say("en")) for _, step, text in bench.executor.recover()]


def killed(flow: Flow, start: Start, every: int = 1) -> Count:
    """Kill at each point and recover; at each ``every``-th kill the recovery at each of its points too."""
    flow.starts()["undo"]()
    bench, work = start()
    seen = traced(work, CHANGING)
    assert seen.code == 0
    count, length = Count(), len(_journal(start()[0]))
    for point in range(len(seen.calls) + 1):
        bench = _killed(start, point)
        lines = _journal(bench)
        _judge(flow, bench, count, recovered(bench.folder), f"killed before call {point}")
        if len(lines) > length:  # the last line is not synced yet
            length = len(lines)
            bench = _killed(start, point)
            lines = _journal(bench)
            _path(bench).write_bytes(lines[: -(len(lines.splitlines()[-1]) // 2)])
            _judge(flow, bench, Count(), recovered(bench.folder), f"cut before call {point}", cut=True)
            count.cut += 1
        if point % every == 0:
            count.again += _killed_again(flow, start, point)
    return count


def _killed_again(flow: Flow, start: Start, point: int) -> int:
    """Kill the recovery from one kill at each of its points; return how many there were."""
    again = 0
    for again in itertools.count():
        bench = _killed(start, point)
        ended = traced(partial(_recover, bench.folder), CHANGING, kill=again).code == 0
        where = f"killed before call {point}, its recovery before call {again}"
        _judge(flow, bench, Count(), recovered(bench.folder), where)
        if ended:
            break
    return again


def _recover(folder: Path) -> None:
    recovered(folder)


def _killed(start: Start, point: int) -> Bench:
    bench, work = start()
    traced(work, CHANGING, kill=point)
    return bench


def _path(bench: Bench) -> Path:
    return bench.folder / "journal.jsonl"


def _journal(bench: Bench) -> bytes:
    return _path(bench).read_bytes() if _path(bench).exists() else b""


def _judge(flow: Flow, bench: Bench, count: Count, told: Recovered, where: str, cut: bool = False) -> None:
    found = flow.state()
    assert found in (flow.old, flow.new), f"{where}: something between"
    assert not any(RUN in path for path in found[0]), f"{where}: a temporary file is left"
    assert not list(bench.folder.glob("before/*.*")), f"{where}: half a before-image is left"
    assert len(bench.journal.damaged()) <= cut, f"{where}: the journal is damaged"
    _judge_journal(bench, found == flow.new, told, where)
    assert recovered(bench.folder) == [], f"{where}: recovered once more"
    assert flow.state() == found
    count.points += 1
    count.old += found == flow.old
    count.new += found == flow.new


def _judge_journal(bench: Bench, new: bool, told: Recovered, where: str) -> None:
    """What the journal and the recovery say is what is there."""
    runs = bench.journal.runs()
    assert runs or not new, where
    for run in runs:
        assert run.ended, f"{where}: no end"
        last = [run.last_of(step).event for step in run.steps()]
        assert set(last) <= ({Event.DONE} if new else {Event.FAILED, Event.BACK}), f"{where}: {last}"
        assert (run.settled is Event.FIXED) or not new, where
    assert not any("may be half done" in text or "could not" in text for _, text in told), where


def leave_network() -> None:
    """Let settings of the network from now on be those of this process only."""
    assert ctypes.CDLL(None).unshare(NEW_NETWORK) == 0
