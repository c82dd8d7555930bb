"""``python -m tests.fix.table``: what was killed or failed where, and what was found after that."""

import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.fix import flows
from tests.fix.cases import OF_ROOT, QUICK
from tests.fix.crashes import Count, failed, killed, result, starts
from tests.fix.kept import Folder
from tests.fix.traced import CHANGING

HEAD = ("case", "what", "points", "old", "new", "both*", "swept")
FLOW_HEAD = ("run", "what", "points", "old", "new", "cut", "again")
EVERY = 8


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


def flow_rows(memory: Path, every: int) -> Iterator[tuple[str, ...]]:
    """Kill whole runs of the executor; at each ``every``-th point also their recovery, wherever it is."""
    if os.geteuid() == 0:
        flows.leave_network()
    for name, make in (flows.FLOWS | ({} if os.geteuid() else flows.OF_ROOT)).items():
        flow = flows.Flow(make, memory)
        for what, start in flow.starts().items():
            count = flows.killed(flow, start, every)
            numbers = (count.points, count.old, count.new, count.cut, count.again)
            yield name, f"kill: {what}", *(str(number) for number in numbers)


def main() -> None:
    """Print the tables of the verbs and of whole runs; ``flows`` prints the latter alone."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        os.environ |= {"XDG_STATE_HOME": f"{folder}/state", "HOME": f"{folder}/place"}
        place, keep = Path(folder) / "place", Folder(Path(folder) / "kept")
        found = [HEAD, *([] if sys.argv[1:] == ["flows"] else rows(place, keep))]
        runs = [FLOW_HEAD, *flow_rows(Path(folder), EVERY)]
    for row in [*found, *runs]:
        sys.stdout.write(f"{row[0]:15} {row[1]:14}" + "".join(f"{cell:>7}" for cell in row[2:]) + "\n")
    total = sum(int(row[2]) for row in found[1:] + runs[1:])
    total += sum(int(cell) for row in runs[1:] for cell in row[5:])
    sys.stdout.write(f"{total} points, none torn; * several files or directories, taken back by undo\n")


if __name__ == "__main__":
    main()
