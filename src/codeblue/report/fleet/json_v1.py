"""``codeblue/fleet/1``: a run as a JSON document."""

from collections.abc import Sequence
from typing import Any

from msgspec import json

from codeblue.model.fleet import Cascade, Judged, NodeFinding, Run, Shared
from codeblue.model.node_sets import fold

SCHEMA = "codeblue/fleet/1"


def render(
    run: Run,
    nodes: Sequence[Judged],
    found: Sequence[Shared],
    lang: str,
    across: Sequence[Cascade] = (),
) -> str:
    """Return the document; keys and ids are the same in every language."""
    content = document(run, nodes, found, lang) | {"across": [_cascade(one, lang) for one in across]}
    return json.format(json.encode(content), indent=2).decode() + "\n"


def document(run: Run, nodes: Sequence[Judged], found: Sequence[Shared], lang: str) -> dict[str, Any]:
    """Return the document as plain data."""
    return {
        "schema": SCHEMA,
        "run": run.id,
        "engine": run.engine,
        "asked": list(run.asked),
        "found": [_shared(one, lang) for one in found],
        "nodes": [_node(node, lang) for node in nodes],
    }


def _shared(one: Shared, lang: str) -> dict[str, Any]:
    return {
        "fault": one.fault,
        "layer": one.layer.value if one.layer else None,
        "kind": one.kind.value,
        "certainty": one.certainty.value,
        "role": one.role.value,
        "nodes": fold(one.nodes),
        "count": len(one.nodes),
        "summary": one.summary.say(lang),
    }


def _cascade(one: Cascade, lang: str) -> dict[str, Any]:
    return {
        "kind": one.kind.value,
        "group": one.group,
        "nodes": fold(one.nodes),
        "count": len(one.nodes),
        "of": one.of,
        "certainty": one.certainty.value,
        "summary": one.summary.say(lang),
        "because": [reason.say(lang) for reason in one.because],
    }


def _node(node: Judged, lang: str) -> dict[str, Any]:
    return {
        "node": node.node,
        "group": node.group,
        "state": node.state.value,
        "why": node.why,
        "verdict": node.verdict or None,
        "without_gpu": node.without_gpu,
        "host": node.host,
        "notes": [note.say(lang) for note in node.notes],
        "seconds": node.seconds,
        "findings": [_finding(one, lang) for one in node.findings],
    }


def _finding(one: NodeFinding, lang: str) -> dict[str, Any]:
    return {
        "fault": one.fault,
        "subject": one.subject,
        "kind": one.kind.value,
        "certainty": one.certainty.value,
        "role": one.role.value,
        "summary": one.summary.say(lang),
    }
