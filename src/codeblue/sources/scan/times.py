"""Times as programs write them in front of a line."""

import re
from datetime import datetime, timezone
from typing import NamedTuple

NEAR = 240
"""Characters from the start of a line in which its time stands."""

_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
TIME = re.compile(
    "|".join(
        (
            rf"(?P<iso>(?P<day>\d{{4}}-\d\d-\d\d)[T ](?P<clock>{_CLOCK}) ?(?P<zone>Z|[+-]\d\d:?\d\d(?!\d))?)",
            rf"(?P<slashes>(?P<year>\d{{4}})/(?P<month>\d\d)/(?P<date>\d\d) (?P<slash_clock>{_CLOCK}))",
            rf"(?P<long>[A-Z][a-z]{{2}} (?P<long_day>{_MONTH} [ \d]\d) (?P<long_clock>{_CLOCK})"
            r" (?P<long_year>\d{4}))",
            rf"(?P<syslog>\b{_MONTH} [ \d]\d \d\d:\d\d:\d\d)\b",
            rf"\b[IWEF](?P<glog>\d{{4}} {_CLOCK})",
            rf"\b(?P<short>\d\d-\d\d {_CLOCK})",
            r'(?:^\[?|"(?:ts|time|timestamp)": ?"?)(?P<epoch>1[0-9]{9}(?:\.\d{1,9})?)(?=[\]", :]|$)',
        )
    )
)

ANY = re.compile(r"\d(?:\d:\d\d:\d\d|[0-9]{9})")
"""What each of them contains; most lines without a time do not, and are done with at once."""


DATED = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")


class Stamp(NamedTuple):
    """A time as written, and in ISO 8601 where the year is known; with a zone where that is."""

    written: str
    when: str | None


def dated(lines: bytes) -> bool:
    """Tell whether one of the lines behind the first certainly has a time, without a close look."""
    found = DATED.search(lines, lines.find(b"\n") + 1)
    start = lines.rfind(b"\n", 0, found.start()) if found else -1
    return found is not None and start >= 0 and found.end() - start <= NEAR


def stamp(line: str) -> Stamp | None:
    """Return the first time near the start of a line."""
    found = ANY.search(line, 0, NEAR) and TIME.search(line, 0, NEAR)
    if not found:
        return None
    kind = str(found.lastgroup)  # the outermost group ends last
    written = found[kind]
    if kind == "iso":
        return Stamp(written.strip(), _iso(found["day"], found["clock"], found["zone"]))
    if kind == "slashes":
        day = f"{found['year']}-{found['month']}-{found['date']}"
        return Stamp(written, _iso(day, found["slash_clock"], None))
    if kind == "long":
        return Stamp(written, _long(found["long_day"], found["long_year"], found["long_clock"]))
    return Stamp(written, _epoch(written) if kind == "epoch" else None)


def _iso(day: str, clock: str, zone: str | None) -> str | None:
    seconds, _, fraction = clock.replace(",", ".").partition(".")
    if zone and zone != "Z" and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    try:
        datetime.fromisoformat(f"{day}T{seconds}")
    except ValueError:
        return None
    return f"{day}T{seconds}{f'.{fraction}' if fraction else ''}{zone or ''}"


def _long(day: str, year: str, clock: str) -> str | None:
    try:
        # strptime would read the month in the language of the user.
        number = "JanFebMarAprMayJunJulAugSepOctNovDec".index(day[:3]) // 3 + 1
        return _iso(f"{year}-{number:02d}-{int(day[4:]):02d}", clock, None)
    except ValueError:
        return None


def _epoch(seconds: str) -> str:
    whole, _, fraction = seconds.partition(".")
    at = datetime.fromtimestamp(int(whole), timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{at}{f'.{fraction}' if fraction else ''}Z"
