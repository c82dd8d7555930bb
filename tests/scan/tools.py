"""Engines, catalogues and logs for the tests of the scanner."""

from collections.abc import Iterable
from pathlib import Path

from codeblue.faults import index
from codeblue.model.facts import Sighting, Sightings
from codeblue.model.fault import Signature
from codeblue.sources.logs import Signatures, read_lines
from codeblue.sources.scan.engines import installed
from codeblue.sources.scan.read import Scanned, scan

ENGINES = installed()
CATALOGUE = Signatures((entry.id, entry.signatures) for entry in index.entries().values())
SIMPLE = Signatures(
    [
        ("disk-full", (Signature("No space left", r"No space left on device: '(?P<path>[^']+)'"),)),
        ("ended", (Signature("Killed", r"^Killed$"),)),
    ]
)
FULL = "OSError: [Errno 28] No space left on device: '/data/x'"


def written(folder: Path, *lines: str, name: str = "job.log") -> str:
    """Write lines to a file and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def pairs(seen: Iterable[Sighting]) -> set[tuple[int, str]]:
    """Return line and fault of each sighting."""
    return {(one.line, one.fault) for one in seen}


def by_lines(lines: Iterable[str], signatures: Signatures = CATALOGUE) -> set[tuple[int, str]]:
    """Return what the signatures see line by line, without an engine."""
    found: Sightings = read_lines(lines, "job.log", signatures)
    return pairs(found.seen)


def scanned(path: str) -> Scanned:
    """Scan in this process, with what is always there."""
    return scan(path, SIMPLE, 1, ("stdlib",))


def peak() -> int:
    """Return the peak memory of this process in MiB, from its own start on."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10
