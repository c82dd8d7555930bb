"""A reader is only asked where one of its words stands: no text that it understands is without."""

import ast
from pathlib import Path

import pytest

from codeblue.sources.clues import Line
from codeblue.sources.pasted import READERS, reader


def texts() -> set[str]:
    """Return every text that stands in the tests of this folder."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in Path(__file__).parent.glob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {node.value for node in nodes if isinstance(node.value, str)}


TEXTS = texts()


@pytest.mark.parametrize("name", READERS)
def test_what_a_reader_understands_has_one_of_its_words(name: str) -> None:
    read = reader(name)
    understood = [text for text in TEXTS if any(read(lines(text)))]

    assert understood
    assert not [text for text in understood if not any(word in f"\n{text}" for word in READERS[name])]


def lines(text: str) -> list[Line]:
    return [Line(row[:2000], "t", number, False) for number, row in enumerate(text.split("\n"), start=1)]
