"""Text to sightings: logs, tracebacks, the trial's own words."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from codeblue.model.entry import Entry
from codeblue.model.facts import Sighting, Sightings
from codeblue.model.fault import Signature

KEEP = 500
"""Characters kept of a matching line."""
PER_FAULT = 20
"""Sightings kept of one fault in one source; later ones are counted."""
BLOCK = 256
"""Lines that are searched for anchors together."""

RANK = re.compile(r"\[rank(\d+)\]:|\[[Rr]ank (\d+)\]")
NOTE = re.compile(r"^\s*(?:#|//|>)+ *(?:note|备注|说明|补充|注) *[:：]", re.IGNORECASE)
"""What the reporter says about the text; no program printed it."""
NCCL_HOST = re.compile(r"^(?:\[[^\]]*\] )?([\w.-]+):\d+:\d+ \[\d+\] (?:\S+ )?NCCL ")
ERROR = re.compile(r"Error|Exception|Interrupt|fatal error|FATAL")
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
DEEP = 8
"""Prefixes in a row that are taken off."""
RANK_PREFIX = re.compile(r"\[rank\d+\]: ?")

Catalogue = Iterable[tuple[str, tuple[Signature, ...]]]
Member = tuple[str, Signature]
"""A signature of a catalogue, with its fault in front."""


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
    for _ in range(DEEP):
        cut = PREFIX.match(rest)
        if cut is None:
            if rest != found[-1]:
                found.append(rest)
            cut = RANK_PREFIX.match(rest)
        if cut is None or cut.end() == 0:
            break
        rest = rest[cut.end() :]
    return tuple(found)


class Signatures:
    """All signatures of a catalogue, with one literal scan in front of the patterns.

    ``kernel_checks`` are the faults whose own check judges the kernel log of a machine,
    ``clued`` those that are also known by clues, ``harmless`` those that mean nothing.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        kernel_checks: Iterable[str] = (),
        clued: Iterable[Entry] = (),
        harmless: Iterable[str] = (),
    ) -> None:
        self.kernel_checks = frozenset(kernel_checks)
        self.clued = tuple(clued)
        self.harmless = frozenset(harmless)
        by_anchor: dict[str, list[Member]] = {}
        for fault, signatures in catalogue:
            for signature in signatures:
                by_anchor.setdefault(signature.anchor, []).append((fault, signature))
        # The longest first: what says more is seen first.
        self._by_anchor = {anchor: by_anchor[anchor] for anchor in sorted(by_anchor, key=len, reverse=True)}

    def all(self) -> Iterator[Member]:
        """Yield every signature with its fault."""
        for group in self._by_anchor.values():
            yield from group

    def near(self, text: str) -> list[str]:
        """Return the anchors that the text contains: nothing else can match in its lines."""
        return [anchor for anchor in self._by_anchor if anchor in text]

    def match(self, line: str, anchors: Iterable[str] | None = None) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield ``(fault, captured values)`` for every signature that the line matches.

        A signature may match the whole line or the line without its prefixes. ``anchors``
        are those near the line, if they are known.
        """
        here = [anchor for anchor in (self._by_anchor if anchors is None else anchors) if anchor in line]
        for fault, found in matching(line, (member for anchor in here for member in self._by_anchor[anchor])):
            yield fault, captured(found)


def matching(line: str, members: Iterable[Member]) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield fault and match of every signature that the line matches, or the line without its prefixes."""
    without: tuple[str, ...] | None = None
    for fault, signature in members:
        search = _compiled(signature.pattern).search
        found = search(line)
        if found is None:
            without = bodies(line)[1:] if without is None else without
            found = next((hit for body in without if (hit := search(body))), None)
        if found:
            yield fault, found


def captured(found: re.Match[str]) -> dict[str, str]:
    """Return the values that a signature takes out of a line."""
    return {k: v for k, v in found.groupdict().items() if v is not None}


def read_lines(lines: Iterable[str], name: str, signatures: Signatures, keep: int = KEEP) -> Sightings:
    """Return what the signatures see in the lines of one text called ``name``, cut to ``keep`` characters."""
    kept: dict[tuple[str, int | None], list[Sighting]] = {}
    repeats: dict[tuple[str, int | None], int] = {}
    errors: deque[str] = deque(maxlen=5)
    time: str | None = None
    for number, (line, anchors) in enumerate(_with_anchors(lines, signatures), start=1):
        note = NOTE.match(line) is not None
        time = _time(line) or time
        rank = _rank(line)
        told: dict[str, dict[str, str]] = {}
        for fault, values in signatures.match(line, anchors):
            told[fault] = values | told.get(fault, {})
        matched = bool(told)
        for fault, values in told.items():
            key = (fault, rank)
            repeats[key] = repeats.get(key, 0) + 1
            if repeats[key] <= PER_FAULT:
                kept.setdefault(key, []).append(
                    Sighting(
                        fault=fault,
                        text=line[:keep],
                        file=name,
                        line=number,
                        values=values,
                        rank=rank,
                        host=None,
                        time=time,
                        note=note,
                    )
                )
        if not matched and not note and ERROR.search(line) and any(map(FINAL_ERROR.match, bodies(line))):
            errors.append(line[:keep])
    seen = sorted((s for group in kept.values() for s in group), key=lambda s: s.line)
    return Sightings(seen=seen, unrecognised_errors=list(errors), source=name)


def _with_anchors(lines: Iterable[str], signatures: Signatures) -> Iterator[tuple[str, list[str]]]:
    """Yield every line, cleaned, with the anchors that occur near it.

    Most blocks of a log contain few anchors, so that most lines need no search of their own.
    """
    source = map(clean, lines)
    while block := list(islice(source, BLOCK)):
        anchors = signatures.near("\n".join(block))
        for line in block:
            yield line, anchors


def nccl_hosts(lines: Iterable[str]) -> set[str]:
    """Return the host names that NCCL prints in front of its lines."""
    return {found.group(1) for line in lines if (found := NCCL_HOST.match(line))}


def _rank(line: str) -> int | None:
    found = RANK.search(line)
    return int(found.group(1) or found.group(2)) if found else None


def _time(line: str) -> str | None:
    found = TIME.search(line)
    return (found.group(1) or found.group()) if found else None
