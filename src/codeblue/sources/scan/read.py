"""A log, a folder of logs or a stream to sightings, whatever its size."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader, BytesIO, RawIOBase
from typing import Any, BinaryIO

from codeblue.model.facts import Sighting, Sightings, Skipped, Stream
from codeblue.sources.logs import Signatures
from codeblue.sources.scan import work
from codeblue.sources.scan.engines import installed
from codeblue.sources.scan.files import below, unreadable
from codeblue.sources.scan.opened import NotText
from codeblue.sources.scan.tally import newest
from codeblue.sources.scan.whose import NOBODY, Whose, of_files
from codeblue.sources.scan.work import SMALL, Part, Task, Worker

STDIN = "-"
PASTED = "stdin"
"""What standard input is called in evidence."""
MOST_SIGHTINGS = 5000
"""Sightings kept of a folder; in so many files the same faults are seen again and again."""
MOST_STREAMS = 10_000


class Scanned:
    """What was found, and what was not read."""

    def __init__(self) -> None:
        self.seen: list[Sighting] = []
        self.errors: list[str] = []
        self.streams: list[Stream] = []
        self.hosts: set[str] = set()
        self.skipped: list[Skipped] = []
        """Files that were not read, or not to their end."""
        self.files = 0
        """Files that were read."""
        self.text: bytes | None = None
        """The whole text, if a single short one was read."""

    def add(self, part: Part, owner: Whose) -> None:
        """Add a whole file."""
        if part.why is not None:
            self.skipped.append(part.why)
        if part.tally is None or part.streams is None:
            return
        self.files += 1
        self.text = part.text if self.files == 1 else None
        room = MOST_SIGHTINGS - len(self.seen)
        self.seen += part.tally.sightings(part.path)[:room]
        self.errors = newest([*self.errors, *part.tally.errors])
        self.streams += list(part.streams.rows(part.path, owner))[: MOST_STREAMS - len(self.streams)]
        self.hosts |= part.tally.hosts | part.streams.hosts

    def sightings(self, source: str) -> Sightings:
        """Return everything as a section."""
        return Sightings(
            seen=self.seen,
            unrecognised_errors=self.errors,
            streams=self.streams,
            skipped=self.skipped,
            source=source,
        )


def scan(
    path: str,
    signatures: Signatures,
    processes: int | None = None,
    engines: Sequence[str] | None = None,
) -> Scanned:
    """Return what the signatures see in a file, in the files below a folder, or in the standard input.

    Raises OSError if there is nothing at ``path``; what cannot be read is listed as skipped.
    ``engines`` and ``processes`` are chosen after the size of the whole unless they are given.
    """
    result = Scanned()
    if path == STDIN:
        return _stream(result, 0, path, signatures, engines)
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        files = list(below(path, result.skipped))
    elif stat.S_ISREG(status.st_mode):
        files = [(path, status.st_size)]
    else:
        return _stream(result, os.open(path, os.O_RDONLY), path, signatures, engines)
    owners = of_files([file for file, _ in files])
    total = sum(size for _, size in files)
    names = engines or (("stdlib",) if total < SMALL else installed())
    enough = total < work.PART and len(files) < work.BATCH
    count = processes or (1 if enough else work.default_processes())
    batches = work.tasks(files, owners, count)
    if count == 1:
        worker = Worker(signatures, names)
        parts: Iterable[Part] = (worker.read(task) for batch in batches for task in batch)
    else:
        parts = work.in_processes(batches, count, signatures, names)
    for part in _whole(parts):
        result.add(part, owners.get(part.path, NOBODY))
    return result


def _stream(
    result: Scanned, descriptor: int, path: str, signatures: Signatures, engines: Sequence[str] | None
) -> Scanned:
    """Read what has no size: nobody knows how long it will be, but if it ends soon."""
    name = PASTED if path == STDIN else path
    with open(descriptor, "rb", closefd=path != STDIN) as file:
        try:
            head = file.read(SMALL)
            short = len(head) < SMALL
            worker = Worker(signatures, engines or (("stdlib",) if short else installed()))
            whole: BinaryIO = BytesIO(head) if short else BufferedReader(_Rejoined(head, file))
            part = worker.stream(whole, Task(name, NOBODY, size=len(head) if short else work.COUNTED + 1))
        except NotText as error:
            part = Part(name, 0, why=Skipped(file=name, why=error.why, detail=error.detail))
        except OSError as error:
            part = Part(name, 0, why=unreadable(name, error))
    result.add(part, NOBODY)
    return result


class _Rejoined(RawIOBase):
    """A stream with the bytes in front that have been read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        """Return True: there is nothing else to do with it."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer with the next bytes."""
        block = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(block) :] if self._head else b""
        buffer[: len(block)] = block
        return len(block)


def _whole(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield one part a file: those of a large one are joined in their order."""
    whole: Part | None = None
    for part in parts:
        if whole is None or part.path != whole.path:
            if whole is not None:
                yield whole
            whole = part
        elif whole.tally is None or part.tally is None or whole.streams is None or part.streams is None:
            whole = whole._replace(why=whole.why or part.why)
        else:
            whole.tally.join(part.tally, whole.lines)
            whole.streams.join(part.streams, whole.lines)
            whole = whole._replace(lines=whole.lines + part.lines)
    if whole is not None:
        yield whole
