"""``python -m tests.fix.table``: verb, direction, points of a kill or an error, what was found after them."""

import errno
import os
import sys
import tempfile
from pathlib import Path

from tests.fix.cases import OF_ROOT, QUICK
from tests.fix.crashes import Count, failed, killed, result, starts
from tests.fix.kept import Folder
from tests.fix.traced import CHANGING

HEAD = ("case", "what", "points", "old", "new", "both*", "swept")


def rows(place: Path, keep: Folder) -> list[tuple[str, ...]]:
    """Run every case; one that finds a torn file ends with an AssertionError instead of a row."""
    found: list[tuple[str, ...]] = []
    for name, case in (QUICK | ({} if os.geteuid() else OF_ROOT)).items():
        new = result(case, place, keep)
        for direction, start in starts(case, place, keep).items():
            found.append(_row(name, f"kill in {direction}", killed(start, new)))
        found.append(
            _row(name, "EIO in apply", failed(starts(case, place, keep)["apply"], new, errno.EIO, CHANGING))
        )
    return found


def _row(name: str, what: str, count: Count) -> tuple[str, ...]:
    numbers = (count.points, count.old, count.new, count.between, count.left)
    return name, what, *(str(number) for number in numbers)


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        os.environ |= {"XDG_STATE_HOME": f"{folder}/state", "HOME": f"{folder}/place"}
        found = [HEAD, *rows(Path(folder) / "place", Folder(Path(folder) / "kept"))]
    for row in found:
        sys.stdout.write(f"{row[0]:15} {row[1]:14}" + "".join(f"{cell:>7}" for cell in row[2:]) + "\n")
    total = sum(int(row[2]) for row in found[1:])
    sys.stdout.write(f"{total} points, none torn; * several files or directories, taken back by undo\n")


if __name__ == "__main__":
    main()
