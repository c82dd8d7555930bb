"""The JSON document of lint: ``codeblue/lint/1``."""

from typing import Any

from msgspec import json

from codeblue.model.config.place import Place
from codeblue.model.lint import Finding, Fix, Linted

SCHEMA = "codeblue/lint/1"


def render(linted: Linted, lang: str) -> str:
    """Return the document; its keys are the same in every language."""
    content = {
        "schema": SCHEMA,
        "findings": [_finding(one, lang) for one in linted.findings],
        "suppressed": [
            {**_finding(one.finding, lang), "by": one.by, "reason": one.reason} for one in linted.suppressed
        ],
        "hidden": linted.hidden,
        "files": linted.files,
        "left": [{"path": one.path, "why": one.why.say(lang)} for one in linted.left],
        "skipped": [{"fault": fault, "reason": reason} for fault, reason in linted.skipped],
        "broken": [{"rule": rule, "reason": reason} for rule, reason in linted.broken],
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _finding(one: Finding, lang: str) -> dict[str, Any]:
    return {
        "fault": one.fault,
        "variant": one.variant,
        "layer": one.layer.value if one.layer else None,
        "kind": one.kind.value,
        "path": one.path,
        **_place(one.place),
        "severity": one.severity.value,
        "certainty": one.certainty.value,
        "message": one.message.say(lang),
        "fix": _fix(one.fix, lang) if one.fix else None,
        "page": f"codeblue explain {one.fault}",
    }


def _place(place: Place) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def _fix(fix: Fix, lang: str) -> dict[str, Any]:
    return {
        "summary": fix.summary.say(lang),
        "safe": fix.safe,
        "edits": [{**_place(one.place), "text": one.text} for one in fix.edits],
    }
