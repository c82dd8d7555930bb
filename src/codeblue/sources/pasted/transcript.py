"""Shell prompts in a pasted text: which command printed which lines."""

import re
from collections.abc import Iterator, Sequence

from codeblue.sources.clues import Line

PROMPT = re.compile(
    r"^(?:\([\w./-]{1,40}\) ?)?"
    r"(?:\[[^\]]{1,80}\] ?|[\w.-]{1,64}@[\w.-]{1,64}(?:[:\s][^\s$#]{0,80})? ?|(?:sh|bash)-[\d.]+|~)?"
    r"[$#❯➜] *(?=[\w./~(\"'])"
)
"""``$ ``, ``# ``, ``user@host:~$ ``, ``[user@host dir]$ ``, ``(env) user@host:~$ ``."""


def command(line: Line) -> str | None:
    """Return the command that was typed in this line, None if it is no prompt."""
    text = line.text.strip()
    found = PROMPT.match(text)
    return text[found.end() :].removeprefix("sudo ").strip() if found else None


def runs(lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """Yield every command with the lines below it, up to the next prompt."""
    typed: str | None = None
    begin = 0
    for position, line in enumerate(lines):
        next_typed = command(line)
        if next_typed is None:
            continue
        if typed is not None:
            yield typed, lines[begin:position]
        typed, begin = next_typed, position + 1
    if typed is not None:
        yield typed, lines[begin:]


def outputs(lines: Sequence[Line], pattern: re.Pattern[str]) -> Iterator[Sequence[Line]]:
    """Yield the output of every command that matches from its beginning."""
    for typed, below in runs(lines):
        if pattern.match(typed):
            yield below
