"""The journal: append-only, one JSON line per event, on the disk before the next thing happens."""

import hashlib
import os
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import msgspec
from msgspec import structs

from codeblue import state
from codeblue.model.journal import Event, Record
from codeblue.model.plan import Refused
from codeblue.model.text import message
from codeblue.remedy import store
from codeblue.remedy.started import at_work


class Journal:
    """The journal in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / state.JOURNAL

    def add(self, record: Record) -> None:
        """Append one event and write it through. Raises Refused if that is not possible."""
        lines = self._lines()
        timed = structs.replace(record, time=_now(), after=_mark(lines[-1]) if lines else "")
        try:
            self._append(msgspec.json.encode(timed) + b"\n")
        except OSError as error:
            raise Refused(
                message(
                    "{path}: the journal cannot be written ({why}); nothing more is changed",
                    "{path}：无法写入操作日志（{why}）；不再做任何改动",
                    path=self._path,
                    why=error.strerror or error,
                )
            ) from None

    def _append(self, line: bytes) -> None:
        fresh = not self._path.exists()
        descriptor = os.open(
            self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        try:
            size = os.fstat(descriptor).st_size
            # A line that was cut short by a crash stays one line of its own.
            cut = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            rest = memoryview(b"\n" + line if cut else line)
            while rest:  # a disk that becomes full takes a part, and refuses the next
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if fresh:
            store.sync(self.folder)

    def records(self) -> list[Record]:
        """Return all events, oldest first; lines that cannot be read are left out (see ``damaged``)."""
        return [record for _, record in self._decoded() if record is not None]

    def damaged(self) -> list[int]:
        """Return the numbers of lines, from 1, that cannot be read or do not follow the line before."""
        found = []
        before = b""
        for number, (line, record) in enumerate(self._decoded(), start=1):
            follows = record is not None and record.after == (_mark(before) if before else "")
            if not follows:
                found.append(number)
            before = line
        return found

    def _decoded(self) -> Iterator[tuple[bytes, Record | None]]:
        for line in self._lines():
            try:
                yield line, msgspec.json.decode(line, type=Record)
            except msgspec.MsgspecError:
                yield line, None

    def _lines(self) -> list[bytes]:
        try:
            return [line for line in self._path.read_bytes().split(b"\n") if line]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Refused(
                message(
                    "{path}: the journal cannot be read ({why})",
                    "{path}：无法读取操作日志（{why}）",
                    path=self._path,
                    why=error.strerror or error,
                )
            ) from None

    def runs(self) -> "list[Run]":
        """Return the runs, oldest first."""
        found: dict[str, Run] = {}
        for record in self.records():
            found.setdefault(record.run, Run(record.run, [])).records.append(record)
        return list(found.values())


class Run:
    """The events of one run."""

    def __init__(self, name: str, records: list[Record]) -> None:
        self.name = name
        self.records = records

    @property
    def begin(self) -> Record:
        """Return the first event, which says who, why and where."""
        return self.records[0]

    @property
    def ended(self) -> bool:
        """Return whether the run came to an end; taking it back later opens it again until that ends."""
        return self.records[-1].event is Event.END

    @property
    def awaiting(self) -> bool:
        """Return whether a reboot has to show whether it helped."""
        return self.settled is Event.AWAITING and bool(self.standing())

    @property
    def stands(self) -> bool:
        """Return whether it was carried out to its end: it helped, or a reboot has to show that."""
        return any(record.event in (Event.FIXED, Event.AWAITING) for record in self.records)

    @property
    def going_back(self) -> bool:
        """Return whether taking it back was begun."""
        return any(record.event in GOING_BACK for record in self.records)

    @property
    def settled(self) -> Event | None:
        """Return the last word on whether it helped; None if there is none yet."""
        return next((one.event for one in reversed(self.records) if one.event in VERDICTS), None)

    def at_work(self) -> Record | None:
        """Return a program of an unended run that still runs, None if there is none."""
        return None if self.ended else next((one for one in reversed(self.records) if at_work(one)), None)

    def last_of(self, step: int) -> Record:
        """Return the last event of a step."""
        return [record for record in self.records if record.step == step][-1]

    def steps(self) -> list[int]:
        """Return the numbers of the steps that were begun, in their order."""
        return sorted({record.step for record in self.records if record.step >= 0})

    def standing(self) -> list[Record]:
        """Return the steps that were done and not taken back, in their order."""
        last = [self.last_of(step) for step in self.steps()]
        done = {record.step: record for record in self.records if record.event is Event.DONE}
        return [done[one.step] for one in last if one.event in STANDING and one.step in done]


VERDICTS = (Event.FIXED, Event.NOT_FIXED, Event.AWAITING)
GOING_BACK = (Event.BACK_INTENT, Event.BACK, Event.BACK_FAILED)
STANDING = (Event.DONE, Event.BACK_FAILED)


def _mark(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()[:16]


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
