"""New sightings of a log that is still written, as they come."""

import os
import time
from collections.abc import Callable, Generator, Iterator
from typing import BinaryIO

from codeblue.model.facts import Sighting
from codeblue.sources.logs import Signatures
from codeblue.sources.scan.chunks import CHUNK, LINE
from codeblue.sources.scan.engines import engine, installed
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.scanner import About, Scanner
from codeblue.sources.scan.tally import Tally
from codeblue.sources.scan.whose import of_files

PAUSE = 0.5
"""Seconds between two looks at a file that has not grown."""


def follow(
    path: str,
    signatures: Signatures,
    going: Callable[[], bool] = lambda: True,
    pause: float = PAUSE,
    from_start: bool = True,
) -> Iterator[Sighting]:
    """Yield the sightings of a file, then new ones as lines are added, as long as ``going`` says so.

    A file that is replaced (rotated) is read to its end, then the new one from its start; one that
    was truncated is read again from its start. Of a fault that keeps coming the first few lines are
    yielded, as in a scan.

    Raises OSError if the file is not there at the beginning.
    """
    rules = Rules(signatures)
    reader = _Reader(path, Scanner(rules, engine(rules, installed()), About(of_files([path])[path])))
    reader.open(from_start)
    try:
        while True:
            last = not going()
            grown = yield from reader.grown()
            if last:
                return
            if not grown:
                time.sleep(pause)
    finally:
        reader.close()


class _Reader:
    """One log under its name, whatever file that stands for by now."""

    def __init__(self, path: str, scanner: Scanner) -> None:
        self._path = path
        self._scanner = scanner
        self._file: BinaryIO | None = None
        self._kept = b""
        self._told: dict[object, int] = {}

    def open(self, from_start: bool) -> None:
        """Open the file that stands under the name now."""
        self._file = open(self._path, "rb", buffering=0)  # noqa: SIM115 - closed by close()
        if not from_start:
            self._file.seek(0, os.SEEK_END)

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def grown(self) -> Generator[Sighting, None, bool]:
        """Yield what is new; return whether there was anything to read."""
        assert self._file is not None
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            self._start_again()
        found = False
        while block := self._file.read(CHUNK):
            found = True
            yield from self._lines(block)
        if not self._replaced():
            return found
        # What was written to the old file before it was moved away was read just now, or is here.
        yield from self._lines(self._file.read() + b"\n" if self._kept else self._file.read())
        self.close()
        self.open(True)
        self._start_again()
        return True

    def _start_again(self) -> None:
        assert self._file is not None
        self._file.seek(0)
        self._kept = b""
        self._scanner.lines = 0

    def _replaced(self) -> bool:
        assert self._file is not None
        mine = os.fstat(self._file.fileno())
        try:
            named = os.stat(self._path)
        except OSError:
            # Moved away, and the new one is not there yet.
            return False
        return (mine.st_dev, mine.st_ino) != (named.st_dev, named.st_ino)

    def _lines(self, block: bytes) -> Iterator[Sighting]:
        """Judge whole lines; keep the beginning of the next one, as far as it is looked at."""
        text = self._kept + block
        cut = text.rfind(b"\n") + 1
        rest = text[cut:]
        self._kept = rest[:LINE]
        if not cut:
            return
        self._scanner.feed(text[:cut])
        yield from self._new(self._scanner.tally)

    def _new(self, tally: Tally) -> Iterator[Sighting]:
        for key, group in tally.groups.items():
            told = self._told.get(key, 0)
            if len(group.first) > told:
                self._told[key] = len(group.first)
                for found in group.first[told:]:
                    yield found.sighting(key, self._path)
