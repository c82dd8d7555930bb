"""The journal of a repair of many nodes: a JSON line an event, on the disk before anything else happens."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import json, structs

from codeblue.fleet.errands import now
from codeblue.fleet.store import Store
from codeblue.model.fleet import Run
from codeblue.model.rollout import STANDING, Entry, Event, NodePlan, Outcome
from codeblue.model.text import message
from codeblue.sources.target import Unusable

PLANS = "fix-{fault}-plans.json"
LINES = "fix-{fault}.jsonl"


def kept_plans(store: Store, run: Run, fault: str) -> list[NodePlan]:
    """Return the plans of the last preview; none if there was no preview. Raises Unusable."""
    name = f"{run.id}/{PLANS.format(fault=fault)}"
    if not store.files.names(name):
        return []
    try:
        return json.decode(store.files.read(name), type=list[NodePlan])
    except msgspec.MsgspecError as error:
        raise Unusable(
            message("{name}: cannot be read: {why}", "{name}：无法读取：{why}", name=name, why=error)
        ) from None


def keep_plans(store: Store, run: Run, fault: str, plans: list[NodePlan]) -> None:
    """Keep the plans of a preview. Raises Unusable."""
    store.files.write(f"{run.id}/{PLANS.format(fault=fault)}", json.encode(plans))


def faults(store: Store, run: Run) -> list[str]:
    """Return the faults for which the run has a journal."""
    ending = LINES.partition("{fault}")
    names = (name.rpartition("/")[2] for name in store.files.names(f"{run.id}/{LINES.format(fault='*')}"))
    return [name.removeprefix(ending[0]).removesuffix(ending[2]) for name in names]


class Journal:
    """The lines of one repair."""

    def __init__(self, path: Path, fault: str) -> None:
        self._path, self._fault = path, fault
        self.entries = list(_entries(path))

    def add(self, event: Event, **told: object) -> None:
        """Append a line and write it through. Raises Unusable."""
        entry = msgspec.convert(
            {"time": now(), "event": event.value, "fault": self._fault} | told, Entry, strict=False
        )
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                rest = memoryview(json.encode(entry) + b"\n")
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise Unusable(
                message(
                    "{path}: the journal cannot be written ({why}); no other node is touched",
                    "{path}：无法写入操作日志（{why}）；不再改动其他节点",
                    path=self._path,
                    why=error.strerror or error,
                )
            ) from None
        self.entries.append(entry)

    def last(self) -> dict[str, Entry]:
        """Return what became of each node; one that was asked and has told nothing is silent."""
        found: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.event is Event.ASKED:
                found[entry.node] = structs.replace(entry, outcome=Outcome.SILENT)
            elif entry.event in (Event.OUTCOME, Event.UNDONE):
                found[entry.node] = entry
        return found

    def standing(self) -> dict[str, Entry]:
        """Return the nodes that are repaired or may be, and were not taken back."""
        may = (*STANDING, Outcome.SILENT, Outcome.FAILED)
        return {
            name: entry
            for name, entry in self.last().items()
            if entry.event is not Event.UNDONE and entry.outcome in may and entry.plan
        }


@contextmanager
def journal(store: Store, run: Run, fault: str) -> Iterator[Journal]:
    """Give the journal of a run, alone. Raises Unusable if somebody else is at it."""
    if not store.files.local:
        raise Unusable(
            message(
                "{root}: a repair keeps its journal on a disk of this machine; give --store FOLDER",
                "{root}：修复的操作日志须保存在本机磁盘上；请用 --store 目录",
                root=store.files.root,
            )
        )
    path = Path(store.files.root) / run.id / LINES.format(fault=fault)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unusable(
            message(
                "{path}: no journal can be kept: {why}",
                "{path}：无法保存操作日志：{why}",
                path=path,
                why=error.strerror or error,
            )
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield Journal(path, fault)
    except BlockingIOError:
        raise Unusable(
            message(
                "run {run}: another codeblue is repairing {fault}; wait until it has ended",
                "运行 {run}：另一个 codeblue 正在修复 {fault}；请等它结束",
                run=run.id,
                fault=fault,
            )
        ) from None
    finally:
        os.close(descriptor)


def _entries(path: Path) -> Iterable[Entry]:
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            yield json.decode(line, type=Entry)
        except msgspec.MsgspecError:
            continue  # cut short when codeblue or the machine died; the node counts as silent
