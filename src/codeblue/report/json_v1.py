"""``codeblue/diagnosis/1``: the JSON document, the same for every verb that diagnoses."""

from typing import Any

from msgspec import json, to_builtins

from codeblue.model.diagnosis import AfterBoot, Barrier, Diagnosis, Explained
from codeblue.model.finding import Evidence, Finding
from codeblue.model.remedy import Remedy
from codeblue.remedy.shell import command

SCHEMA = "codeblue/diagnosis/1"


def render(diagnosis: Diagnosis, lang: str) -> str:
    """Return the document; keys and ids are the same in every language."""
    return json.format(json.encode(document(diagnosis, lang)), indent=2).decode() + "\n"


def document(diagnosis: Diagnosis, lang: str) -> dict[str, Any]:
    """Return the document as plain data."""
    return _diagnosis(diagnosis, lang) | _after_boot(diagnosis.after_boot, lang)


def _diagnosis(diagnosis: Diagnosis, lang: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "target": diagnosis.target,
        "host": diagnosis.host,
        "boot": diagnosis.boot,
        "time": diagnosis.time,
        "data": diagnosis.data,
        "seconds": diagnosis.seconds,
        "verdict": diagnosis.verdict.value,
        "layer": diagnosis.layer.value if diagnosis.layer else None,
        "headline": [line.say(lang) for line in diagnosis.headline],
        "barriers": [_barrier(barrier, lang) for barrier in diagnosis.barriers],
        "host_barriers": [_barrier(barrier, lang) for barrier in diagnosis.host_barriers],
        "causes": [_cause(cause, lang) for cause in diagnosis.causes],
        "consequences": [
            _finding(effect.finding, lang) | {"explained_by": list(effect.others)}
            for effect in diagnosis.consequences
        ],
        "risks": [_finding(finding, lang) | _fix(finding, lang) for finding in diagnosis.risks],
        "harmless": [_finding(finding, lang) for finding in diagnosis.harmless],
        "waived": to_builtins(diagnosis.waived),
        "ruled_out": to_builtins(diagnosis.ruled_out),
        "skipped": to_builtins(diagnosis.skipped),
        "broken": to_builtins(diagnosis.broken),
        "next": to_builtins(diagnosis.next),
        "notes": [note.say(lang) for note in diagnosis.notes],
    }


def _after_boot(then: AfterBoot | None, lang: str) -> dict[str, Any]:
    if then is None:
        return {}
    findings = [_finding(finding, lang) | _fix(finding, lang) for finding in then.findings]
    return {
        "after_boot": {
            "answer": then.answer.value,
            "summary": then.summary.say(lang),
            "findings": findings,
            "skipped": to_builtins(then.skipped),
        }
    }


def _barrier(barrier: Barrier, lang: str) -> dict[str, Any]:
    return {
        "layer": barrier.layer.value,
        "state": barrier.state.value,
        "summary": barrier.summary.say(lang),
        "evidence": [_evidence(evidence) for evidence in barrier.evidence],
    }


def _cause(cause: Explained, lang: str) -> dict[str, Any]:
    finding = cause.finding
    return _finding(finding, lang) | {"explains": list(cause.others)} | _fix(finding, lang)


def _finding(finding: Finding, lang: str) -> dict[str, Any]:
    return {
        "fault": finding.fault,
        "variant": finding.variant,
        "layer": finding.layer.value if finding.layer else None,
        "kind": finding.kind.value,
        "subject": finding.subject,
        "side": finding.side,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "summary": finding.summary.say(lang),
        "evidence": [_evidence(evidence) for evidence in finding.evidence],
        "page": f"codeblue explain {finding.fault}",
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {"path": evidence.path, "value": to_builtins(evidence.value), "source": evidence.source}


def _fix(finding: Finding, lang: str) -> dict[str, Any]:
    remedy = finding.remedy
    return {"fix": _remedy(finding.fault, remedy, lang) if remedy else None}


def _remedy(fault: str, remedy: Remedy, lang: str) -> dict[str, Any]:
    commands = [typed for step in remedy.steps if (typed := command(step))]
    return {
        "summary": remedy.summary.say(lang),
        "command": f"codeblue fix {fault}" if remedy.appliable else next(iter(commands), None),
        "steps": [
            {
                "verb": step.verb.value,
                "args": step.args,
                "why": step.why.say(lang),
                "command": command(step),
            }
            for step in remedy.steps
        ],
        "automation": remedy.automation.value,
        "undo": remedy.undo.value,
    }
