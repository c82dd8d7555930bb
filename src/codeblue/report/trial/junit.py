"""JUnit XML: a test case for each trial of each subject, failed where a fault was found about it."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from codeblue.model.diagnosis import Diagnosis
from codeblue.model.finding import Finding
from codeblue.model.measure import Measure
from codeblue.report.escape import line, plain
from codeblue.report.trial.rows import row


def render(diagnosis: Diagnosis, measures: Sequence[Measure], left: Mapping[str, str], lang: str) -> str:
    """Return one suite; a cause fails a case of its own name, so that none is lost."""
    cases = [*_causes(diagnosis, lang), *_left(left), *_passed(measures, lang)]
    sums = f'tests="{len(cases)}" failures="{len(diagnosis.causes)}" skipped="{len(left)}"'
    head = f'<testsuite name="codeblue trial" {sums}>'
    return "\n".join(('<?xml version="1.0" encoding="utf-8"?>', head, *cases, "</testsuite>")) + "\n"


def _causes(diagnosis: Diagnosis, lang: str) -> Iterator[str]:
    for cause in diagnosis.causes:
        finding = cause.finding
        name = _value(f"{finding.fault} {finding.subject}")
        told = _value(finding.summary.say(lang))
        yield (
            f'  <testcase classname="fault" name={name}><failure message={told}>'
            f"{escape(plain(_evidence(finding)), quote=False)}</failure></testcase>"
        )


def _evidence(finding: Finding) -> str:
    return "\n".join(f"{one.path} = {one.value}" for one in finding.evidence)


def _left(left: Mapping[str, str]) -> Iterator[str]:
    for what, why in left.items():
        yield f'  <testcase classname="trial" name={_value(what)}><skipped message={_value(why)}/></testcase>'


def _passed(measures: Sequence[Measure], lang: str) -> Iterator[str]:
    for one in measures:
        told = row(one, lang)
        name = f"{one.subject} {one.key}"
        words = " ".join(filter(None, (told.value, told.share)))
        yield (
            f"  <testcase classname={_value(f'trial.{one.trial}')} name={_value(name)}>"
            f"<system-out>{escape(plain(words), quote=False)}</system-out></testcase>"
        )


def _value(text: str) -> str:
    return f'"{escape(line(text))}"'
