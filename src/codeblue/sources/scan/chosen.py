"""The literals of a catalogue: few, and rare in healthy lines."""

from collections.abc import Iterable

from codeblue.sources.scan.literals import Literals, choices
from codeblue.sources.scan.rarity import cheapest
from codeblue.sources.scan.rules import FINAL_WORDS, Rules


def chosen(rules: Rules) -> list[str]:
    """Return literals of which every line contains one that a signature, or a final error, matches.

    They are rare in healthy lines, as far as the signatures allow it.
    """
    found = set(FINAL_WORDS)
    for anchor, source in zip(rules.anchor_of, rules.sources, strict=True):
        found |= _cheapest([frozenset((anchor,)), *choices(source)])
    # One that contains another says nothing more.
    shortest: list[str] = []
    for literal in sorted(found, key=lambda literal: (len(literal), literal)):
        if not any(other in literal for other in shortest):
            shortest.append(literal)
    return shortest


def _cheapest(sets: Iterable[Literals]) -> set[str]:
    """Return the set that costs a search least, each literal cut to what is rare in it."""
    parts = [[_part(literal) for literal in needed] for needed in sets]
    best = min(parts, key=lambda found: sum(cost for cost, _ in found))
    return {part for _, part in best}


def _part(literal: str) -> tuple[float, str]:
    """Return what of a literal is searched for, and what that costs: nothing for words of final errors."""
    word = next((word for word in FINAL_WORDS if word in literal), None)
    return (0.0, word) if word else cheapest(literal)
