"""What every engine does: list its nodes, run one program on some of them, hand back the answers."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from codeblue.model.fleet import Listed, Reply


class Order(Struct, frozen=True, kw_only=True):
    """One program for many nodes."""

    text: str
    """For ``python3 -I -S -B -``; it answers in frames behind the marker."""
    marker: str
    seconds: float
    """In which a node must have answered, its start included."""
    limit: int = 64
    """Nodes that may be asked at the same moment, where the engine has no limit of its own."""


class Engine(Protocol):
    """An engine. Raises Unusable with one line where it cannot be used at all."""

    name: str

    def nodes(self) -> list[Listed]:
        """Return all nodes that the user named, also those that will not be asked."""
        ...

    def run(self, order: Order, nodes: Sequence[Listed]) -> Iterator[Reply]:
        """Yield each node's reply as it comes; a closed iterator leaves nothing at work."""
        ...
