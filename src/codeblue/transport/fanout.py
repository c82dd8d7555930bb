"""Start many programs, a few at a time, hand each the same text, and collect what they say."""

import os
import signal
import subprocess
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from selectors import EVENT_READ, DefaultSelector

from msgspec import Struct

from codeblue.transport.complaints import last
from codeblue.transport.frames import Frames, Voices
from codeblue.transport.starting import started

WORDS = 4096
"""Bytes kept of what a program complains about."""
WORDS_OF_MANY = 1 << 20
"""Bytes of the complaints of many."""
LONGEST = 1 << 20
"""Bytes of a line; a longer one is none of ours."""
LEFT = 32
"""Reads of what an ended program has left in its pipes; they hold a megabyte at most."""
PAUSE = 0.2
"""Seconds after which a program with open pipes is looked at again, whether it has ended."""


class Job(Struct, frozen=True):
    """One program to start."""

    name: str
    command: Sequence[str]
    labelled: bool = False
    """True if it hands on the lines of many, each behind a label of its own."""


class Told(Struct, frozen=True):
    """The whole answer of one of many."""

    job: str
    name: str
    """As it has introduced itself; its label if it has not."""
    document: bytes | None
    """None for an introduction: it was started and has not answered yet."""
    seconds: float


class Ended(Struct, frozen=True):
    """What became of a job."""

    name: str
    document: bytes | None
    code: int | None
    """None if it was ended at its deadline."""
    words: str
    """Its last line of complaint that says why."""
    seconds: float
    complaints: tuple[str, ...] = ()
    """Of one that speaks for many all lines of complaint; a label has become the name behind it."""


class _Working:
    def __init__(self, job: Job, text: int, marker: str, seconds: float) -> None:
        self.job = job
        self.frames: Frames | Voices = Voices(marker) if job.labelled else Frames(marker)
        self.words = WORDS_OF_MANY if job.labelled else WORDS
        self.began = time.monotonic()
        self.deadline = self.began + seconds
        self.buffer, self.errors, self.complete = b"", b"", False
        self.looked = self.began
        stdin = os.open(f"/proc/self/fd/{text}", os.O_RDONLY)  # a place of its own in the same text
        try:
            self.child = started(
                list(job.command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        finally:
            os.close(stdin)
        assert self.child.stdout and self.child.stderr
        self.pipes = {self.child.stdout.fileno(): True, self.child.stderr.fileno(): False}

    def take(self, pipe: int) -> bool:
        """Read once; return False at the end of the pipe."""
        chunk = os.read(pipe, 1 << 16)
        if not self.pipes[pipe]:
            self.errors = (self.errors + chunk)[-self.words :]
        else:
            *lines, rest = (self.buffer + chunk).split(b"\n")
            self.buffer = rest[-LONGEST:]
            self.complete = any(self.frames.take(line) for line in lines) or self.complete
        return bool(chunk)

    def over(self, now: float) -> bool:
        """Return True if it has said all, or has ended and all that it has said is read."""
        # Something that was left behind over there may keep the connection open: a whole answer is enough.
        if self.complete or (not self.pipes and self.child.poll() is not None):
            return True
        if not self.pipes or now - self.looked < PAUSE:
            return False
        self.looked = now
        # What it has started here, such as a master connection of ssh, may keep a pipe open.
        if self.child.poll() is None:
            return False
        self._drain()
        return True

    def _drain(self) -> None:
        for pipe in self.pipes:
            os.set_blocking(pipe, False)
            with suppress(BlockingIOError):
                any(not self.take(pipe) for _ in range(LEFT))

    def told(self) -> Iterator[Told]:
        """Yield what was introduced or answered since the last time."""
        if isinstance(self.frames, Voices):
            seconds = round(time.monotonic() - self.began, 3)
            for name, document in self.frames.news():
                yield Told(self.job.name, name, document, seconds)

    def end(self) -> None:
        with suppress(OSError):
            os.killpg(self.child.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self.child.wait(0.05)
        for stream in (self.child.stdout, self.child.stderr):
            if stream:
                stream.close()

    def ended(self, late: bool) -> Ended:
        code = None if late else self.child.poll()
        seconds = round(time.monotonic() - self.began, 3)
        words = last(self.errors)
        if isinstance(self.frames, Voices):
            lines = (line.strip() for line in self.errors.decode("utf-8", "replace").splitlines())
            complaints = tuple(self.frames.named(line) for line in lines if line)
            return Ended(self.job.name, None, code, words, seconds, complaints)
        return Ended(self.job.name, self.frames.document(), code, words, seconds)


def fan_out(jobs: Iterable[Job], text: str, marker: str, *, limit: int, seconds: float) -> Iterator[Ended]:
    """Yield each job as it ends, at most ``limit`` at work at once, each for ``seconds`` at most.

    When the iterator is closed, or its user fails, what is at work is ended.
    """
    with closing(told_by_many(jobs, text, marker, limit=limit, seconds=seconds)) as news:
        yield from (one for one in news if isinstance(one, Ended))


def told_by_many(
    jobs: Iterable[Job], text: str, marker: str, *, limit: int, seconds: float
) -> Generator[Told | Ended]:
    """Do the same for jobs that speak for many: yield each answer as it comes, and each job as it ends."""
    waiting, working = iter(jobs), list[_Working]()
    descriptor = os.memfd_create("program")
    selector = DefaultSelector()
    try:
        os.write(descriptor, text.encode())
        more = True
        while more or working:
            while more and len(working) < limit:
                job = next(waiting, None)
                if job is None:
                    more = False
                    break
                try:
                    one = _Working(job, descriptor, marker, seconds)
                except OSError as error:
                    yield Ended(job.name, None, 127, error.strerror or str(error), 0.0)
                    continue
                working.append(one)
                for pipe in one.pipes:
                    selector.register(pipe, EVENT_READ, one)
            _hear(working, selector)
            for one in working:
                yield from one.told()
            yield from _ended(working, selector)
    finally:
        for one in working:
            one.end()
        selector.close()
        os.close(descriptor)


def _hear(working: Sequence[_Working], selector: DefaultSelector) -> None:
    """Take what comes within a moment."""
    if not selector.get_map():
        time.sleep(0.005)  # all pipes are closed, the programs are about to end
        return
    left = min((one.deadline for one in working), default=0.0) - time.monotonic()
    for key, _ in selector.select(max(0.0, min(left, 0.5))):
        one: _Working = key.data
        if not one.take(key.fd):
            selector.unregister(key.fd)
            del one.pipes[key.fd]


def _ended(working: list[_Working], selector: DefaultSelector) -> Iterator[Told | Ended]:
    """Yield the programs that have ended, have said all, or are late, behind their last answers."""
    now = time.monotonic()
    for one in list(working):
        over = one.over(now)
        if not over and now < one.deadline:
            continue
        for pipe in one.pipes:
            selector.unregister(pipe)
        yield from one.told()
        ended = one.ended(late=not over)
        one.end()
        working.remove(one)
        yield ended
