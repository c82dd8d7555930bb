"""A log file becomes a text view, in which private data is pseudonyms."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from codeblue import patience
from codeblue.model.facts import Sighting, Sightings, Told
from codeblue.model.section import Section, united
from codeblue.model.skipped import words
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text, message
from codeblue.sources import given
from codeblue.sources.clues import Line, Tap, find
from codeblue.sources.failures import because
from codeblue.sources.logs import KEEP, Signatures, read_lines
from codeblue.sources.pasted import sections
from codeblue.sources.pasted.ordinary import ordinary
from codeblue.sources.redaction import Redactor
from codeblue.sources.scan.chunks import LINE
from codeblue.sources.scan.read import PASTED, STDIN, Scanned, scan
from codeblue.sources.scan.tidy import decoded
from codeblue.sources.target import Unusable, no_answer
from codeblue.state import Pseudonyms

if TYPE_CHECKING:
    from codeblue.sources.whole import Whole

LONG = 8 << 20
"""Characters of one part of a whole file that are looked at for facts."""
UNUSUAL = 60
"""Lines kept of a short text: its begin and its end."""


def read(path: str, signatures: Signatures, pseudonyms: Pseudonyms, known: Sequence[Line] = ()) -> View:
    """Return the view of a log, of the logs below a folder, or of the standard input (``-``).

    ``known`` are facts that the user knows besides. Raises Unusable if nothing of it can be read.
    """
    if path != STDIN and not patience.answers(path):
        raise Unusable(no_answer(path))
    try:
        view = _from_whole(path, signatures, pseudonyms)
        if view is not None:
            return view
        scanned = scan(path, signatures)
    except OSError as error:
        raise Unusable(_unusable(path, Message(because(error)))) from None
    if not scanned.files:
        raise Unusable(_unusable(path, _nothing(scanned)))
    tap = Tap(PASTED if path == STDIN else path)
    deque(tap.passing(_lines(scanned.text or b"")), maxlen=0)
    sightings = with_clues(scanned.sightings(path), tap, signatures, known)
    redactor = Redactor(pseudonyms)
    redactor.learn_hosts(scanned.hosts)
    sightings = redactor.sightings(sightings, KEEP)
    hosts = list(scanned.hosts)
    host = pseudonyms.pseudonym("host", hosts[0]) if len(hosts) == 1 else None
    view = View(kind="text", name=redactor.path(tap.name), host_name=host, sightings=sightings)
    told = {name: redactor.section(section) for name, section in sections(tap.lines()).items()}
    return structs.replace(view, **told)


def _nothing(scanned: Scanned) -> Message:
    """Say why there was nothing to search."""
    for skipped in scanned.skipped:
        return words(skipped.why, skipped.detail)
    return message("there is no file in it", "里面没有文件")


def facts(path: str, known: Mapping[str, str]) -> View:
    """Return the view of facts that the user gave in a file."""
    return structs.replace(
        View(kind="text", name=path, sightings=Sightings(seen=[], unrecognised_errors=[], source=path)),
        **united(given.sections(known, path)),
    )


def _from_whole(path: str, signatures: Signatures, pseudonyms: Pseudonyms) -> View | None:
    """Return the view of a file in which a tool has put many things together; None for any other."""
    if not os.path.isfile(path):
        return None
    # What is pasted is none of these.
    from codeblue.sources.whole import opened, unpacked

    with open(path, "rb") as stream:
        try:
            whole = opened(unpacked(stream), path)
        except OSError:  # damaged: the scan reads as far as it goes
            return None
        return _whole_view(whole, path, signatures, pseudonyms) if whole is not None else None


def _whole_view(whole: "Whole", path: str, signatures: Signatures, pseudonyms: Pseudonyms) -> View:
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


def _unusable(path: str, why: Message) -> Message:
    return Message(
        Text("{path}: cannot read the log: " + why.text.en, "{path}：无法读取日志：" + why.text.zh),
        {**why.values, "path": path},
    )


def sighted(
    lines: Iterable[str], tap: Tap, signatures: Signatures, known: Sequence[Line] = (), keep: int = KEEP
) -> Sightings:
    """Return what signatures and clues see in the lines of one text, cut to ``keep`` characters.

    ``tap`` is what the lines pass; ``known`` are facts from elsewhere that may complete a clue.
    """
    return with_clues(read_lines(lines, tap.name, signatures, keep), tap, signatures, known)


def with_clues(sightings: Sightings, tap: Tap, signatures: Signatures, known: Sequence[Line]) -> Sightings:
    """Return the sightings with those of clues, and with what a short text says."""
    lines = [*tap.lines(), *known]
    alone = {(s.fault, s.file, s.line) for s in sightings.seen if not s.note}
    clues = find(lines, signatures.clued)
    # Where every line says it by itself, they need each other no more.
    news = {(s.fault, s.clue) for s in clues if (s.fault, s.file, s.line) not in alone}
    seen = [*sightings.seen, *(s for s in clues if (s.fault, s.clue) in news)]
    return structs.replace(sightings, seen=seen, unusual=_unusual(lines, seen, signatures))


def _unusual(lines: Sequence[Line], seen: Sequence[Sighting], signatures: Signatures) -> list[Told]:
    harmless = {(s.file, s.line) for s in seen if s.fault in signatures.harmless}
    told = [
        Told(text=line.text, file=line.file, line=line.number)
        for line in lines
        if line.text and (line.file, line.number) not in harmless and not ordinary(line.text)
    ]
    return told if len(told) <= UNUSUAL else [*told[: UNUSUAL // 2], *told[-UNUSUAL // 2 :]]


def _lines(text: bytes) -> Iterator[str]:
    return (decoded(raw[:LINE]) for raw in text.split(b"\n"))
