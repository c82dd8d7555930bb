"""Text to sightings: logs, tracebacks, the trial's own words."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from codeblue.model.facts import Sighting, Sightings
from codeblue.model.fault import Signature

KEEP = 500
"""Characters kept of a matching line."""
PER_FAULT = 20
"""Sightings kept of one fault in one source; later ones are counted."""

RANK = re.compile(r"^\[rank(\d+)\]:\s?|\[[Rr]ank (\d+)\]")
PREFIX = re.compile(r"^(?:\[rank\d+\]:|\d+:|\(\S+ pid=\d+\))\s?")
NCCL_HOST = re.compile(r"^(?:\[[^\]]*\] )?([\w.-]+):\d+:\d+ \[\d+\] (?:\S+ )?NCCL ")
FINAL_ERROR = re.compile(r"^(?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt)|fatal error|FATAL)\b.*")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?|[EWI]\d{4} (\d\d:\d\d:\d\d\.\d+)")
ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Catalogue = Iterable[tuple[str, tuple[Signature, ...]]]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def clean(line: str) -> str:
    """Return the line without terminal escapes and control characters."""
    return CONTROL.sub("", ESCAPE.sub("", line)).rstrip()


class Signatures:
    """All signatures of a catalogue, with one literal scan in front of the patterns."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._by_anchor: dict[str, list[tuple[str, Signature]]] = {}
        for fault, signatures in catalogue:
            for signature in signatures:
                self._by_anchor.setdefault(signature.anchor, []).append((fault, signature))
        # A lookahead finds every anchor, also one inside another; this pattern is ours
        # alone and never leaves re.
        longest_first = sorted(self._by_anchor, key=len, reverse=True)
        self._anchors = longest_first
        self._scan = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def match(self, line: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield ``(fault, captured values)`` for every signature that the line matches."""
        if not self._scan.search(line):
            return
        for anchor in self._anchors:
            if anchor not in line:
                continue
            for fault, signature in self._by_anchor[anchor]:
                found = _compiled(signature.pattern).search(line)
                if found:
                    yield fault, {k: v for k, v in found.groupdict().items() if v is not None}


def read_lines(lines: Iterable[str], name: str, signatures: Signatures) -> Sightings:
    """Return what the signatures see in the lines of one text called ``name``."""
    kept: dict[tuple[str, int | None], list[Sighting]] = {}
    repeats: dict[tuple[str, int | None], int] = {}
    errors: list[str] = []
    time: str | None = None
    for number, raw in enumerate(lines, start=1):
        line = clean(raw)
        time = _time(line) or time
        rank = _rank(line)
        matched = False
        for fault, values in signatures.match(line):
            matched = True
            key = (fault, rank)
            repeats[key] = repeats.get(key, 0) + 1
            if repeats[key] <= PER_FAULT:
                kept.setdefault(key, []).append(
                    Sighting(
                        fault=fault,
                        text=line[:KEEP],
                        file=name,
                        line=number,
                        values=values,
                        rank=rank,
                        host=None,
                        time=time,
                    )
                )
        if not matched and FINAL_ERROR.match(PREFIX.sub("", line)):
            errors.append(line[:KEEP])
    seen = sorted((s for group in kept.values() for s in group), key=lambda s: s.line)
    return Sightings(seen=seen, unrecognised_errors=errors[-5:], source=name)


def nccl_hosts(lines: Iterable[str]) -> set[str]:
    """Return the host names that NCCL prints in front of its lines."""
    return {found.group(1) for line in lines if (found := NCCL_HOST.match(line))}


def _rank(line: str) -> int | None:
    found = RANK.search(line)
    return int(found.group(1) or found.group(2)) if found else None


def _time(line: str) -> str | None:
    found = TIME.search(line)
    return (found.group(1) or found.group()) if found else None
