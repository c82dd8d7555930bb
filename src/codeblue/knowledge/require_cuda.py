"""NVIDIA_REQUIRE_CUDA of container images: alternatives, each a list of conditions that must all hold.

Source: NVIDIA container toolkit documentation, "Constraints": a space is OR, a comma is AND.
"""

import re
from typing import NamedTuple

from codeblue.knowledge.versions import older

_CONDITION = re.compile(r"(?P<name>\w+)(?P<operator>>=|<=|!=|=|<|>)(?P<value>[\w.]+)")


class Condition(NamedTuple):
    """One comparison, as ``cuda>=12.8`` or ``brand=tesla``."""

    name: str
    operator: str
    value: str

    @property
    def comparable(self) -> bool:
        """Whether the comparison has a meaning: an order needs a number on its right side."""
        return self.operator in ("=", "!=") or self.value[0].isdecimal()

    def met_by(self, actual: str) -> bool:
        """Return whether it holds for a version or, with ``=`` and ``!=``, for any text."""
        if self.operator in ("=", "!="):
            return (actual == self.value) == (self.operator == "=")
        before, after = older(actual, self.value), older(self.value, actual)
        return {">=": not before, "<=": not after, "<": before, ">": after}[self.operator]


def alternatives(text: str) -> list[list[Condition]]:
    """Return the alternatives of a requirement; what is no condition is left out."""
    found = [
        [Condition(**one.groupdict()) for one in map(_CONDITION.fullmatch, words.split(",")) if one]
        for words in text.split()
    ]
    return [one for one in found if one]
