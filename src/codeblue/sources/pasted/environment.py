"""``env``, ``export`` and ``NAME=value`` lines: the variables that GPU software reads."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Environment
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import command
from codeblue.sources.variables import chosen

SET = re.compile(r"^(?:declare -x |export |setenv )?([A-Z][A-Z0-9_]{1,60})=(.*)$")
BEFORE = re.compile(r"^((?:[A-Z][A-Z0-9_]{1,60}=(?:\"[^\"]*\"|'[^']*'|[^\s;&|]*) +)+)\S")
EACH = re.compile(r"([A-Z][A-Z0-9_]{1,60})=(\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
LONGEST = 1000


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the variables that are set; the others may be set as well."""
    variables: dict[str, str] = {}
    source = ""
    for line in lines:
        for name, value in _set(line):
            variables[name] = value
            source = source or line.place
    if variables:
        yield Environment(variables=variables, source=source)


def _set(line: Line) -> Iterator[tuple[str, str]]:
    typed = command(line)
    text = typed if typed is not None else line.text.strip()
    if before := BEFORE.match(text) if typed is not None else None:
        pairs = [found.groups() for found in EACH.finditer(before.group(1))]
    elif found := SET.match(text):
        pairs = [found.groups()]
    else:
        return
    for name, value in pairs:
        plain = value.strip().strip("\"'")
        if chosen(name) and "$" not in plain:
            yield name, plain[:LONGEST]
