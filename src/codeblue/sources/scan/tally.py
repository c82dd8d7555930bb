"""What was seen, folded: a storm of one line costs no more than a few of them."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import structs

from codeblue.model.facts import Sighting
from codeblue.sources.logs import PER_FAULT
from codeblue.sources.scan.times import Stamp

FINAL = 5
"""Unrecognised errors kept, the last ones."""


class Key(NamedTuple):
    """Sightings with the same key are folded."""

    fault: str
    rank: int | None
    host: str | None


class Found(NamedTuple):
    """One line that is kept. Lines count from 0 at the start of the part that was read."""

    line: int
    text: str
    values: dict[str, str]
    stamp: Stamp | None
    note: bool

    def sighting(self, key: Key, file: str) -> Sighting:
        """Return the line as a sighting of its own."""
        return Sighting(
            fault=key.fault,
            text=self.text,
            file=file,
            line=self.line + 1,
            values=self.values,
            rank=key.rank,
            host=key.host,
            time=self.stamp.written if self.stamp else None,
            when=self.stamp.when if self.stamp else None,
            note=self.note,
        )


class Group:
    """The lines of one key: the first ones, how many, and the last."""

    __slots__ = ("count", "first", "last", "stamp")

    def __init__(self) -> None:
        self.first: list[Found] = []
        self.count = 0
        self.last = 0
        self.stamp: Stamp | None = None

    @property
    def full(self) -> bool:
        """True if further lines are only counted."""
        return len(self.first) >= PER_FAULT

    def add(self, found: Found) -> None:
        """Keep a line."""
        self.first.append(found)
        self.seen(found.line, found.stamp)

    def seen(self, line: int, stamp: Stamp | None) -> None:
        """Count a line."""
        self.count += 1
        self.last = line
        self.stamp = stamp or self.stamp

    def joined(self, later: "Group", lines: int) -> None:
        """Add what a later part of the file holds, which begins after so many lines."""
        room = PER_FAULT - len(self.first)
        self.first += [found._replace(line=found.line + lines) for found in later.first[:room]]
        self.count += later.count
        self.last = later.last + lines
        self.stamp = later.stamp or self.stamp


class Tally:
    """Sightings and unrecognised final errors of a file, or of a part of it."""

    def __init__(self) -> None:
        self.groups: dict[Key, Group] = {}
        self.errors: deque[str] = deque(maxlen=FINAL)
        self.hosts: set[str] = set()

    def group(self, key: Key) -> Group:
        """Return the group of a key."""
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group()
        return group

    def full(self, key: Key) -> Group | None:
        """Return the group of a key if its further lines are only counted."""
        group = self.groups.get(key)
        return group if group is not None and group.full else None

    def join(self, later: "Tally", lines: int) -> None:
        """Add what a later part holds, which begins after so many lines."""
        for key, group in later.groups.items():
            self.group(key).joined(group, lines)
        self.errors.extend(later.errors)
        self.hosts |= later.hosts

    def sightings(self, file: str) -> list[Sighting]:
        """Return the sightings, in the order of the lines."""
        found = [one for key, group in self.groups.items() for one in _sightings(key, group, file)]
        return sorted(found, key=lambda sighting: sighting.line)


def _sightings(key: Key, group: Group, file: str) -> Iterator[Sighting]:
    more = group.count - len(group.first)
    *before, last = (found.sighting(key, file) for found in group.first)
    yield from before
    if more:
        last = structs.replace(
            last,
            repeats=1 + more,
            last_line=group.last + 1,
            last_time=group.stamp.written if group.stamp else None,
            last_when=group.stamp.when if group.stamp else None,
        )
    yield last


def newest(errors: Iterable[str]) -> list[str]:
    """Return the last few."""
    return list(deque(errors, maxlen=FINAL))
