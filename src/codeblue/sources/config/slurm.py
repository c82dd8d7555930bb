"""Slurm's ``slurm.conf``, ``gres.conf`` and ``cgroup.conf``, and those that lie beside one."""

import os
import re
from collections.abc import Iterator

from codeblue.model.config.lines import Entry, Slurm
from codeblue.model.config.place import Source
from codeblue.sources.config.broken import Template
from codeblue.sources.config.files import load
from codeblue.sources.config.lines import entry, refuse_template
from codeblue.sources.target import Unusable

NAMES = ("slurm.conf", "gres.conf", "cgroup.conf")
PAIR = re.compile(r'([A-Za-z]\w*)[ \t]*[-+*/]?=[ \t]*("[^"\n]*"|[^\s#]*)')
COMMENT = re.compile(r"(?<!\\)#.*")


def read(source: Source) -> Iterator[object]:
    """Yield the file, which knows its neighbours. Raises Template."""
    name = os.path.basename(source.name).lower()
    yield Slurm(name=name, lines=_lines(source), beside=dict(_beside(source, name)))


def _lines(source: Source) -> tuple[tuple[Entry, ...], ...]:
    refuse_template(source)
    # A line goes on behind a backslash; places stay those of the file.
    joined = re.sub(r"\\[ \t]*\n", lambda found: " " * len(found[0]), source.text)
    found: list[tuple[Entry, ...]] = []
    at = 0
    for raw in joined.split("\n"):
        line = COMMENT.sub("", raw)
        pairs = tuple(
            entry(source, _span(one.span(1), at), _span(_bare(one), at)) for one in PAIR.finditer(line)
        )
        if pairs:
            found.append(pairs)
        at += len(raw) + 1
    return tuple(found)


def _bare(pair: "re.Match[str]") -> tuple[int, int]:
    start, end = pair.span(2)
    return (start + 1, end - 1) if pair[2].startswith('"') else (start, end)


def _span(span: tuple[int, int], at: int) -> tuple[int, int]:
    return span[0] + at, span[1] + at


def _beside(source: Source, name: str) -> Iterator[tuple[str, Slurm]]:
    folder = os.path.dirname(source.name)
    for other in NAMES:
        path = os.path.join(folder, other)
        if other == name or not os.path.isfile(path) or not os.path.isfile(source.name):
            continue
        try:
            yield other, Slurm(name=other, lines=_lines(load(path)))
        except (Unusable, Template):
            continue
