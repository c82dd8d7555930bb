"""How rare a literal is in what healthy programs print.

A literal that stands in nearly every line finds nothing. What is common is learnt from ``healthy.txt``,
lines as they come from machines that work: how often each character follows the three before it. So
words that are made like common ones count as common too, whether or not they stand in the sample.
"""

from collections import Counter
from functools import cache
from pathlib import Path

WIDTH = 8
"""Characters of a literal that an engine has to look at; a longer one only takes its time."""
ENOUGH = 6
"""Characters below which a literal slows the search for all others, whatever it finds."""
SHORT = 1.0
"""What each missing character costs; the unit is a line of a MiB that is looked at for nothing."""
PRICE = 0.01
"""What one more literal costs."""
FOREIGN = 10.0
"""What a character outside of ASCII costs: not every log is written in UTF-8."""
BEFORE = 3
"""Characters before another one that tell how likely it is."""
DOUBT = 3.0
"""Weight of what fewer characters tell against what was seen behind all of them."""
KINDS = 96
"""Characters that a text is made of, about."""
MIB = 1 << 20


@cache
def cheapest(literal: str) -> tuple[float, str]:
    """Return the part of a literal that costs a search least, not wider than WIDTH, and its cost."""
    parts = {literal[at : at + WIDTH] for at in range(max(1, len(literal) - WIDTH + 1))}
    return min((_cost(part), part) for part in parts)


def _cost(part: str) -> float:
    foreign = sum(character > "\x7f" for character in part)
    return per_mib(part) + SHORT * max(0, ENOUGH - len(part)) + FOREIGN * foreign + PRICE


def per_mib(part: str) -> float:
    """Return how often a MiB of a healthy log may contain a text: as far as it is known, or likely."""
    sample, _ = _sample()
    chance = 1.0
    for at, character in enumerate(part):
        digit = character.isdigit()
        chance *= _chance(_shape(part[max(0, at - BEFORE) : at]), "0" if digit else character)
        chance /= 10 if digit else 1
    return MIB * (chance + sample.count(part) / len(sample))


@cache
def _chance(before: str, character: str) -> float:
    """Return how likely a character is behind others."""
    _, counts = _sample()
    if not before:
        return (counts[character] + DOUBT / KINDS) / (counts[""] + DOUBT)
    known = counts[before + character] + DOUBT * _chance(before[1:], character)
    return known / (counts[before] + DOUBT)


@cache
def _sample() -> tuple[str, Counter[str]]:
    """Return the sample, and how often short texts occur in it, all digits being the same."""
    text = Path(__file__).with_name("healthy.txt").read_text(encoding="utf-8")
    shape = _shape(text)
    counts = Counter(shape[at : at + size] for size in range(1, BEFORE + 2) for at in range(len(shape)))
    counts[""] = len(shape)
    return text, counts


def _shape(text: str) -> str:
    return "".join("0" if character.isdigit() else character for character in text)
