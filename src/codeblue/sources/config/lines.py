"""What readers of line-by-line files share: lines, words and ``key = value`` with their places."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeblue.model.config.lines import Entry
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Word
from codeblue.model.text import message
from codeblue.sources.config.broken import Template

WORD = re.compile(r"\S+")
CONTINUED = re.compile(r"\\\n")
TEMPLATE = re.compile(r"^[ \t]*\{[%{]|\{\{[-~]?[ \t]*[A-Za-z_][^}\n]*\}\}|\{%[-+]? ", re.MULTILINE)
"""What Jinja or Go fills in; ``{{.ID}}`` alone is what programs of Docker take."""


class Line(NamedTuple):
    """One line that says something."""

    start: int
    """Where it begins in the text, white space left out."""
    text: str


def lines(source: Source, comment: str = "#", *, joined: bool = False) -> Iterator[Line]:
    """Yield the lines that are neither empty nor comments. Raises Template.

    ``joined``: a backslash at the end takes the next line along; places stay those of the file.
    """
    refuse_template(source)
    whole = CONTINUED.sub(lambda found: " " * len(found[0]), source.text) if joined else source.text
    at = 0
    for raw in whole.split("\n"):
        text = raw.strip()
        if text and text[0] not in comment:
            yield Line(at + raw.index(text[0]), text)
        at += len(raw) + 1


def refuse_template(source: Source) -> None:
    """Raise Template if the text is for Jinja, not for the program."""
    if TEMPLATE.search(source.text):
        raise Template(message("a template: lint the file that it makes", "这是模板：请检查由它生成的文件"))


def words(source: Source, line: Line) -> tuple[Word, ...]:
    """Return the words of a line up to a comment."""
    found: list[Word] = []
    for one in WORD.finditer(line.text):
        if one[0].startswith("#"):
            break
        at = line.start + one.start()
        found.append(Word(text=one[0], place=source.place(at, at + len(one[0]))))
    return tuple(found)


def entry(source: Source, name: tuple[int, int], value: tuple[int, int], section: str = "") -> Entry:
    """Return an entry whose key and value stand at these offsets of the text."""
    return Entry(
        name=source.text[slice(*name)],
        value=source.text[slice(*value)],
        place=source.place(*name),
        value_place=source.place(*value),
        section=section,
    )
