"""Files, parts of files and streams to parts of an answer: here, or in several processes."""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO, NamedTuple

from codeblue.model.facts import Skipped
from codeblue.sources.logs import Signatures
from codeblue.sources.scan.chunks import LINE, chunks, line_starts, slices
from codeblue.sources.scan.engines import Engine, engine
from codeblue.sources.scan.files import unreadable
from codeblue.sources.scan.opened import NotText, opened
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.scanner import About, Scanner
from codeblue.sources.scan.streams import Streams
from codeblue.sources.scan.tally import Tally
from codeblue.sources.scan.tidy import decoded
from codeblue.sources.scan.whose import Whose, numbered

PART = 64 << 20
"""Bytes of a large file that one process reads at a time, at least."""
PARTS = 4
"""Parts of a large file for each process: each part keeps the first lines of each fault anew."""
BATCH = 200
"""Small files that one process reads at a time."""
SMALL = 1 << 20
"""Bytes. Smaller files are read in batches; a smaller whole is read without a fast engine."""
COUNTED = 64 << 20
"""Bytes. In a larger file the lines of each label are not counted."""
KEPT = 512 << 10
"""Bytes of a text that is short enough to be looked at as a whole."""
MOST_PROCESSES = 8


class Task(NamedTuple):
    """A file, or the part of it between two starts of lines."""

    path: str
    owner: Whose
    start: int = 0
    end: int | None = None
    """None stands for the whole file, whatever it is packed as."""
    size: int = 0


class Part(NamedTuple):
    """What one task found; a file that was not read has a reason instead."""

    path: str
    start: int
    lines: int = 0
    tally: Tally | None = None
    streams: Streams | None = None
    why: Skipped | None = None
    """Why the file was not read, or not to its end."""
    text: bytes | None = None
    """All of a short text."""


class Worker:
    """Reads tasks with one engine."""

    def __init__(self, signatures: Signatures, names: Sequence[str] | None) -> None:
        self.rules = Rules(signatures)
        self.engine: Engine = engine(self.rules, names)

    def read(self, task: Task) -> Part:
        """Return what a task gives; trouble with the file is part of the answer."""
        try:
            with open(task.path, "rb", buffering=0 if task.end is not None else -1) as file:
                if task.end is not None:
                    return self._slice(file.fileno(), task, task.end)
                return self.stream(file, task)
        except NotText as error:
            return Part(
                task.path, task.start, why=Skipped(file=task.path, why=error.why, detail=error.detail)
            )
        except OSError as error:
            return Part(task.path, task.start, why=unreadable(task.path, error))

    def _slice(self, descriptor: int, task: Task, end: int) -> Part:
        head = os.pread(descriptor, LINE, 0)
        scanner = self._scanner(task, head)
        _feed(scanner, slices(descriptor, task.start, end), task.start == 0)
        return Part(task.path, task.start, scanner.lines, scanner.tally, scanner.streams)

    def stream(self, file: BinaryIO, task: Task) -> Part:
        """Return what an open file gives. Raises NotText."""
        log, source = opened(file)
        scanner = self._scanner(task, log.head)
        kept = _Kept()
        _feed(scanner, kept.passing(chunks(log.stream)), True)
        cut = _cut_short(task.path, source.damage) if source.damage else None
        return Part(task.path, 0, scanner.lines, scanner.tally, scanner.streams, cut, kept.text)

    def _scanner(self, task: Task, head: bytes) -> Scanner:
        lines = [decoded(raw) for raw in head.splitlines()[:500]]
        return Scanner(self.rules, self.engine, About(task.owner, numbered(lines), task.size <= COUNTED))


class _Kept:
    """Keeps what passes as long as it is short."""

    def __init__(self) -> None:
        self.text: bytes | None = b""

    def passing(self, read: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in read:
            if self.text is not None:
                self.text = self.text + chunk if len(self.text) + len(chunk) <= KEPT else None
            yield chunk


def _feed(scanner: Scanner, read: Iterable[bytes], first: bool) -> None:
    for chunk in read:
        if first:
            scanner.first_lines(chunk)
            first = False
        scanner.feed(chunk)
    scanner.close()


def _cut_short(path: str, why: str) -> Skipped:
    return Skipped(file=path, why="damaged", detail=why)


def tasks(files: Iterable[tuple[str, int]], owners: dict[str, Whose], processes: int) -> Iterator[list[Task]]:
    """Yield tasks in the order of the files: one part of a large file, or a batch of small ones."""
    batch: list[Task] = []
    for path, size in files:
        owner = owners.get(path, Whose())
        if size < SMALL:
            batch.append(Task(path, owner, size=size))
            if len(batch) == BATCH:
                yield batch
                batch = []
            continue
        if batch:
            yield batch
            batch = []
        yield from ([task] for task in _parts(path, size, owner, processes))
    if batch:
        yield batch


def _parts(path: str, size: int, owner: Whose, processes: int) -> Iterator[Task]:
    """Yield the parts of a large file; one that is packed has only one."""
    whole = Task(path, owner, size=size)
    step = size if processes == 1 else max(PART, size // (processes * PARTS))
    try:
        with open(path, "rb") as file:
            if not opened(file)[0].plain:
                yield whole
                return
            starts = line_starts(file.fileno(), size, step)
    except (OSError, NotText):
        # The reason is found again, and told, by the one who reads the file.
        yield whole
        return
    for start, end in pairwise(starts):
        yield Task(path, owner, start, end, size)


_worker: Worker | None = None
"""The worker of this process, made once."""


def _prepare(signatures: Signatures, names: Sequence[str] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted too, and ends them
    _make(signatures, names)


def _make(signatures: Signatures, names: Sequence[str] | None) -> None:
    global _worker  # a pool hands its processes nothing else to keep things in
    _worker = _worker or Worker(signatures, names)


def _forget() -> None:
    global _worker
    _worker = None


def _read(batch: list[Task]) -> list[Part]:
    assert _worker is not None
    return [_worker.read(task) for task in batch]


def in_processes(
    batches: Iterable[list[Task]], processes: int, signatures: Signatures, names: Sequence[str] | None
) -> Iterator[Part]:
    """Yield the parts in order, read in several processes, few of them waiting at a time.

    Processes are forked as long as this one has a single thread: that takes a millisecond and
    shares what is loaded. Otherwise a lock that another thread holds would stay locked in the
    child for ever, and they are started afresh.
    """
    import multiprocessing
    import threading
    from collections import deque
    from concurrent.futures import Future, ProcessPoolExecutor

    fork = threading.active_count() == 1
    if fork:
        _make(signatures, names)
    context = multiprocessing.get_context("fork" if fork else "spawn")
    pool = ProcessPoolExecutor(processes, context, _prepare, (signatures, names))
    try:
        waiting: deque[Future[list[Part]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(_read, batch))
            if len(waiting) > 2 * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        _forget()


def default_processes() -> int:
    """Return how many processes are worth starting here."""
    return min(len(os.sched_getaffinity(0)), MOST_PROCESSES)
