"""How a function becomes a rule: its parameter types say what it looks at."""

from collections.abc import Callable
from typing import get_type_hints

from codeblue.model.lint import Check, Rule


def rule(fault: str, *, pedantic: bool = False) -> Callable[[Check], Rule]:
    """Make a rule for a fault of the catalogue.

    The first parameter is the part of a file that is judged, one call for each such part. Others are
    sections of a snapshot (``--on``) or the ``Site``; without them the rule is skipped, not clear.
    """

    def make(check: Check) -> Rule:
        hints = get_type_hints(check)
        hints.pop("return", None)
        part, *needs = hints.values()
        return Rule(fault, check, part, tuple(needs), pedantic)

    return make
