"""A log file becomes a text view, in which private data is pseudonyms."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

from msgspec import structs

from codeblue.model.facts import Sighting, Sightings, Told
from codeblue.model.section import Section, united
from codeblue.model.snapshot import View
from codeblue.model.text import message
from codeblue.sources import given
from codeblue.sources.clues import Line, Tap, find
from codeblue.sources.logs import KEEP, NCCL_HOST, Signatures, clean, read_lines
from codeblue.sources.pasted import sections
from codeblue.sources.pasted.ordinary import ordinary
from codeblue.sources.redaction import WHOLE, Redactor
from codeblue.sources.target import Unusable
from codeblue.sources.whole import Whole, opened, unpacked
from codeblue.state import Pseudonyms

LINE = 1 << 16
"""Bytes of one line that are looked at; the rest of a longer line is passed over."""


LONG = 8 << 20
"""Characters of one part of a whole file that are looked at for facts."""

UNUSUAL = 60
"""Lines kept of a short text: its begin and its end."""
STDIN = "-"


def read(path: str, signatures: Signatures, pseudonyms: Pseudonyms, known: Sequence[Line] = ()) -> View:
    """Return the view of one log file, ``-`` being standard input.

    ``known`` are facts that the user knows besides. Raises Unusable if it cannot be read.
    """
    try:
        with _opened(path) as stream:
            text = unpacked(stream)
            whole = opened(text, path)
            if whole is not None:
                return _whole_view(whole, path, signatures, pseudonyms)
            return _view(text, path, signatures, pseudonyms, known)
    except OSError as error:
        raise Unusable(
            message(
                "{path}: cannot read the log: {why}",
                "{path}：无法读取日志：{why}",
                path=path,
                why=error.strerror or error,
            )
        ) from None


def facts(path: str, known: Mapping[str, str]) -> View:
    """Return the view of facts that the user gave in a file."""
    return structs.replace(
        View(kind="text", name=path, sightings=Sightings(seen=[], unrecognised_errors=[], source=path)),
        **united(given.sections(known, path)),
    )


def _opened(path: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if path == STDIN else open(path, "rb")


def _view(
    stream: BinaryIO, path: str, signatures: Signatures, pseudonyms: Pseudonyms, known: Sequence[Line]
) -> View:
    hosts: set[str] = set()
    tap = Tap("stdin" if path == STDIN else path)
    lines = tap.passing(_noting_hosts(_lines(stream), hosts))
    sightings = sighted(lines, tap, signatures, known, WHOLE)
    redactor = Redactor(pseudonyms)
    redactor.learn_hosts(hosts)
    sightings = redactor.sightings(sightings, KEEP)
    host = pseudonyms.pseudonym("host", hosts.pop()) if len(hosts) == 1 else None
    view = View(kind="text", name=redactor.path(tap.name), host_name=host, sightings=sightings)
    told = {name: redactor.section(section) for name, section in sections(tap.lines()).items()}
    return structs.replace(view, **told)


def _whole_view(whole: Whole, path: str, signatures: Signatures, pseudonyms: Pseudonyms) -> View:
    """Return the view of a file in which a tool has put many things together."""
    redactor = Redactor(pseudonyms)
    seen: list[Sighting] = []
    errors: list[str] = []
    told: list[Section] = []
    for part in whole.parts:
        tap = Tap(part.name, LONG)
        sightings = redactor.sightings(read_lines(tap.passing(part.lines), part.name, signatures), KEEP)
        seen += sightings.seen
        errors += sightings.unrecognised_errors
        told += sections(tap.lines()).values()
    streams = [structs.replace(stream, file=redactor.path(stream.file)) for stream in whole.streams]
    together = Sightings(
        seen=seen, unrecognised_errors=errors[-5:], streams=streams, source=redactor.path(path)
    )
    view = View(kind="text", name=redactor.path(path), sightings=together)
    facts = {name: redactor.section(section) for name, section in united(told).items()}
    return structs.replace(view, **facts)


def sighted(
    lines: Iterable[str], tap: Tap, signatures: Signatures, known: Sequence[Line] = (), keep: int = KEEP
) -> Sightings:
    """Return what signatures and clues see in the lines of one text, cut to ``keep`` characters.

    ``tap`` is what the lines pass; ``known`` are facts from elsewhere that may complete a clue.
    """
    sightings = read_lines(lines, tap.name, signatures, keep)
    clues = find([*tap.lines(), *known], signatures.clued)
    seen = [*sightings.seen, *clues]
    return structs.replace(sightings, seen=seen, unusual=_unusual([*tap.lines(), *known], seen, signatures))


def _unusual(lines: Sequence[Line], seen: Sequence[Sighting], signatures: Signatures) -> list[Told]:
    harmless = {(s.file, s.line) for s in seen if s.fault in signatures.harmless}
    told = [
        Told(text=line.text, file=line.file, line=line.number)
        for line in lines
        if line.text and (line.file, line.number) not in harmless and not ordinary(line.text)
    ]
    return told if len(told) <= UNUSUAL else [*told[: UNUSUAL // 2], *told[-UNUSUAL // 2 :]]


def _lines(stream: BinaryIO) -> Iterator[str]:
    whole = True
    while chunk := stream.readline(LINE):
        if whole:
            yield chunk.decode("utf-8", "replace")
        whole = chunk.endswith(b"\n")


def _noting_hosts(lines: Iterator[str], hosts: set[str]) -> Iterator[str]:
    for line in lines:
        found = NCCL_HOST.match(clean(line)) if "NCCL " in line else None
        if found:
            hosts.add(found.group(1))
        yield line
