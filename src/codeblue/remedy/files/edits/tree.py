"""Paths into parsed files, and what a change should make of a parsed file."""

import json
import re
from typing import Any

from codeblue.remedy.files.refusals import refused

Path = tuple[str, ...]
Mode = str
"""``set``, ``add`` to a list, ``remove`` (a key, or with a value: that element of a list), or ``mend``, which
makes a text follow its format again, whatever stands in ``at``.
"""
MEND = "mend"
MODES = ("set", "add", "remove", MEND)

PART = re.compile(r'"(?:[^"\\]|\\.)*"|[^."]+')


class Absent:
    """No value was given."""


ABSENT = Absent()


def parts(at: str) -> Path:
    """Split ``runtimes."a.b".path`` at its dots; quoted parts are JSON strings. Raises Refused."""
    found: list[str] = []
    position = 0
    while position < len(at):
        part = PART.match(at, position)
        end = part.end() if part else 0
        if not part or (end < len(at) and (at[end] != "." or end + 1 == len(at))):
            raise _unusable(at)
        found.append(_unquoted(part.group(), at))
        position = end + 1
    if not found:
        raise _unusable(at)
    return tuple(found)


def _unquoted(part: str, at: str) -> str:
    if not part.startswith('"'):
        return part
    try:
        return str(json.loads(part))
    except ValueError:
        raise _unusable(at) from None


def _unusable(at: str) -> Exception:
    return refused(
        "{at}: this is no path to a key; write parts with dots as a.b, and quote parts that hold dots",
        "{at}：这不是键的路径；请用点号连接各部分（a.b），包含点号的部分要加双引号",
        at=at or '""',
    )


def value_of(text: str | None) -> Any:
    """Return the value of a JSON text, ABSENT for None. Raises Refused."""
    if text is None:
        return ABSENT
    try:
        value = json.loads(text, parse_constant=_no_number)
        text.encode()
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise refused(
            "{text}: the value is not JSON; write strings in double quotes",
            "{text}：该值不是 JSON；字符串请用双引号括起",
            text=text.encode("utf-8", "replace").decode()[:80],
        ) from None
    return value


def _no_number(word: str) -> None:
    raise ValueError(word)


def changed(tree: Any, path: Path, mode: Mode, value: Any) -> Any:
    """Return the tree with one change; everything beside the path is shared. Raises Refused."""
    if not path:
        return _leaf(tree, mode, value)
    head, rest = path[0], path[1:]
    if isinstance(tree, list):
        index = index_of(tree, head)
        inner = changed(tree[index], rest, mode, value) if rest else _leaf(tree[index], mode, value)
        if isinstance(inner, Absent):
            return [*tree[:index], *tree[index + 1 :]]
        return [*tree[:index], inner, *tree[index + 1 :]]
    table = {} if tree is ABSENT or tree is None else tree
    if not isinstance(table, dict):
        raise through_scalar(head)
    inner = changed(table.get(head, ABSENT), rest, mode, value)
    if not isinstance(inner, Absent):
        return {**table, head: inner}
    return {key: old for key, old in table.items() if key != head} if head in table else tree


def _leaf(old: Any, mode: Mode, value: Any) -> Any:
    if mode == "set":
        return value
    if mode == "remove" and value is ABSENT:
        return ABSENT
    if old is ABSENT:
        return [value] if mode == "add" else ABSENT
    if not isinstance(old, list):
        raise refused("the value there is not a list", "该处的值不是列表")
    if mode == "add":
        return old if any(same(item, value) for item in old) else [*old, value]
    return [item for item in old if not same(item, value)]


def index_of(items: list[Any], part: str) -> int:
    """Return the position that a part of a path means. Raises Refused."""
    if part.isascii() and part.isdigit() and int(part) < len(items):
        return int(part)
    raise refused(
        "{part}: the list there has {count} elements; give a number below that",
        "{part}：该列表有 {count} 个元素；请给出小于它的序号",
        part=part,
        count=len(items),
    )


def through_scalar(part: str) -> Exception:
    """Return the refusal of a path that leads through a plain value."""
    return refused(
        "{part}: the value above it is not a table, so nothing can stand below it",
        "{part}：其上一级的值不是表，不能再包含下级键",
        part=part,
    )


def same(one: Any, other: Any, _pairs: set[tuple[int, int]] | None = None) -> bool:
    """Compare two trees strictly: 1 is not True, NaN is NaN, the order of keys does not count."""
    pairs = set() if _pairs is None else _pairs
    if type(one) is not type(other):
        return False
    if not isinstance(one, (dict, list)):
        return bool(one == other) or (one != one and other != other)
    if (id(one), id(other)) in pairs:
        return True  # compared already, or being compared: shared parts are looked at once
    pairs.add((id(one), id(other)))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key], pairs) for key in one)
    return len(one) == len(other) and all(same(a, b, pairs) for a, b in zip(one, other, strict=True))
