"""What was seen, folded: a storm of one line costs no more than a few of them."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
    for number, found in enumerate(group.first, start=1):
        folded = more if number == len(group.first) else 0
        yield Sighting(
            fault=key.fault,
            text=found.text,
            file=file,
            line=found.line + 1,
            values=found.values,
            rank=key.rank,
            host=key.host,
            time=found.stamp.written if found.stamp else None,
            when=found.stamp.when if found.stamp else None,
            note=found.note,
            repeats=1 + folded,
            last_line=group.last + 1 if folded else None,
            last_time=group.stamp.written if folded and group.stamp else None,
            last_when=group.stamp.when if folded and group.stamp else None,
        )


def newest(errors: Iterable[str]) -> list[str]:
    """Return the last few."""
    return list(deque(errors, maxlen=FINAL))
