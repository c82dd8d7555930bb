"""When a line was written: its own time, or that of the lines before it."""

from typing import NamedTuple

from codeblue.sources.scan.chunks import LINE
from codeblue.sources.scan.tally import Group
from codeblue.sources.scan.tidy import plain
from codeblue.sources.scan.times import NEAR, Stamp, dated, stamp

BEFORE = 16 << 10
"""Bytes before a line without a time of its own that are searched for the last time."""
AROUND = 1 << 10
"""Bytes before a line in which a time nearly always stands."""


class Place(NamedTuple):
    """A line, and the text before it."""

    text: bytes
    start: int
    end: int


class Clock:
    """Knows the times of one file, or of a part of it, chunk by chunk.

    Of a group that keeps coming only the time of its last line is wanted. It is looked up when all
    is read, where it is certain that there is one.
    """

    def __init__(self) -> None:
        self._before = b""
        self._last: dict[Group, tuple[int, int]] = {}
        """Groups of which a line of this chunk was only counted: where the last one starts and ends."""
        self._late: dict[Group, Place] = {}

    def stamp(self, place: Place) -> Stamp | None:
        """Return the time of a line of the chunk."""
        text, start, end = place
        own = stamp(plain(text[start : min(end, start + LINE)]))
        return own or _last_stamp(text, max(0, start - BEFORE), start) or self._earlier(start)

    def _earlier(self, start: int) -> Stamp | None:
        """Return the last time at the end of the chunk before."""
        before = self._before
        return _last_stamp(before, max(0, len(before) + start - BEFORE), len(before))

    def last(self, group: Group, start: int, end: int) -> None:
        """Note a line of the chunk: the time of the last one is wanted."""
        self._last[group] = (start, end)

    def passed(self, text: bytes) -> None:
        """Let go of a chunk."""
        for group, (start, end) in self._last.items():
            least = max(0, start - AROUND)
            near = bytes(text[least : min(end, start + 4 * NEAR)])
            place = Place(near, start - least, len(near))
            if not dated(near):
                self._look_up(group)
                group.stamp = self.stamp(Place(text, start, end)) or group.stamp
            else:
                self._late[group] = place
        self._last.clear()
        self._before = bytes(text[-BEFORE:])

    def close(self) -> None:
        """Look up what was left for later."""
        for group in list(self._late):
            self._look_up(group)

    def _look_up(self, group: Group) -> None:
        place = self._late.pop(group, None)
        if place:
            own = stamp(plain(place.text[place.start :]))
            group.stamp = own or _last_stamp(place.text, 0, place.start) or group.stamp


def _last_stamp(text: bytes, least: int, end: int) -> Stamp | None:
    """Return the time of the last line that has one, of those that end before a place."""
    end -= 1
    while end > least:
        at = text.rfind(b"\n", least, end)
        found = stamp(plain(text[max(at + 1, least) : end]))
        if found:
            return found
        end = at
    return None
