"""What is odd about who the nodes are, each note once with its nodes."""

from collections.abc import Sequence

from codeblue.model.fleet import Judged
from codeblue.model.node_sets import fold

MOST = 20
"""Notes, or reasons, in a report for people; the JSON document has all, and so has each node of the page."""


def noted(nodes: Sequence[Judged], lang: str) -> list[tuple[str, str]]:
    """Return sets of nodes and what is said of them, that of the most nodes first."""
    told: dict[str, list[str]] = {}
    for node in nodes:
        for note in node.notes:
            told.setdefault(note.say(lang), []).append(node.node)
    rows = sorted(told.items(), key=lambda one: -len(one[1]))
    return [(fold(names), text) for text, names in rows[:MOST]]


def without_gpu(nodes: Sequence[Judged]) -> list[str]:
    """Return the nodes that were read where no GPU was asked for."""
    return [node.node for node in nodes if node.without_gpu]
