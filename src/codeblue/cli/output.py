"""Put a result where the user wants it: on the terminal, or into a file."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from codeblue import patience
from codeblue.sources.failures import cannot
from codeblue.sources.target import Unusable, no_answer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

BEGIN = re.compile(r" *(?:[✗?!✓·-] |\d+\. )?")
NARROWEST = 20
"""Columns of text that a folded line has at least."""


def write(path: str, content: bytes) -> None:
    """Write the content. Raises Unusable with one line if the file cannot be written."""
    if not patience.answers(path):
        raise Unusable(no_answer(path))
    try:
        with open(path, "wb") as stream:
            stream.write(content)
    except OSError as error:
        raise Unusable(
            cannot("{path}: cannot write: {why}", "{path}：无法写入：{why}", error, path=path)
        ) from None


def show(lines: Iterable[tuple[str, str]], fold: bool = False, whole: str = "") -> None:
    """Print styled lines, with this machine's pseudonyms turned back into names.

    With ``fold`` a terminal gets long lines broken at its width, what follows below the text of the first;
    lines of the style ``whole``, such as commands to copy, stay whole.
    """
    from rich.console import Console
    from rich.text import Text

    from codeblue.state import Pseudonyms, salt

    reveal = Pseudonyms(salt()).reveal
    console = Console(highlight=False, emoji=False)
    for line, style in lines:
        text = Text(reveal(line), style)
        if fold and console.is_terminal and not (whole and style == whole):
            _folded(console, text)
        else:
            console.print(text, soft_wrap=True)


def _folded(console: "Console", text: "Text") -> None:
    """Print a line with what does not fit below its text: behind the blanks, a mark, or a number."""
    from rich.text import Text

    begin = BEGIN.match(text.plain)
    indent = begin.end() if begin else 0
    for number, part in enumerate(text[indent:].wrap(console, max(console.width - indent, NARROWEST))):
        console.print(text[:indent] if not number else Text(" " * indent), part, sep="", soft_wrap=True)


@contextmanager
def screen() -> "Iterator[Console]":
    """Give a console for public data; when piped, its lines end without the padding of tables."""
    from rich.console import Console

    console = Console(highlight=False, emoji=False)
    if sys.stdout.isatty():
        yield console
        return
    with console.capture() as captured:
        yield console
    for line in captured.get().splitlines():
        click.echo(line.rstrip())
