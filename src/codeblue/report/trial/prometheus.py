"""The measures for Prometheus, as a file for node_exporter's textfile collector."""

from collections.abc import Iterator, Sequence

from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.measure import Measure

HEAD = """\
# HELP codeblue_trial_value What a trial measured, in the unit of the label.
# TYPE codeblue_trial_value gauge
"""
SHARES = """\
# HELP codeblue_trial_share Part of the ceiling of the data sheet that was reached.
# TYPE codeblue_trial_share gauge
"""
VERDICT = """\
# HELP codeblue_trial_verdict 1 for the verdict of the last trial, 0 for the others.
# TYPE codeblue_trial_verdict gauge
"""
FAULTS = """\
# HELP codeblue_trial_fault 1 for each cause or risk that was found.
# TYPE codeblue_trial_fault gauge
"""


def render(diagnosis: Diagnosis, measures: Sequence[Measure]) -> str:
    """Return the text; labels are few and stay the same."""
    values = [f"codeblue_trial_value{{{_labels(one)}}} {one.value:.9g}\n" for one in measures]
    shares = [
        f"codeblue_trial_share{{{_labels(one)}}} {one.share:.6g}\n"
        for one in measures
        if one.share is not None
    ]
    verdicts = [
        f'codeblue_trial_verdict{{verdict="{one.value}"}} {int(one is diagnosis.verdict)}\n'
        for one in Overall
    ]
    faults = list(dict.fromkeys(_faults(diagnosis)))
    groups = ((HEAD, values), (SHARES, shares), (VERDICT, verdicts), (FAULTS, faults))
    return "".join(head + "".join(rows) for head, rows in groups if rows)


def _faults(diagnosis: Diagnosis) -> Iterator[str]:
    for finding in (*(cause.finding for cause in diagnosis.causes), *diagnosis.risks):
        labels = f'fault="{finding.fault}",subject="{_value(finding.subject)}",kind="{finding.kind.value}"'
        yield f"codeblue_trial_fault{{{labels}}} 1\n"


def _labels(measure: Measure) -> str:
    pairs = {
        "trial": measure.trial,
        "subject": measure.subject,
        "measure": measure.key,
        "unit": measure.unit,
    }
    return ",".join(f'{name}="{_value(value)}"' for name, value in pairs.items())


def _value(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
