"""A log file becomes a text view, in which private data is pseudonyms."""

from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import structs

from codeblue.model.facts import Sighting, Sightings
from codeblue.model.skipped import words
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text, message
from codeblue.sources.clues import Tap, find
from codeblue.sources.logs import KEEP, Signatures, read_lines
from codeblue.sources.redaction import Redactor
from codeblue.sources.scan.chunks import LINE
from codeblue.sources.scan.read import scan
from codeblue.sources.scan.tidy import decoded
from codeblue.sources.target import Unusable
from codeblue.state import Pseudonyms


def read(path: str, signatures: Signatures, pseudonyms: Pseudonyms) -> View:
    """Return the view of a log, of the logs below a folder, or of the standard input (``-``).

    Raises Unusable if nothing of it can be read.
    """
    try:
        scanned = scan(path, signatures)
    except OSError as error:
        raise Unusable(_unusable(path, message("{why}", "{why}", why=error.strerror or error))) from None
    if not scanned.files and len(scanned.skipped) == 1:
        [skipped] = scanned.skipped
        raise Unusable(_unusable(path, words(skipped.why, skipped.detail)))
    sightings = scanned.sightings(path)
    if scanned.text is not None:
        clues = _clues(_lines(scanned.text), path, signatures)
        sightings = structs.replace(sightings, seen=[*sightings.seen, *clues])
    redactor = Redactor(pseudonyms)
    redactor.learn_hosts(scanned.hosts)
    sightings = redactor.sightings(sightings, KEEP)
    hosts = list(scanned.hosts)
    host = pseudonyms.pseudonym("host", hosts[0]) if len(hosts) == 1 else None
    return View(kind="text", name=redactor.path(path), host_name=host, sightings=sightings)


def _unusable(path: str, why: Message) -> Message:
    return Message(
        Text("{path}: cannot read the log: " + why.text.en, "{path}：无法读取日志：" + why.text.zh),
        {**why.values, "path": path},
    )


def sighted(lines: Iterable[str], name: str, signatures: Signatures, keep: int = KEEP) -> Sightings:
    """Return what signatures and clues see in the lines of one text, cut to ``keep`` characters."""
    tap = Tap(name)
    sightings = read_lines(tap.passing(lines), name, signatures, keep)
    clues = find(tap.lines(), signatures.clued)
    return structs.replace(sightings, seen=[*sightings.seen, *clues])


def _clues(lines: Iterator[str], name: str, signatures: Signatures) -> list[Sighting]:
    tap = Tap(name)
    deque(tap.passing(lines), maxlen=0)
    return find(tap.lines(), signatures.clued)


def _lines(text: bytes) -> Iterator[str]:
    return (decoded(raw[:LINE]) for raw in text.split(b"\n"))
