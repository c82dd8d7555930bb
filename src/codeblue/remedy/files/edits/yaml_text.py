"""YAML: the parser's marks say where keys and values stand; new values are written as JSON."""

import json
from typing import Any

import yaml
from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from codeblue.remedy.files.edits import brackets, tree
from codeblue.remedy.files.edits.json_text import unreadable
from codeblue.remedy.files.refusals import refused

DEEPEST = 64


def _root(text: str) -> Node | None:
    """Return the one document. Raises Refused for broken YAML, several documents, a key given twice."""
    try:
        documents = list(yaml.compose_all(text, yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise unreadable(text, mark.index if mark else 0, "YAML") from None
    except (yaml.YAMLError, RecursionError):
        raise unreadable(text, 0, "YAML") from None
    if len(documents) > 1:
        raise refused(
            "the file holds {count} documents (---), so a path can mean several; split it first",
            "该文件包含 {count} 个文档（---），路径会有歧义；请先拆分",
            count=len(documents),
        )
    root = documents[0] if documents else None
    _refuse_twice(root, set(), 0)
    return root


def _refuse_twice(node: Node | None, seen: set[int], depth: int) -> None:
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if depth > DEEPEST:
        raise refused("it is nested too deeply", "嵌套层次太深")
    if isinstance(node, SequenceNode):
        for item in node.value:
            _refuse_twice(item, seen, depth + 1)
    if isinstance(node, MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            name = str(key.value)
            if name in lines and isinstance(key, ScalarNode):
                raise refused(
                    "the key {name} stands twice, in lines {first} and {second}; remove the wrong one",
                    "键 {name} 出现了两次（第 {first} 行和第 {second} 行）；请删除错误的那一个",
                    name=name,
                    first=lines[name],
                    second=line,
                )
            lines[name] = line
            _refuse_twice(value, seen, depth + 1)


def parse(text: str) -> Any:
    """Return the tree. Raises Refused with the place of the first error."""
    _root(text)
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise refused(
            "it holds tags or values that only its own program understands; change it by hand",
            "其中含有只有其所属程序才能理解的标签或值；请手动修改",
        ) from None


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with one change. Raises Refused."""
    root = _root(text)
    if root is None:
        start = text if not text or text.endswith("\n") else text + brackets.newline(text)
        return start + _nested(path, [value] if mode == "add" else value) + brackets.newline(text)
    trail = [root]
    for done, part in enumerate(path):
        inner = _child(trail[-1], part)
        if inner is None:
            return _grown(text, trail[-1], path[done:], [value] if mode == "add" else value)
        trail.append(inner)
    if mode == "set":
        return _put(text, trail[-1], value)
    if mode == "add":
        return _added(text, trail[-1], value)
    if isinstance(value, tree.Absent):
        return _without(text, trail[-2], _position(trail[-2], trail[-1]))
    node = trail[-1]
    for which in reversed(range(len(node.value))):
        if tree.same(_loaded(text, node.value[which]), value):
            text = _without(text, node, which)
            again = _root(text)
            for part in path:
                again = _child(again, part) if again else None
            if not isinstance(again, SequenceNode):
                break
            node = again
    return text


def _loaded(text: str, node: Node) -> Any:
    try:
        return yaml.safe_load(text[node.start_mark.index : _end(text, node)])
    except yaml.YAMLError:
        return tree.ABSENT  # an alias: what it stands for is elsewhere


def _nested(path: tree.Path, value: Any) -> str:
    for part in reversed(path[1:]):
        value = {part: value}
    return f"{_key(path[0])}: {_json(value)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "a").replace("-", "a").isalnum() and name[0].isalpha()
    return name if plain and yaml.safe_load(name) == name else _json(name)


def _child(node: Node, part: str) -> Node | None:
    if isinstance(node, MappingNode):
        found = [value for key, value in node.value if str(key.value) == part]
        return found[0] if found else None
    if isinstance(node, SequenceNode):
        item: Node = node.value[tree.index_of(node.value, part)]
        return item
    if node.tag.endswith(":null"):
        return None
    raise tree.through_scalar(part)


def _position(parent: Node, child: Node) -> int:
    values = [item[1] if isinstance(item, tuple) else item for item in parent.value]
    return next(which for which, value in enumerate(values) if value is child)


def _end(text: str, node: Node) -> int:
    """Return where the node's own text ends; the marks of blocks lie behind blank lines and comments."""
    if isinstance(node, ScalarNode) or _flow(node):
        end: int = node.end_mark.index
        block = isinstance(node, ScalarNode) and node.style in ("|", ">")
        return (
            node.start_mark.index + len(text[node.start_mark.index : end].rstrip("\r\n ")) if block else end
        )
    last = node.value[-1]
    return _end(text, last[1] if isinstance(last, tuple) else last)


def _span(text: str, item: Any) -> brackets.Span:
    first, last = item if isinstance(item, tuple) else (item, item)
    return first.start_mark.index, max(_end(text, last), first.end_mark.index)


def _flow(node: Node) -> bool:
    return isinstance(node, CollectionNode) and bool(node.flow_style)


def _inside(node: Node) -> brackets.Span:
    return node.start_mark.index + 1, node.end_mark.index - 1


def _put(text: str, node: Node, value: Any) -> str:
    start, end = node.start_mark.index, _end(text, node)
    joint = "" if start == 0 or text[start - 1].isspace() or text[start - 1] in "[{," else " "
    return text[:start] + joint + _json(value) + text[end:]


def _grown(text: str, node: Node, rest: tree.Path, value: Any) -> str:
    if not isinstance(node, MappingNode):  # nothing stands there yet
        for part in reversed(rest):
            value = {part: value}
        return _put(text, node, value)
    entry = _nested(rest, value)
    if _flow(node):
        return brackets.insert(text, _inside(node), [_span(text, item) for item in node.value], entry, "")
    return _below(text, node, node.value[0][0].start_mark.column, entry)


def _added(text: str, node: Node, value: Any) -> str:
    if _flow(node):
        return brackets.insert(
            text, _inside(node), [_span(text, item) for item in node.value], _json(value), ""
        )
    return _below(text, node, node.start_mark.column, f"- {_json(value)}")


def _below(text: str, node: Node, column: int, entry: str) -> str:
    """Put an entry on a line of its own behind the last one of a block."""
    end = brackets.line_end(text, _end(text, node))
    return text[:end] + brackets.newline(text) + " " * column + entry + text[end:]


def _without(text: str, parent: Node, which: int) -> str:
    """Take out an entry: of a block the lines that it stands on."""
    spans = [_span(text, item) for item in parent.value]
    if _flow(parent):
        return brackets.remove(text, _inside(parent), spans, which)
    if len(spans) == 1:
        empty = "{}" if isinstance(parent, MappingNode) else "[]"
        return text[: parent.start_mark.index] + empty + text[_end(text, parent) :]
    start, end = spans[which]
    begin = brackets.line_start(text, start)
    if isinstance(parent, SequenceNode):
        start = text.rfind("-", begin, start + 1) if "-" in text[begin:start] else start
    if text[begin:start].strip():
        # the first key of an element of a list shares its line with the dash
        return text[:start] + text[spans[which + 1][0] :]
    behind = text.find("\n", brackets.line_end(text, end)) + 1 or len(text)
    return text[:begin] + text[behind:]
