"""What is wrong with a YAML file that cannot be parsed, in the words of somebody who looks at the lines."""

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from codeblue.model.lint import Fix
from codeblue.model.text import Message, message
from codeblue.sources.config.yaml_moves import back
from codeblue.sources.config.yaml_slips import Complaint, slip

UNQUOTED = re.compile(r":[ \t]+(\{\w[\w.-]*\}[^\s,}\]#]\S*)")
"""``image: {user}/name``: a blank for somebody to fill in."""
BEYOND = 400
"""Lines looked back for the keys that a line should stand in line with."""


class Explained(NamedTuple):
    """Where a text goes wrong, from and up to which character, why, and what puts it right."""

    start: int
    end: int
    why: Message
    fix: Fix | None = None


def explained(text: str, said: Complaint) -> Explained:
    """Return where the text goes wrong, from and up to which character, and why.

    The parser's own words often come one line late.
    """
    offset = said.offset
    lines = text.split("\n")
    number = text.count("\n", 0, offset)
    begin = text.rfind("\n", 0, offset) + 1
    line = lines[number]
    if "\t" in line[: len(line) - len(line.lstrip())]:
        at = begin + line.index("\t")
        return Explained(
            at,
            at + 1,
            message("a tab indents this line; YAML wants spaces", "这一行用制表符缩进；YAML 只能用空格"),
        )
    blank = UNQUOTED.search(line)
    if blank is not None:
        return Explained(begin + blank.start(1), begin + blank.end(1), _to_fill_in(blank[1]))
    other = slip(text, said)
    if other is not None:
        return Explained(*other)
    for candidate in (number, number - 1):
        slid = _slid(lines, candidate)
        if slid is not None:
            start = begin - sum(len(line) + 1 for line in lines[slid.line : number]) + slid.column
            fix = back(text, slid.line, slid.wanted - slid.column)
            if fix is None and slid.as_near is not None:
                other_way = back(text, slid.line, slid.as_near - slid.column)
                slid = slid._replace(wanted=slid.as_near) if other_way else slid
                fix = other_way
            return Explained(start, start + len(slid.word), _moved(slid), fix)
    why = message("not YAML: {problem}", "不是合法的 YAML：{problem}", problem=said.problem.strip())
    return Explained(offset, offset + 1, why)


def _to_fill_in(word: str) -> Message:
    return message(
        "{word} is not filled in yet, or wants quotes: in YAML a bracket begins a map",
        "{word} 还没有填写，或者需要加引号：YAML 里花括号表示映射的开始",
        word=word,
    )


class _Slid(NamedTuple):
    """A line that is out of step with the keys around it; lines and columns count from 0."""

    line: int
    column: int
    word: str
    wanted: int
    as_near: int | None = None
    """Another column that is as near."""


def _slid(lines: list[str], number: int) -> _Slid | None:
    """Return the line that is out of step, if a line is not in line with the keys above it."""
    line = lines[number] if number >= 0 else ""
    if not line.strip() or ":" not in line:
        return None
    column = _column(line)
    short = _short_of_opener(lines, number)
    if short > 0:
        return _Slid(number, column, line[column:].split(":", 1)[0], column + short)
    near = _levels(lines, number)
    if column in near or not (near or column):
        return None
    if not near:
        return _Slid(number, column, line[column:].split(":", 1)[0], 0)
    follows = _goes_on(lines, number)
    nearest = sorted(near, key=lambda level: (abs(level - column), level != follows, level))
    wanted = nearest[0]
    as_near = next((level for level in nearest[1:] if abs(level - column) == abs(wanted - column)), None)
    first = _stumbled_over(lines, number, near, abs(wanted - column))
    if first is not None:
        # The parser stops at the first line that is right again.
        wanted = _indent(line) if _is_item(line) and not _is_item(lines[first]) else column
        number, line, column, as_near = first, lines[first], _column(lines[first]), None
    word = line[column:].split(":", 1)[0]
    return _Slid(number, column, word, wanted, as_near) if column != wanted else None


def _short_of_opener(lines: list[str], number: int) -> int:
    """Return how many columns an element stands further out than the key that opens its list; 0 if none."""
    opener = _last_key(lines, number)
    if opener is None or not (_is_item(lines[number]) and lines[opener].rstrip().endswith(":")):
        return 0
    is_right = _indent(lines[opener]) % _step(lines, number) == 0
    return max(0, _column(lines[opener]) - _indent(lines[number])) if is_right else 0


def _stumbled_over(lines: list[str], number: int, near: dict[int, int], distance: int) -> int | None:
    """Return the line above that is out of step where this one is right; None if it is this one.

    ``near`` are the open columns and the first line of each; those count that are ``distance`` away.
    """
    column, step = _column(lines[number]), _step(lines, number)
    tied = [level for level in near if abs(level - column) == distance]
    odd = [level for level in tied if _indent(lines[near[level]]) % step]
    if odd:
        is_right = _indent(lines[number]) % step == 0 and _goes_on(lines, number) != min(odd)
        return near[min(odd)] if is_right else None
    deeper = next((near[level] for level in tied if level > column), None)
    if deeper is not None and _opens_too_far(lines, deeper, column, step):
        return deeper
    before = _above(lines, number, column)
    return before if before is not None and _fell_back(lines, before, column, step) else None


def _opens_too_far(lines: list[str], first: int, column: int, step: int) -> bool:
    """Tell whether a line begins a block further in than usual, and the given column would be usual."""
    above = _above(lines, first, _column(lines[first]))
    if above is None:
        return column == 0
    usual = (0, step) if _is_item(lines[first]) else (step,)
    outer, shift = _column(lines[above]), _column(lines[first]) - column
    inner = _indent(lines[first])
    return inner - outer not in usual and inner - shift - outer in usual


def _fell_back(lines: list[str], line: int, column: int, step: int) -> bool:
    """Tell whether a line stands further out than its neighbours, which stand in the given column."""
    above = _last_key(lines, line)
    if above is None or _column(lines[line]) >= column:
        return False
    opened = lines[above].rstrip().endswith(":") and _column(lines[above]) == _column(lines[line])
    return _column(lines[above]) == column or (opened and column - _column(lines[line]) == step)


def _above(lines: list[str], number: int, column: int) -> int | None:
    """Return the nearest line above whose key begins further out than a column."""
    for at in range(number - 1, max(-1, number - BEYOND - 1), -1):
        if lines[at].startswith("---"):
            break
        if _is_key(lines[at]) and _column(lines[at]) < column:
            return at
    return None


def _last_key(lines: list[str], number: int) -> int | None:
    """Return the nearest line above that has a key."""
    return next(
        (at for at in range(number - 1, max(-1, number - BEYOND - 1), -1) if _is_key(lines[at])), None
    )


def _is_key(line: str) -> bool:
    return ":" in line and bool(line.strip()) and not line.lstrip().startswith("#")


def _goes_on(lines: list[str], number: int) -> int | None:
    """Return the column of the next line that is not inside of what a line begins."""
    inner = _column(lines[number]) + 1
    for line in lines[number + 1 : number + BEYOND]:
        if line.strip() and _indent(line) <= inner:
            return _column(line)
    return None


def _moved(slid: _Slid) -> Message:
    return message(
        "line {line}: `{word}` begins in column {column}, the keys around it in column {wanted}: "
        "{count} space(s) too {which}",
        "第 {line} 行：`{word}` 从第 {column} 列开始，"
        "周围的键从第 {wanted} 列开始：{which_zh} {count} 个空格",
        line=slid.line + 1,
        word=slid.word.strip()[:60],
        column=slid.column + 1,
        wanted=slid.wanted + 1,
        count=abs(slid.column - slid.wanted),
        which="many" if slid.column > slid.wanted else "few",
        which_zh="多了" if slid.column > slid.wanted else "少了",
    )


def _step(lines: list[str], number: int) -> int:
    """Return how many columns a level mostly is indented around a line."""
    around = [line for line in lines[max(0, number - BEYOND) : number + BEYOND] if line.strip()]
    indents = [_indent(line) for line in around]
    steps = Counter(inner - outer for outer, inner in pairwise(indents) if inner > outer + 1)
    return max(steps, key=lambda step: (steps[step], -step), default=2)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_item(line: str) -> bool:
    return line.lstrip(" ").startswith("- ")


def _column(line: str) -> int:
    """Return where the first key of a line begins, behind the dash of a list."""
    column = _indent(line)
    while line[column : column + 2] == "- ":
        column += 2
        column += len(line[column:]) - len(line[column:].lstrip(" "))
    return column


def _levels(lines: list[str], number: int) -> dict[int, int]:
    """Return the columns of the keys that are open above a line, and the first line of each."""
    levels: dict[int, int] = {}
    lowest = 1 << 30
    for at in range(number - 1, max(-1, number - BEYOND - 1), -1):
        line = lines[at]
        if line.startswith("---"):
            break
        if not _is_key(line):
            continue
        column = _column(line)
        if column < lowest:
            lowest = min(column, _indent(line)) if _is_item(line) else column
        elif column not in levels or column > lowest:
            continue
        levels[column] = at
        if lowest == 0:
            break
    return levels
