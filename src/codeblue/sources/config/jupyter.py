"""Jupyter's configuration in Python, which is read and never run, and in JSON."""

import ast
import os
from collections.abc import Iterator

from codeblue.model.config.lines import Entry, Jupyter
from codeblue.model.config.place import Place, Source
from codeblue.model.text import message
from codeblue.sources.config import json_tree
from codeblue.sources.config.broken import Broken


def read(source: Source) -> Iterator[object]:
    """Yield what the file sets. Raises Broken."""
    entries = _json(source) if source.name.endswith(".json") else _python(source)
    yield Jupyter(name=os.path.basename(source.name), entries=tuple(entries))


def _json(source: Source) -> Iterator[Entry]:
    root = json_tree.root(source)
    for section, table in root.pairs if root else ():
        for key, value in table.pairs:
            shown = repr(value.text) if value.kind == "string" else value.text
            yield Entry(
                name=key.text, value=shown, place=key.place, value_place=value.place, section=section.text
            )


def _python(source: Source) -> list[Entry]:
    try:
        tree = ast.parse(source.text)
        found = [
            entry for node in ast.walk(tree) if isinstance(node, ast.Assign) for entry in _assigned(node)
        ]
    except SyntaxError as error:
        line, column = error.lineno or 1, max(1, error.offset or 1)
        place = Place(line, column, line, column + 1)
        raise Broken(
            place, message("not Python: {why}", "不是合法的 Python：{why}", why=(error.msg or "")[:120])
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise Broken(source.place(0, 0), message("not Python", "不是合法的 Python")) from None
    return sorted(found, key=lambda entry: entry.place)


def _assigned(node: ast.Assign) -> Iterator[Entry]:
    """Yield ``c.Class.option = literal``."""
    for target in node.targets:
        if not isinstance(target, ast.Attribute) or not isinstance(target.value, ast.Attribute):
            continue
        owner = target.value
        if (
            isinstance(owner.value, ast.Name)
            and owner.value.id == "c"
            and isinstance(node.value, ast.Constant)
        ):
            yield Entry(
                name=target.attr,
                value=repr(node.value.value),
                place=_place(target),
                value_place=_place(node.value),
                section=owner.attr,
            )


def _place(node: ast.expr) -> Place:
    # Columns of ast count bytes; what stands before these is ASCII in any sane file.
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Place(node.lineno, node.col_offset + 1, end_line, end + 1)
