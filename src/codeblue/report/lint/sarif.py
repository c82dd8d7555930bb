"""SARIF 2.1.0, for code scanning."""

from hashlib import sha256
from typing import Any
from urllib.parse import quote

from msgspec import json

from codeblue import __version__
from codeblue.model.config.place import Place
from codeblue.model.fault import Severity
from codeblue.model.lint import Finding, Fix, Linted

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(linted: Linted, lang: str) -> str:
    """Return one run; suppressed findings are in it, marked as such."""
    accepted = [one.finding for one in linted.suppressed]
    rules = sorted({one.fault: one for one in (*linted.findings, *accepted)}.items())
    results = [_result(one, lang) for one in linted.findings]
    for one in linted.suppressed:
        source = "inSource" if one.by == "comment" else "external"
        suppression = {"kind": source, "justification": one.reason}
        results.append({**_result(one.finding, lang), "suppressions": [suppression]})
    run = {
        "tool": {
            "driver": {
                "name": "codeblue",
                "version": __version__,
                "rules": [_rule(name, one, lang) for name, one in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [
            {
                "executionSuccessful": not any(left.unusable for left in linted.left),
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": left.why.say(lang)}} for left in linted.left
                ],
            }
        ],
    }
    content = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _rule(name: str, one: Finding, lang: str) -> dict[str, Any]:
    return {
        "id": name,
        "shortDescription": {"text": one.title.say(lang)},
        "help": {"text": f"codeblue explain {name}"},
        "properties": {"layer": one.layer.value if one.layer else None, "kind": one.kind.value},
    }


def _result(one: Finding, lang: str) -> dict[str, Any]:
    result = {
        "ruleId": one.fault,
        "level": LEVELS[one.severity],
        "message": {"text": one.message.say(lang)},
        "locations": [{"physicalLocation": {"artifactLocation": _file(one), "region": _region(one.place)}}],
        "partialFingerprints": {"codeblue/1": _fingerprint(one)},
        "properties": {"certainty": one.certainty.value},
    }
    return {**result, "fixes": [_fix(one, one.fix, lang)]} if one.fix else result


def _file(one: Finding) -> dict[str, str]:
    return {"uri": quote(one.path)}


def _region(place: Place) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _fix(one: Finding, fix: Fix, lang: str) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": _file(one), "replacements": replacements}
    return {"description": {"text": fix.summary.say(lang)}, "artifactChanges": [change]}


def _fingerprint(one: Finding) -> str:
    """Return what stays the same when lines above come and go."""
    return sha256("\0".join((one.fault, one.path, one.line.strip())).encode()).hexdigest()[:32]
