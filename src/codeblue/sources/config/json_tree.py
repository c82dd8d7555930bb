"""JSON to nodes."""

import json
import re

from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.lint import Edit, Fix
from codeblue.model.text import Message, message
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.broken import Broken, Template

TEMPLATE = re.compile(r"\{%[-+ ]|(?<![\"\w])\{\{")
"""What a program fills in first; in quotes it may also be meant for a later one."""


def root(source: Source) -> Node | None:
    """Return the root of a JSON text; None if it is empty. Raises Broken with the exact place."""
    text = source.text
    if not text.strip():
        return None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        if TEMPLATE.search(text):
            raise Template(yaml_tree.RENDER) from None
        raise _broken(source, error) from None
    except RecursionError:
        raise Broken(source.place(0, 0), message("nested too deeply", "嵌套层次太深")) from None
    # Valid JSON is YAML, but for tabs between values.
    spaced = Source(source.name, text.replace("\t", " "))
    return next(yaml_tree.documents(spaced), None)


def _broken(source: Source, error: json.JSONDecodeError) -> Broken:
    text = source.text
    before = text[: error.pos].rstrip()
    comma = error.pos if error.msg.startswith("Illegal trailing comma") else len(before) - 1
    if text[comma : comma + 1] == "," and text[comma + 1 :].lstrip()[:1] in ("}", "]"):
        place = source.place(comma, comma + 1)
        fix = Fix(message("take the comma away", "删除这个逗号"), (Edit(place, ""),), safe=True)
        return Broken(place, message("a comma before the closing bracket", "右括号之前多了一个逗号"), fix)
    return Broken(source.place(error.pos, error.pos + 1), _words(text, error))


def _words(text: str, error: json.JSONDecodeError) -> Message:
    """Return what is wrong in the words of somebody who looks at the line."""
    at = text[error.pos : error.pos + 1]
    if error.msg.startswith("Expecting ','") and at in ('"', "{", "["):
        return message("a comma is missing before this", "此处之前缺少逗号")
    if text[error.pos : error.pos + 2] in ("//", "/*") or at == "#":
        return message("JSON has no comments", "JSON 不允许注释")
    if at == "'":
        return message("JSON wants double quotes", "JSON 只能用双引号")
    if not at:
        return message("the file ends before its last bracket is closed", "文件结束时还有括号没有闭合")
    return message("not JSON: {why}", "不是合法的 JSON：{why}", why=error.msg)
