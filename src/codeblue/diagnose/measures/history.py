"""Compare a trial with earlier ones of the same machine."""

from collections.abc import Callable, Sequence
from statistics import median

from codeblue.model.facts import Earlier, TrialHistory
from codeblue.model.measure import Better, Measure
from codeblue.model.section import NotRead
from codeblue.model.snapshot import View
from codeblue.model.trial_run import TrialRun

COMPARED = ("gpu", "memory", "links", "nccl")
"""Trials whose speeds stay the same on a healthy machine; those of files and loaders do not."""
UNSTEADY = "pageable"
"""Copies through the kernel's own buffer depend on what else it does."""


def run_of(view: View, measures: Sequence[Measure]) -> TrialRun:
    """Return what is to be kept of this trial."""
    return TrialRun(
        time=view.time or "",
        host=view.host_name,
        devices=_names(view),
        driver=_told(lambda: view.nvml.driver_version),
        torch=_told(lambda: view.torch.version),
        values={_key(one): one.value for one in measures},
    )


def compared(run: TrialRun, measures: Sequence[Measure], kept: Sequence[TrialRun]) -> TrialHistory | None:
    """Return this trial's speeds beside those of earlier runs on the same devices; None without such runs."""
    earlier = [one for one in kept if (one.host, one.devices) == (run.host, run.devices)]
    rows: dict[str, Earlier] = {}
    for measure in measures:
        values = [one.values[_key(measure)] for one in earlier if _key(measure) in one.values]
        if values and _steady(measure):
            rows[_key(measure)] = Earlier(
                subject=measure.subject,
                now=measure.value,
                median=median(values),
                lowest=min(values),
                runs=len(values),
            )
    if not rows:
        return None
    return TrialHistory(since=min(one.time for one in earlier), measures=rows, source="codeblue trial")


def _steady(measure: Measure) -> bool:
    return measure.trial in COMPARED and measure.better is Better.HIGHER and UNSTEADY not in measure.key


def _key(measure: Measure) -> str:
    return f"{measure.trial}/{measure.subject}/{measure.key}"


def _names(view: View) -> tuple[str, ...]:
    try:
        return tuple(device.name for device in view.cuda.devices.values())
    except (NotRead, AttributeError):
        return ()


def _told(read: Callable[[], str | None]) -> str | None:
    try:
        return read()
    except (NotRead, AttributeError):
        return None
