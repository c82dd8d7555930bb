"""Where a shell start file, or a file of ``NAME=value`` lines, assigns variables. Nothing is run."""

import re

from msgspec import Struct

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
EXPORT = re.compile(r"(?:export|declare[ \t]+-x|typeset[ \t]+-x|readonly)[ \t]+")
HERE = re.compile(r"<<-?[ \t]*(?P<quote>['\"]?)\\?(?P<word>[A-Za-z0-9_]+)(?P=quote)")
ENDS = " \t\r\n;&|<>()"


class Assignment(Struct, frozen=True):
    """One ``NAME=value``."""

    name: str
    start: int
    """Where the name begins."""
    begin: int
    """Where the value begins."""
    end: int
    """Where the value ends."""
    line: int
    """Where its statement begins: behind the white space of its line."""
    alone: bool
    """The statement is only this assignment, on lines of its own."""


def assignments(text: str) -> list[Assignment]:
    """Return all assignments of statements, in order; prefixes of a command (``X=1 prog``) are none."""
    found: list[Assignment] = []
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        start = _spaces(text, at)
        if text.startswith("#", start):
            at = _next_line(text, start)
            continue
        words, at, waiting = _statement(text, start)
        found += words
        for word in waiting:
            at = _behind_here(text, at, word)
    return found


def _spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n;&|(){}":
        at += 1
    return at


def _next_line(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _statement(text: str, start: int) -> tuple[list[Assignment], int, list[str]]:
    """Return the assignments of one statement, where it ends, and the here-documents that follow its line."""
    export = EXPORT.match(text, start)
    at = export.end() if export else start
    raw: list[tuple[str, int, int, int]] = []
    plain, waiting = False, []
    while at < len(text) and text[at] not in "\r\n;&|":
        if text[at] in " \t()":
            at += 1
        elif text[at] == "#":
            at = _line_end(text, at)
        elif (here := HERE.match(text, at)) and not text.startswith("<<<", at):
            waiting.append(here.group("word"))
            at = here.end()
        elif text[at] in "<>":
            at += 1
        else:
            name, end = NAME.match(text, at), word_end(text, at)
            if name and text[name.end() : name.end() + 1] == "=":
                raw.append((name.group(), at, name.end() + 1, end))
            else:
                plain = plain or not export
            at = max(end, at + 1)
    here_line = waiting and at < len(text) and text[at] not in "\r\n"
    if plain or here_line:
        return [], _next_line(text, at) if waiting else at, waiting
    alone = len(raw) == 1 and _alone(text, start, at)
    made = [Assignment(name, begin, value, end, start, alone) for name, begin, value, end in raw]
    return made, _next_line(text, at) if waiting else at, waiting


def _alone(text: str, start: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return not before.strip(" \t\ufeff") and (end >= len(text) or text[end] in "\r\n")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _behind_here(text: str, at: int, word: str) -> int:
    while at < len(text):
        end = _line_end(text, at)
        line = text[at:end].strip("\t\r")
        at = end + 1
        if line == word:
            break
    return min(at, len(text))


def word_end(text: str, at: int) -> int:
    """Return where a shell word ends: quotes, escapes and substitutions belong to it."""
    while at < len(text) and text[at] not in ENDS:
        letter = text[at]
        if letter == "\\":
            at += 2
        elif letter == "'":
            at = _quoted(text, at, "'")
        elif letter in '"`':
            at = _double(text, at, letter)
        elif text.startswith(("$(", "${"), at):
            at = _substitution(text, at)
        else:
            at += 1
    return min(at, len(text))


def _quoted(text: str, at: int, mark: str) -> int:
    end = text.find(mark, at + 1)
    return len(text) if end < 0 else end + 1


def _double(text: str, at: int, mark: str) -> int:
    at += 1
    while at < len(text) and text[at] != mark:
        if text[at] == "\\":
            at += 2
        elif text.startswith(("$(", "${"), at):
            at = _substitution(text, at)
        else:
            at += 1
    return min(at + 1, len(text))


def _substitution(text: str, at: int) -> int:
    closing = ")" if text[at + 1] == "(" else "}"
    opening, depth = text[at + 1], 1
    at += 2
    while at < len(text) and depth:
        letter = text[at]
        if letter == "\\":
            at += 2
            continue
        if letter in "'\"`":
            at = _quoted(text, at, "'") if letter == "'" else _flat(text, at, letter)
            continue
        depth += (letter == opening) - (letter == closing)
        at += 1
    return min(at, len(text))


def _flat(text: str, at: int, mark: str) -> int:
    """Step over a quoted part inside a substitution, without looking for further ones in it."""
    at += 1
    while at < len(text) and text[at] != mark:
        at += 2 if text[at] == "\\" else 1
    return at + 1
