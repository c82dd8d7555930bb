"""``ulimit -a``, ``df``, ``id``, ``systemctl status``: what surrounds a job's process."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Filesystem, Filesystems, Limit, Limits, Service, Services, User
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import runs

ULIMIT = re.compile(r"^(?:-\w: )?([a-z][a-z /()-]{3,28}?) +(?:\((?:(\w+), )?-(\w)\)) +(unlimited|\d+)$")
LIMITS = {"l": ("memlock", 1024), "n": ("files", 1), "u": ("processes", 1), "v": ("address_space", 1024)}
"""Names of limits by the option of ``ulimit``, and the unit in which it counts."""
ONE = re.compile(r"ulimit -(?:S|H)?([lnuv])$")

MOUNT = re.compile(
    r"^(\S{1,80}) +(?:(\w{2,12}) +)?(\d+(?:\.\d+)?[KMGTP]?i?) +(\d+(?:\.\d+)?[KMGTP]?i?)"
    r" +(\d+(?:\.\d+)?[KMGTP]?i?) +\d+% +(/\S*)$"
)
HUMAN = {"K": 10, "M": 20, "G": 30, "T": 40, "P": 50}
ROLES = ("/dev/shm", "/tmp", "/", "/var")  # noqa: S108 - names in a table, nothing is opened
BLOCKS = re.compile(r"^Filesystem +(?:Type +)?1[Kk](?:-blocks)? ")
INODES = re.compile(r"^Filesystem +(?:Type +)?Inodes ")

ID = re.compile(r"^uid=(\d+)(?:\([^)]*\))? gid=(\d+)(?:\(([^)]*)\))?(?: groups=(.+))?$")
GROUP = re.compile(r"(\d+)(?:\(([^)]*)\))?")
FIRST_PRIVATE = 1000
"""Lowest number of the groups that people create."""

UNIT = re.compile(r"^[●○×*]? ?([\w@.-]+)\.service(?: - .*)?$")
ACTIVE = re.compile(r"^Active: (active|inactive|failed|activating|deactivating)(?: \(([\w-]+)\))?")
LOADED = re.compile(r"^Loaded: (\S+) \((?:[^;)]*; )?(enabled|disabled|static|masked)?")
KNOWN = re.compile(
    r"(?:nvidia-(?:persistenced|fabricmanager|mps|imex|dcgm|gridd)|nvlsm|docker|containerd|kubelet|slurmd|munge)$"
)


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield limits, file systems, the user and services."""
    yield from _limits(lines)
    yield from _filesystems(lines)
    yield from _user(lines)
    yield from _services(lines)


def _limits(lines: Sequence[Line]) -> Iterator[Section]:
    limits: dict[str, Limit] = {}
    source = ""
    for line in lines:
        row = ULIMIT.match(line.text.strip())
        if row and row.group(3) in LIMITS:
            limits |= _limit(row.group(3), row.group(4))
            source = source or line.place
    for typed, output in runs(lines):
        asked = ONE.match(typed)
        if asked and output and re.fullmatch(r"unlimited|\d{1,19}", output[0].text.strip()):
            limits |= _limit(asked.group(1), output[0].text.strip())
            source = source or output[0].place
    if limits:
        yield Limits(limits=limits, source=source)


def _limit(option: str, text: str) -> dict[str, Limit]:
    name, unit = LIMITS[option]
    return {name: Limit(soft=None if text == "unlimited" else int(text) * unit)}


def _filesystems(lines: Sequence[Line]) -> Iterator[Section]:
    found: dict[str, Filesystem] = {}
    source = ""
    unit: int | None = None
    for line in lines:
        text = line.text.strip()
        if text.startswith("Filesystem "):
            unit = 10 if BLOCKS.match(text) else None if INODES.match(text) else 0
            continue
        row = MOUNT.match(text)
        if row and row.group(6) in ROLES and unit is not None:
            total, free = _bytes(row.group(3), unit), _bytes(row.group(5), unit)
            if total is None or free is None:
                continue
            found[row.group(6)] = Filesystem(kind=row.group(2) or row.group(1), total=total, free=free)
            source = source or line.place
    if found:
        yield Filesystems(filesystems=found, source=source)


def _bytes(text: str, unit: int) -> int | None:
    """Return the size; a bare number that is not 0 has no unit unless the head of the table says it."""
    digits = re.match(r"[\d.]+", text)
    assert digits is not None
    letter = text[digits.end() : digits.end() + 1]
    if not letter and not unit and float(digits.group()) != 0:
        return None
    return int(float(digits.group()) * (1 << HUMAN.get(letter, unit)))


def _user(lines: Sequence[Line]) -> Iterator[Section]:
    for line in lines:
        found = ID.match(line.text.strip())
        if found:
            members = GROUP.findall(found.group(4) or "")
            groups = {_named(int(number), name): int(number) for number, name in members}
            uid, gid = int(found.group(1)), int(found.group(2))
            yield User(uid=uid, gid=gid, groups=groups, name=None, judged_as="self", source=line.place)
            return


def _named(number: int, name: str) -> str:
    return name if name and number < FIRST_PRIVATE else f"group-{number}"


def _services(lines: Sequence[Line]) -> Iterator[Section]:
    services: dict[str, Service] = {}
    source, name = "", ""
    enabled: str | None = None
    for line in lines:
        text = line.text.strip()
        if unit := UNIT.match(text):
            name, enabled = unit.group(1), None
        elif loaded := LOADED.match(text):
            enabled = loaded.group(2)
        elif (active := ACTIVE.match(text)) and KNOWN.match(name):
            state = active.group(1)
            known = {"enabled": enabled} if enabled else {}
            services[name] = Service(state=state, running=state == "active", **known)  # type: ignore[arg-type]  # by field name
            source = source or line.place
    if services:
        yield Services(services=services, source=source)
