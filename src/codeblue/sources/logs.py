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
NOTE = re.compile(r"^\s*(?:#|//|>)+ *note\s*:", re.IGNORECASE)
"""What the reporter says about the text; no program printed it."""
NCCL_HOST = re.compile(r"^(?:\[[^\]]*\] )?([\w.-]+):\d+:\d+ \[\d+\] (?:\S+ )?NCCL ")
FINAL_ERROR = re.compile(r"^(?:[A-Za-z_][\w.]*(?:Error|Exception|Interrupt)|fatal error|FATAL)\b.*")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?|[EWI]\d{4} (\d\d:\d\d:\d\d\.\d+)")
ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)? ?(?:Z|[+-]\d\d:?\d\d)?"
_LEVEL = r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"
PREFIX = re.compile(
    "|".join(
        (
            r"<\d{1,3}>",  # kernel level
            r"\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? ?",  # dmesg
            r"\[\w{3} \w{3} [ \d]\d [\d:.]+ \d{4}\] ",  # dmesg -T
            r"\w{3} [ \d]\d \d\d:\d\d:\d\d \S+ [\w./@-]+(?:\[\d+\])?: ",  # journal, syslog
            _STAMP + r" \S+ [\w./@-]+(?:\[\d+\])?: ",  # journal with ISO times
            r"\[?"
            + _STAMP
            + r"\]?(?: ?std(?:out|err) [FP]| ?(?:- [\w.]+ ){0,2}-)?[:,]? *",  # logging, containers
            r"[A-Za-z][\w.-]* +\| ",  # compose
            r"\([^()]*\bpid=\d+[^()]*\) ",  # ray, vLLM
            r"\[\d+,\d+\]<std(?:out|err)>: ?",  # mpirun
            r"\[(?:default|worker|node|stderr|stdout)?\d+\]: ?",  # torchrun --tee
            r" *\d{1,5}: ",  # srun --label
            r"\[?" + _LEVEL + r"\]?:?(?: \d\d-\d\d \d\d:\d\d:\d\d)?(?: \[[^\]]+:\d+\])?:? +",  # vLLM, logging
            r"\[?[IWEF](?:\d{4} [\d:.]+)?(?: +\d+)? [\w./-]+:\d+\] ",  # glog, PyTorch, TensorFlow
            r"\[[\w./-]+:\d+\] ",  # file and line
            r"E {3,}",  # pytest
            r"kernel: ",
        )
    )
)
"""What loggers, launchers and engines put in front of a program's own line."""
RANK_PREFIX = re.compile(r"\[rank\d+\]: ?")

Catalogue = Iterable[tuple[str, tuple[Signature, ...]]]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def clean(line: str) -> str:
    """Return the line without terminal escapes and control characters."""
    return CONTROL.sub("", ESCAPE.sub("", line)).rstrip()


def bodies(line: str) -> tuple[str, ...]:
    """Return the line, then what is left without the prefixes before its rank, then without any."""
    found = [line]
    rest = line
    while True:
        cut = PREFIX.match(rest)
        if cut is None:
            if rest != found[-1]:
                found.append(rest)
            cut = RANK_PREFIX.match(rest)
        if cut is None or cut.end() == 0:
            return tuple(found)
        rest = rest[cut.end() :]


class Signatures:
    """All signatures of a catalogue, with one literal scan in front of the patterns.

    ``kernel_checks`` are the faults whose own check judges the kernel log of a machine.
    """

    def __init__(self, catalogue: Catalogue, kernel_checks: Iterable[str] = ()) -> None:
        self.kernel_checks = frozenset(kernel_checks)
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
        """Yield ``(fault, captured values)`` for every signature that the line matches.

        A signature may match the whole line or the line without its prefixes.
        """
        if not self._scan.search(line):
            return
        variants = bodies(line)
        for anchor in self._anchors:
            if anchor not in line:
                continue
            for fault, signature in self._by_anchor[anchor]:
                search = _compiled(signature.pattern).search
                found = next((hit for body in variants if (hit := search(body))), None)
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
        if NOTE.match(line):
            continue
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
        if not matched and any(map(FINAL_ERROR.match, bodies(line))):
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
