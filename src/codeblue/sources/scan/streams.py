"""Who wrote a file, from when to when: the whole of it, and each of several that share it."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter

from codeblue.model.facts import Stream
from codeblue.sources.logs import KEEP, NCCL_HOST
from codeblue.sources.scan.engines import Engine, Present, present_by_search
from codeblue.sources.scan.tidy import decoded, ends, plain
from codeblue.sources.scan.times import Stamp, stamp
from codeblue.sources.scan.whose import LABEL, RANKED, Whose

SAMPLE = 4 << 10
"""Bytes at the start of each chunk whose lines are looked at one by one."""
SHORT = 256 << 10
"""Bytes of a text that is searched for labels one by one."""
BACK = 20
"""Lines looked at for the last time of a stream, and for the first."""
MOST = 4096
"""Labels of one file; more are no labels."""


class Mark:
    """The first and the last line of one stream within a part of a file."""

    __slots__ = ("before", "first", "last", "lines", "number", "raw", "text")

    def __init__(self) -> None:
        self.first: Stamp | None = None
        self.last: Stamp | None = None
        self.lines: int | None = None
        self.number = -1
        self.text = ""
        self.raw = b""
        """Its last line, and ``before`` what stands in front of that: looked at when all is read."""
        self.before = b""

    def close(self, token: bytes) -> None:
        """Find the last line's text and time; a line without one has that of the line before."""
        self.text = plain(self.raw)[:KEEP]
        own = (raw for raw in reversed(self.before.split(b"\n")) if raw.startswith(token))
        near = (stamp(plain(raw)) for raw in (self.raw, *islice(own, BACK)))
        self.last = next(filter(None, near), None)
        self.raw = self.before = b""

    def join(self, later: "Mark", lines: int) -> None:
        """Add a later part, which begins after so many lines."""
        self.first = self.first or later.first
        self.last = later.last or self.last
        if later.number >= 0:
            self.number, self.text = later.number + lines, later.text
        self.lines = None if self.lines is None or later.lines is None else self.lines + later.lines


class Streams:
    """Collects the streams of a part of a file, chunk by chunk.

    ``counted`` asks for the lines of each label too, which takes a look at every line.
    """

    def __init__(self, engine: Engine, numbered: bool, counted: bool) -> None:
        self.whole = Mark()
        self.whole.lines = 0
        self.marks: dict[str, Mark] = {}
        self.hosts: set[str] = set()
        self._engine = engine
        self._numbered = numbered
        self._counted = counted
        self._tokens: list[bytes] = []
        self._present: Present | None = None

    def feed(self, text: bytes, numbered: bytes, before: int, lines: int) -> None:
        """Take note of a chunk, which stands after ``before`` lines and has ``lines``."""
        self._sample(text)
        whole = self.whole
        if whole.first is None:
            whole.first = next(filter(None, map(stamp, _lines(text[:SAMPLE]))), None)
        whole.lines = (whole.lines or 0) + lines
        end = len(text) - 1 if text.endswith(b"\n") else len(text)
        at = text.rfind(b"\n", 0, end) + 1
        whole.raw, whole.before = text[at : min(end, at + KEEP)], text[max(0, at - SAMPLE) : max(0, at - 1)]
        whole.number = before + lines - (end < len(text))
        self._labelled(text, numbered, before, lines)

    def close(self) -> None:
        """Look at the last lines, when everything was read."""
        self.whole.close(b"")
        for label, mark in self.marks.items():
            mark.close(label.encode())

    def _sample(self, text: bytes) -> None:
        known = len(self.marks)
        tokens = tuple(self._tokens)
        for raw in bytes(text[:SAMPLE]).split(b"\n"):
            host = NCCL_HOST.match(plain(raw)) if b"NCCL " in raw else None
            if host:
                self.hosts.add(host.group(1))
            label = None if raw.startswith(tokens) else LABEL.match(plain(raw))
            if label and (self._numbered or not (label["srun"] or label["bare"])) and known < MOST:
                self.marks.setdefault(label["text"], Mark())
        if len(self.marks) != known:
            self._tokens = [label.encode() for label in self.marks]
            self._present = None

    def _labelled(self, text: bytes, numbered: bytes, before: int, lines: int) -> None:
        if len(self.marks) < 2:
            return
        found = []
        for number in self._search(text)(text):
            at = _last_line_with(text, self._tokens[number])
            if at is not None:
                found.append((at, number))
        # From the end backwards, so that lines are counted once.
        end, line = len(text), before + lines
        marks = list(self.marks.values())
        for at, number in sorted(found, reverse=True):
            line -= ends(numbered, at, end)
            end = at
            self._mark(marks[number], text, self._tokens[number], at, line)
        if self._counted:
            self._count(text)

    def _search(self, text: bytes) -> Present:
        """Return what finds the labels in a text; for a short one nothing is prepared."""
        if len(text) < SHORT:
            return present_by_search(self._tokens)
        if self._present is None:
            self._present = self._engine.tokens(self._tokens)
        return self._present

    def _mark(self, mark: Mark, text: bytes, token: bytes, at: int, line: int) -> None:
        if mark.first is None:
            mark.first = _first_stamp(text, token)
        end = text.find(b"\n", at, at + KEEP)
        mark.number = line
        mark.raw = text[at : end if end >= 0 else at + KEEP]
        mark.before = text[max(0, at - SAMPLE) : max(0, at - 1)]

    def _count(self, text: bytes) -> None:
        longest = max(map(len, self._tokens))
        heads = Counter(map(itemgetter(slice(longest)), bytes(text).split(b"\n")))
        for head, count in heads.items():
            label = LABEL.match(decoded(head) + " ")
            mark = self.marks.get(label["text"]) if label else None
            if mark is not None:
                mark.lines = (mark.lines or 0) + count

    def join(self, later: "Streams", lines: int) -> None:
        """Add a later part of the file, which begins after so many lines."""
        self.whole.join(later.whole, lines)
        self.hosts |= later.hosts
        for label, mark in later.marks.items():
            known = self.marks.get(label)
            if known is None:
                mark.number += lines if mark.number >= 0 else 0
                self.marks[label] = mark
            else:
                known.join(mark, lines)

    def shared(self) -> bool:
        """Tell whether several streams share the file."""
        return len([mark for mark in self.marks.values() if mark.number >= 0]) > 1

    def __getstate__(self) -> dict[str, object]:
        kept = {name: getattr(self, name) for name in ("whole", "marks", "hosts")}
        return kept

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)

    def rows(self, file: str, whose: Whose) -> Iterator[Stream]:
        """Yield the streams of the file."""
        shared = self.shared()
        yield _row(file, self.whole, None if shared else whose.rank, whose.host, "")
        if shared:
            for label, mark in self.marks.items():
                if mark.number >= 0:
                    yield _row(file, mark, _rank(label), whose.host, label)


def _row(file: str, mark: Mark, rank: int | None, host: str | None, label: str) -> Stream:
    return Stream(
        file=file,
        rank=rank,
        host=host,
        label=label.strip(),
        lines=mark.lines,
        first_time=mark.first.written if mark.first else None,
        first_when=mark.first.when if mark.first else None,
        last_time=mark.last.written if mark.last else None,
        last_when=mark.last.when if mark.last else None,
        last_line=mark.number + 1 if mark.number >= 0 else None,
        last_text=mark.text,
    )


def _rank(label: str) -> int | None:
    found = LABEL.match(label)
    rank = next((found[kind] for kind in RANKED if found[kind]), None) if found else None
    return int(rank) if rank else None


def _lines(text: bytes) -> Iterator[str]:
    return (plain(raw) for raw in text.split(b"\n") if raw)


def _line_at(text: bytes, at: int) -> str:
    end = text.find(b"\n", at, at + (1 << 16))
    return plain(text[at : end if end >= 0 else at + KEEP])


def _last_line_with(text: bytes, token: bytes) -> int | None:
    """Return the start of the last line that begins with the token."""
    at = text.rfind(b"\n" + token)
    if at >= 0:
        return at + 1
    return 0 if text.startswith(token) else None


def _first_stamp(text: bytes, token: bytes) -> Stamp | None:
    at = 0 if text.startswith(token) else text.find(b"\n" + token) + 1
    for _ in range(BACK):
        found = stamp(_line_at(text, at))
        if found:
            return found
        at = text.find(b"\n" + token, at) + 1
        if at == 0:
            break
    return None
