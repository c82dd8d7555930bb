"""The bundle that tells the project about a wrong verdict."""

import re

import click

from codeblue.cli.explain import unknown
from codeblue.cli.language import LANG, say
from codeblue.faults import index
from codeblue.model.snapshot import Snapshot
from codeblue.sources.redaction import Redactor

LONGEST = 200
"""Characters of the user's sentence."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")


def checked(expected: str) -> str:
    """Return what the user expected. Raises UsageError if it is a fault that does not exist, or too long."""
    if _NAME.fullmatch(expected) and expected not in index.entries():
        raise click.UsageError(unknown(expected, list(index.entries())))
    if not 0 < len(expected.strip()) <= LONGEST:
        raise click.UsageError(
            say(
                f"--expected takes a fault or a sentence of 1 to {LONGEST} characters",
                f"--expected 需要故障名，或 1 到 {LONGEST} 个字符的一句话",
            )
        )
    return expected.strip()


def bundle(snapshot: Snapshot, expected: str, redactor: Redactor) -> bytes:
    """Return the encoded bundle, with what ``redactor`` knows as private replaced."""
    from codeblue.pipeline import judge
    from codeblue.report.wrong import document
    from codeblue.sources.sharing import shareable

    shared = shareable(snapshot, redactor)
    fault = expected if expected in index.entries() else None
    words = expected if fault else redactor.text(expected)
    return document(shared, judge(shared), judge(snapshot), (fault, words), LANG)
