"""The files below a folder that may be logs."""

import os
import stat
from collections.abc import Iterator

from codeblue.model.facts import Skipped

MOST = 200_000
"""Files of one folder that are looked at."""


def below(folder: str, skipped: list[Skipped]) -> Iterator[tuple[str, int]]:
    """Yield the regular files below a folder with their sizes, in order of their names.

    A link to a folder that was already visited is passed over, so that loops end; a file that
    two links name is read once. What cannot be read is listed.
    """
    seen: set[tuple[int, int]] = set()
    waiting = [folder]
    found = 0
    while waiting:
        place = waiting.pop()
        try:
            status = os.stat(place)
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            skipped.append(unreadable(place, error))
            continue
        folders = []
        for entry in entries:
            try:
                status = entry.stat()
            except OSError as error:
                skipped.append(unreadable(entry.path, error))
                continue
            if stat.S_ISDIR(status.st_mode):
                folders.append(entry.path)
            elif not stat.S_ISREG(status.st_mode):
                skipped.append(Skipped(file=entry.path, why="not-regular"))
            elif (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                found += 1
                if found > MOST:
                    skipped.append(Skipped(file=folder, why="too-many", detail=str(MOST)))
                    return
                yield entry.path, status.st_size
        waiting += reversed(folders)


def unreadable(path: str, error: OSError) -> Skipped:
    """Return that a file could not be read, in the words of the system."""
    return Skipped(file=path, why="unreadable", detail=error.strerror or str(error))
