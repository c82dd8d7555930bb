"""Chunks of whole lines to a tally: candidates from the engine, the last word from the signatures."""

from collections.abc import Iterable
from typing import NamedTuple

from codeblue.sources.logs import FINAL_ERROR, NCCL_HOST, NOTE, bodies, captured, clean, matching
from codeblue.sources.redaction import WHOLE
from codeblue.sources.scan import whose
from codeblue.sources.scan.chunks import LINE
from codeblue.sources.scan.clock import Clock, Place
from codeblue.sources.scan.engines import Engine, Events
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.streams import Streams
from codeblue.sources.scan.tally import FINAL, Found, Key, Tally
from codeblue.sources.scan.tidy import decoded, ends, plain, tidied

WAITING = 64
"""Lines that wait to be told whether they are final errors; nearly all of them are soon forgotten."""


class About(NamedTuple):
    """What is known of a file before it is read."""

    owner: whose.Whose = whose.NOBODY
    numbered: bool = False
    """Bare numbers in front of lines are ranks."""
    counted: bool = True
    """Lines of each label are counted."""


class Line(NamedTuple):
    """A candidate: where it stands in the chunk, and the expressions that were found in it."""

    start: int
    end: int
    numbers: set[int]


class Scanner:
    """Reads one file, or a part of it, chunk by chunk."""

    def __init__(self, rules: Rules, engine: Engine, about: About) -> None:
        self.tally = Tally()
        self.streams = Streams(engine, about.numbered, about.counted)
        self.lines = 0
        self._rules = rules
        self._engine = engine
        self._about = about
        self._clock = Clock()
        self._odd: list[str] = []
        """Lines that may be final errors."""

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk, which ends with a line."""
        numbered = text = chunk
        if self._engine.dirty(chunk):
            numbered, text = tidied(chunk)
        events = self._engine.search(text)
        at, line = 0, self.lines
        if events:
            at, line = self._judge(numbered, text, _by_line(text, events))
        after = line + ends(numbered, at, len(numbered))
        self.streams.feed(text, numbered, self.lines, after - self.lines)
        self._clock.passed(text)
        self.lines = after

    def _judge(self, numbered: bytes, text: bytes, lines: Iterable[Line]) -> tuple[int, int]:
        """Judge candidates; return how far lines were counted, and the number there."""
        at, number = 0, self.lines
        for line in lines:
            number += ends(numbered, at, line.start)
            at = line.start
            words = plain(text[line.start : min(line.end, line.start + LINE)])
            seen = self._seen(text, line, number, words)
            if not seen and self._rules.error in line.numbers:
                self._odd.append(words)
        if len(self._odd) > WAITING:
            self._final_errors()
        return at, number

    def _seen(self, text: bytes, line: Line, number: int, words: str) -> bool:
        """Let the signatures judge a line; tell whether it is a sighting."""
        faults: set[str] = set()
        for fault, _ in matching(words, self._rules.members(line.numbers, words, faults)):
            faults.add(fault)
        if not faults:
            return False
        rank, host = self._whose(words)
        full = [group for fault in faults if (group := self.tally.full(Key(fault, rank, host)))]
        for group in full:
            group.seen(number, None)
            self._clock.last(group, line.start, line.end)
        if len(full) < len(faults):
            self._keep(text, line, number, words, whose.Whose(rank, host))
        return True

    def _keep(self, text: bytes, line: Line, number: int, words: str, owner: whose.Whose) -> None:
        """Keep a line for each fault of which there are not enough yet, with the values in it."""
        values: dict[str, dict[str, str]] = {}
        for fault, found in matching(words, self._rules.members(line.numbers, words)):
            values[fault] = {**captured(found), **values.get(fault, {})}
        for fault, told in values.items():
            group = self.tally.group(Key(fault, owner.rank, owner.host))
            if not group.full:
                at = self._clock.stamp(Place(text, line.start, line.end))
                group.add(Found(number, words[:WHOLE], told, at, NOTE.match(words) is not None))

    def _whose(self, line: str) -> whose.Whose:
        found = whose.of_line(line, self._about.numbered)
        if found.host:
            self.tally.hosts.add(found.host)
        owner = self._about.owner
        return whose.Whose(owner.rank if found.rank is None else found.rank, found.host or owner.host)

    def close(self) -> None:
        """Look at what was left for later, when everything was read."""
        self._final_errors()
        self._clock.close()
        self.streams.close()

    def _final_errors(self) -> None:
        """Keep the last few final errors of the lines that waited."""
        found: list[str] = []
        for words in reversed(self._odd):
            if not NOTE.match(words) and any(map(FINAL_ERROR.match, bodies(words))):
                found.append(words[:WHOLE])
                if len(found) == FINAL:
                    break
        self.tally.errors.extend(reversed(found))
        self._odd.clear()

    def first_lines(self, chunk: bytes) -> None:
        """Learn the host names in the first chunk of a file, where NCCL introduces itself."""
        at = chunk.find(b"NCCL ")
        while at >= 0:
            start = chunk.rfind(b"\n", 0, at) + 1
            host = NCCL_HOST.match(clean(decoded(chunk[start : at + 5])))
            if host:
                self.tally.hosts.add(host.group(1))
            end = chunk.find(b"\n", at)
            at = chunk.find(b"NCCL ", end) if end >= 0 else -1


def _by_line(text: bytes, events: Events) -> Iterable[Line]:
    """Yield the lines of events, in order."""
    events.sort()
    line: Line | None = None
    for offset, number in events:
        if line is None or offset > line.end:
            if line is not None:
                yield line
            start = text.rfind(b"\n", 0, offset - 1) + 1
            end = text.find(b"\n", offset - 1)
            line = Line(start, len(text) if end < 0 else end, {number})
        else:
            line.numbers.add(number)
    if line is not None:
        yield line
