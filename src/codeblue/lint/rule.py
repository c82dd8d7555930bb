"""How a function becomes a rule: its parameter types say what it looks at."""

from collections.abc import Callable
from typing import get_type_hints

from codeblue.model.lint import Check, Rule

DOCUMENTS = "codeblue.model.config.document"
"""Where the parts of documents are."""


def rule(fault: str, *, pedantic: bool = False, in_documents: bool | None = None) -> Callable[[Check], Rule]:
    """Make a rule for a fault of the catalogue.

    The first parameter is the part of a file that is judged, one call for each such part. Others are
    sections of a snapshot (``--on``) or the ``Site``; without them the rule is skipped, not clear.
    ``in_documents`` is for rules that count for what a document shows; those over its sentences do.
    """

    def make(check: Check) -> Rule:
        hints = get_type_hints(check)
        hints.pop("return", None)
        part, *needs = hints.values()
        said = part.__module__ == DOCUMENTS if in_documents is None else in_documents
        return Rule(fault, check, part, tuple(needs), pedantic, said)

    return make
