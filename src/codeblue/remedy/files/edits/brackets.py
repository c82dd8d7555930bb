"""Elements between brackets with commas: JSON, and the same parts of TOML and YAML."""

import json
from typing import Any

Span = tuple[int, int]


def newline(text: str) -> str:
    """Return the line end that a text uses."""
    return "\r\n" if "\r\n" in text else "\n"


def line_start(text: str, at: int) -> int:
    """Return where the line begins that holds a position."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return where that line ends, before its line end."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > at and text[end - 1] == "\r" else end


def indent_at(text: str, at: int) -> str:
    """Return the white space at the start of the line that holds a position."""
    start = line_start(text, at)
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def own_line(text: str, at: int) -> bool:
    """Return whether only white space stands before it on its line."""
    return not text[line_start(text, at) : at].strip(" \t\ufeff")


def dumped(value: Any, text: str, indent: str, unit: str) -> str:
    """Return a value as JSON at an indentation; without line breaks if ``unit`` is empty."""
    if not unit:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=unit)
    return lines.replace("\n", newline(text) + indent)


def insert(text: str, inside: Span, items: list[Span], item: str, unit: str) -> str:
    """Add an item behind the last one, in the same style.

    ``inside`` is what stands between the brackets; ``unit`` is one step of indentation for an empty pair,
    or empty to stay on the line.
    """
    close = inside[1]
    if not items:
        return _first(text, inside, item, unit)
    first, last = items[-1]
    comma = last + _until_comma(text[last:close])
    trailing = comma < close
    behind = comma + 1 if trailing else last
    if own_line(text, first):
        gap = newline(text) + indent_at(text, first)
        ends = line_end(text, behind)
        at = ends if ends < close else behind
    else:
        gap = text[items[-2][1] : first].replace(",", "", 1) if len(items) > 1 else " "
        gap, at = gap if not gap.strip() else " ", behind
    if trailing:
        return text[:at] + gap + item + "," + text[at:]
    return text[:last] + "," + text[last:at] + gap + item + text[at:]


def _first(text: str, inside: Span, item: str, unit: str) -> str:
    start, close = inside
    if text[start:close].strip():  # a comment stands there
        outer = indent_at(text, close)
        gap = newline(text) + outer
        at = start + len(text[start:close].rstrip())
        return text[:at] + gap + unit + item + gap + text[close:]
    if not unit:
        return text[:start] + item + text[close:]
    outer = newline(text) + indent_at(text, start)
    return text[:start] + outer + unit + item + outer + text[close:]


def _only_comment(text: str, at: int) -> bool:
    rest = text[at : line_end(text, at)].strip()
    return "\n" in text[at:] and (not rest or rest.startswith("#"))


def _until_comma(rest: str) -> int:
    """Return the position of the comma behind an item; comments (TOML, YAML) are stepped over."""
    at = 0
    while at < len(rest):
        if rest[at] == ",":
            return at
        at = (rest.find("\n", at) if "\n" in rest[at:] else len(rest)) if rest[at] == "#" else at + 1
    return len(rest)


def remove(text: str, inside: Span, items: list[Span], which: int) -> str:
    """Take one item out, with the comma that belongs to it."""
    start, close = inside
    first, last = items[which]
    comma = last + _until_comma(text[last:close])
    if comma < close and own_line(text, first) and _only_comment(text, comma + 1):
        begin = max(line_start(text, first), start)
        return text[:begin] + text[min(text.find("\n", comma) + 1 or close, close) :]
    if len(items) == 1:
        around = text[start:first] + text[last:close]
        if not around.strip(" \t\r\n,"):
            return text[:start] + text[close:]
        return text[:first] + text[min(comma + 1, close) :]
    if which + 1 < len(items):
        return text[:first] + text[items[which + 1][0] :]
    return text[: items[which - 1][1]] + text[last:]
