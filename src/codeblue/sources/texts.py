"""A log file becomes a text view, in which private data is pseudonyms."""

from collections.abc import Iterator
from typing import BinaryIO

from codeblue import patience
from codeblue.model.facts import Sightings
from codeblue.model.snapshot import View
from codeblue.sources.failures import cannot
from codeblue.sources.logs import KEEP, NCCL_HOST, Signatures, clean, read_lines
from codeblue.sources.redaction import WHOLE, Redactor
from codeblue.sources.target import Unusable, no_answer
from codeblue.state import Pseudonyms

LINE = 1 << 16
"""Bytes of one line that are looked at; the rest of a longer line is passed over."""


def read(path: str, signatures: Signatures, pseudonyms: Pseudonyms) -> View:
    """Return the view of one log file. Raises Unusable if it cannot be read."""
    if not patience.answers(path):
        raise Unusable(no_answer(path))
    hosts: set[str] = set()
    try:
        with open(path, "rb") as stream:
            lines = _noting_hosts(_lines(stream), hosts)
            sightings: Sightings = read_lines(lines, path, signatures, WHOLE)
    except OSError as error:
        raise Unusable(
            cannot("{path}: cannot read the log: {why}", "{path}：无法读取日志：{why}", error, path=path)
        ) from None
    redactor = Redactor(pseudonyms)
    redactor.learn_hosts(hosts)
    sightings = redactor.sightings(sightings, KEEP)
    host = pseudonyms.pseudonym("host", hosts.pop()) if len(hosts) == 1 else None
    return View(kind="text", name=redactor.path(path), host_name=host, sightings=sightings)


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
