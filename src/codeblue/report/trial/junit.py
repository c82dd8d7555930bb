"""JUnit XML as continuous integration reads it: a suite for the faults, and one for each trial.

A cause fails a case of its own name, a trial or device that was not tried is a skipped case, each measure a
case that passes. The seconds of a trial are those of its suite; its cases share them evenly.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from msgspec import Struct

from codeblue.model.diagnosis import Diagnosis
from codeblue.model.finding import Finding
from codeblue.model.measure import Measure
from codeblue.report.escape import line, plain
from codeblue.report.trial.rows import row

NAME = "codeblue trial"
_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML document may have, beside those that ``plain`` takes out."""


class Case(Struct, frozen=True):
    """One test case; ``body`` is XML."""

    kind: str
    name: str
    body: str
    failed: bool = False
    skipped: bool = False


def render(
    diagnosis: Diagnosis,
    measures: Sequence[Measure],
    left: Mapping[str, str],
    took: Mapping[str, float],
    lang: str,
) -> str:
    """Return the document; ``left`` tells what was not tried and why, ``took`` the seconds of each trial."""
    suites = {"faults": [_cause(cause.finding, lang) for cause in diagnosis.causes]}
    for what, why in left.items():
        suites.setdefault(what.split()[0], []).append(_left(what, why))
    for one in measures:
        suites.setdefault(one.trial, []).append(_passed(one, lang))
    everything = [case for cases in suites.values() for case in cases]
    lines = (
        '<?xml version="1.0" encoding="utf-8"?>',
        f"<testsuites {_counts(NAME, everything, sum(took.values()))}>",
        *(text for name, cases in suites.items() for text in _suite(name, cases, took.get(name, 0.0))),
        "</testsuites>",
    )
    return "\n".join(lines) + "\n"


def _suite(name: str, cases: Sequence[Case], seconds: float) -> Iterator[str]:
    yield f"  <testsuite {_counts(f'{NAME} {name}', cases, seconds)}>"
    for case in cases:
        head = f"classname={_value(case.kind)} name={_value(case.name)} time={_seconds(seconds / len(cases))}"
        yield f"    <testcase {head}>{case.body}</testcase>"
    yield "  </testsuite>"


def _counts(name: str, cases: Sequence[Case], seconds: float) -> str:
    counts = {
        "tests": len(cases),
        "failures": sum(case.failed for case in cases),
        "errors": 0,
        "skipped": sum(case.skipped for case in cases),
    }
    told = " ".join(f'{key}="{count}"' for key, count in counts.items())
    return f"name={_value(name)} {told} time={_seconds(seconds)}"


def _cause(finding: Finding, lang: str) -> Case:
    name = " ".join(filter(None, (finding.fault, finding.variant, finding.subject)))
    evidence = "\n".join(f"{one.path} = {one.value}" for one in finding.evidence)
    head = f"type={_value(finding.certainty.value)} message={_value(finding.summary.say(lang))}"
    return Case("codeblue.fault", name, f"<failure {head}>{_text(evidence)}</failure>", failed=True)


def _left(what: str, why: str) -> Case:
    return Case("codeblue.trial", what, f"<skipped message={_value(why)}/>", skipped=True)


def _passed(measure: Measure, lang: str) -> Case:
    told = row(measure, lang)
    words = " ".join(filter(None, (told.name, told.value, told.share, told.note)))
    body = f"<system-out>{_text(words)}</system-out>"
    return Case(f"codeblue.trial.{measure.trial}", f"{measure.subject} {measure.key}", body)


def _seconds(seconds: float) -> str:
    return f'"{seconds:.3f}"'


def _value(text: str) -> str:
    return f'"{escape(_allowed(line(text)))}"'


def _text(text: str) -> str:
    return escape(_allowed(plain(text)), quote=False)


def _allowed(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
