"""Slips in YAML that are no matter of indentation: quotes, colons, brackets, conflict marks."""

import re
from typing import NamedTuple

from codeblue.model.text import Message, message

CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: .*)?$", re.MULTILINE)
GLUED = re.compile(r" *(?:- +)*([A-Za-z_][\w.-]*)(:)[^\s:/]")
"""A key whose colon has no space behind it."""
BARE = re.compile(r" *(?:- +)*([A-Za-z_][\w.-]*) +[^\s:]+$")
"""A key without any colon."""
SHORT = 60


class Complaint(NamedTuple):
    """The parser's own words."""

    problem: str
    offset: int
    context: str
    begin: int
    """Where what it was reading begins."""


Slip = tuple[int, int, Message]


def slip(text: str, said: Complaint) -> Slip | None:
    """Return the stretch that went wrong, and why; None if it is none of these slips."""
    mark = CONFLICT.search(text)
    if mark is not None:
        why = message("a conflict between two versions was never resolved here", "这里有未解决的版本合并冲突")
        return mark.start(), mark.end(), why
    if "quoted scalar" in said.context and "end of stream" in said.problem:
        return said.begin, said.begin + 1, message("this quote is never closed", "这个引号没有闭合")
    if "flow" in said.context:
        return _bracket(text, said)
    if "alias" in said.context or "anchor" in said.context or "cannot start any token" in said.problem:
        return _sign(text, said)
    if said.problem.startswith("mapping values are not allowed"):
        return _colon(text, said.offset)
    if said.problem == "did not find expected key" and text[said.offset - 1 : said.offset] in ("'", '"', " "):
        return _behind_quote(text, said.offset)
    return None


def _bracket(text: str, said: Complaint) -> Slip:
    why = message(
        "in this bracket a comma, or its end, is missing before line {line}",
        "这个括号里，第 {line} 行之前缺少逗号或右括号",
        line=text.count("\n", 0, said.offset) + 1,
    )
    return said.begin, said.begin + 1, why


def _sign(text: str, said: Complaint) -> Slip | None:
    at = said.begin if "scanning a" in said.context else said.offset
    sign = text[at : at + 1]
    if not sign.strip():
        return None
    why = message(
        "a value that begins with {sign} has to be quoted", "以 {sign} 开头的值必须加引号", sign=sign
    )
    return at, at + 1, why


def _colon(text: str, offset: int) -> Slip | None:
    """Tell a colon too many in a line from one that is missing in the line before."""
    begin = text.rfind("\n", 0, offset) + 1
    line = text[begin : text.find("\n", offset) if "\n" in text[offset:] else len(text)]
    if ": " in line[: offset - begin]:
        why = message(
            "a second colon: quote the value, since an unquoted one ends here",
            "多了一个冒号：请给值加引号，否则值到这里就结束了",
        )
        return offset, offset + 1, why
    before = text[text.rfind("\n", 0, begin - 1) + 1 : begin - 1] if begin else ""
    start = begin - 1 - len(before)
    column = len(line) - len(line.lstrip(" "))
    found = (GLUED.match(before), BARE.match(before))
    glued, bare = (one if one and one.start(1) == column else None for one in found)
    if glued is not None and ": " not in before:
        why = message("a space is missing behind this colon", "这个冒号后面缺少空格")
        return start + glued.start(2), start + glued.end(2), why
    if bare is not None:
        why = message("a colon is missing behind `{key}`", "`{key}` 后面缺少冒号", key=bare[1][:SHORT])
        return start + bare.start(1), start + bare.end(1), why
    return None


def _behind_quote(text: str, offset: int) -> Slip | None:
    line = text[text.rfind("\n", 0, offset) + 1 : offset].rstrip()
    if line[-1:] not in ("'", '"'):
        return None
    why = message(
        "text goes on behind the closing quote: a quote inside is to be written twice or the other kind used",
        "右引号之后还有文字：内部的引号要写两次，或改用另一种引号",
    )
    return offset, offset + 1, why
