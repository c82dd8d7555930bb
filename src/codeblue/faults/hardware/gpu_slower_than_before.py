"""
## What it means
The same trial on the same machine gave clearly less than in earlier runs: less than nine tenths of their
median, and outside the span in which they lay.

## Why it happens
Dust, a failing fan or a hotter room; a lowered power limit; another program at work; a link that came up
narrower after a reseat or a reboot; an update of driver, firmware or libraries; a board that ages.

## When it is not a fault
The first three runs are only remembered. Small trials and those of a busy GPU do not count. Numbers of
files and of the input side vary too much and are not compared.

## What to do
Run the trial again with the machine idle. If it stays slow, `codeblue diff --since-good` shows what has
changed since the machine last worked, and the other findings of the trial say what slows it down. If the
new speed is meant to be (a new limit, another driver), go on: it becomes the new normal as runs are added.

## How safe the fix is
Measuring changes no settings.
"""

from collections.abc import Iterator

from codeblue.model.facts import TrialHistory
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

LEAST_RUNS = 3
PART = 0.9
"""Of the median of the earlier runs. Seven runs on a healthy H200 stayed within 3 %."""
SERIOUS = 0.75


@fault(
    "gpu-slower-than-before",
    title=Text("This machine is slower than in earlier trials", "这台机器比以前的测试结果慢"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    symptom=True,
    references=(
        Reference(
            "NVIDIA: performance monitoring with nvidia-smi",
            "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
            "2026-12-01",
        ),
    ),
    next_command="codeblue diff --since-good",
)
def gpu_slower_than_before(trial_history: TrialHistory | None) -> Iterator[Hit]:
    worst: dict[str, tuple[float, str]] = {}
    for key, row in trial_history.measures.items() if trial_history else ():
        if row.runs < LEAST_RUNS or not row.median or row.now >= min(PART * row.median, row.lowest):
            continue
        share = row.now / row.median
        if share < worst.get(row.subject, (1.0, ""))[0]:
            worst[row.subject] = (share, key)
    for subject, (share, key) in worst.items():
        assert trial_history is not None
        row = trial_history.measures[key]
        yield Hit(
            subject=subject,
            kind=Kind.TROUBLE if share < SERIOUS else Kind.RISK,
            certainty=Certainty.LIKELY,
            summary=message(
                "{measure} of {subject} is {now}; in {runs} earlier runs it was {median}",
                "{subject} 的 {measure} 为 {now}；此前 {runs} 次为 {median}",
                measure=key.rpartition("/")[2],
                subject=subject,
                now=f"{row.now:g}",
                runs=row.runs,
                median=f"{row.median:g}",
            ),
            because=cite(f"trial_history[{key}].now", f"trial_history[{key}].median"),
        )
