"""JSON documents inside a pasted text."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from codeblue.sources.clues import Line

LONGEST = 4000
"""Lines of one document."""
MOST = 8
"""Documents that are tried: a text of nothing but opening braces is read in linear time."""


def documents(lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """Yield the first line and the text of every block that begins with a brace and ends with one.

    A block begins with a line that is ``{`` or ``[`` alone, or holds nothing else before it, and
    ends with the first line that closes it at the same depth of indentation, or with the text.
    """
    position = tried = 0
    while position < len(lines) and tried < MOST:
        text = lines[position].text
        if text.strip() not in ("{", "[", "[{") and not text.startswith(('{"', "[{")):
            position += 1
            continue
        tried += 1
        end = _end(lines, position)
        yield lines[position], "\n".join(line.text for line in lines[position:end])
        position = end


def _end(lines: Sequence[Line], begin: int) -> int:
    opening = lines[begin].text
    indent = len(opening) - len(opening.lstrip())
    closing = ("}", "]", "}]")
    if opening.strip() not in ("{", "[", "[{"):
        return begin + 1
    for position in range(begin + 1, min(len(lines), begin + LONGEST)):
        text = lines[position].text
        if text.strip().rstrip(",") in closing and len(text) - len(text.lstrip()) <= indent:
            return position + 1
    return min(len(lines), begin + LONGEST)


def decoded(text: str) -> Any:
    """Return what a text holds; None if it is no JSON, or nested beyond reason."""
    try:
        return json.JSONDecoder().raw_decode(text.lstrip())[0]
    except (ValueError, RecursionError):
        return None
