"""How fast collectives are, and what a changed environment brings."""

from collections.abc import Iterator, Mapping

from codeblue.diagnose.measures import pairs
from codeblue.knowledge import ceilings
from codeblue.model.facts import Collective, NcclLog, NcclTrial, NcclTried
from codeblue.model.measure import Better, Measure
from codeblue.model.section import State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text, message

OWN = message("own part of a step", "每步中自己的部分")
WAYS = Text("over {ways}", "经 {ways}")


def measures(view: View) -> Iterator[Measure]:
    """Yield for each operation the bus bandwidth of its largest message and the time of its smallest."""
    trial = view.nccl_trial
    if trial.state is not State.READ:
        return
    before = _largest(trial.devices)
    yield from _speeds(trial, _ceiling(view))
    if was_read(trial, "again"):
        yield from _gain(before, _largest(trial.again.devices), trial.again.changed, trial.again.log)
    for index, row in trial.devices.items():
        if was_read(row, "step"):
            yield Measure(
                trial="nccl",
                subject=f"rank:{row.rank if was_read(row, 'rank') else index}",
                key="step-own",
                name=OWN,
                value=row.step.own_ms,
                unit="ms",
                better=Better.LOWER,
            )


def _speeds(trial: NcclTrial, most: float | None) -> Iterator[Measure]:
    rows, log = trial.devices, trial.log if was_read(trial, "log") else None
    note = message(WAYS.en, WAYS.zh, ways=", ".join(log.transports)) if log and log.transports else None
    subject = f"{trial.launcher or 'ranks'}:{len(rows)}"
    for operation, (size, found) in _largest(rows).items():
        yield Measure(
            trial="nccl",
            subject=subject,
            key=f"{operation}-busbw",
            name=_named(operation, size),
            value=found.busbw,
            unit="GB/s",
            ceiling=most,
            note=note,
        )
    for operation, (_, found) in _smallest(rows).items():
        yield Measure(
            trial="nccl",
            subject=subject,
            key=f"{operation}-latency",
            name=message("{operation}, smallest", "{operation}，最小", operation=operation),
            value=found.seconds * 1e6,
            unit="µs",
            better=Better.LOWER,
        )


def _gain(
    before: Mapping[str, tuple[int, Collective]],
    after: Mapping[str, tuple[int, Collective]],
    changed: Mapping[str, str | None],
    log: NcclLog,
) -> Iterator[Measure]:
    """Compare the largest message that both runs have."""
    how = " ".join(f"{name}={value}" if value is not None else f"-{name}" for name, value in changed.items())
    for operation, (size, found) in after.items():
        old = before.get(operation)
        times = found.busbw / old[1].busbw if old and old[1].busbw else 0.0
        yield Measure(
            trial="nccl",
            subject="changed",
            key=f"{operation}-busbw",
            name=_named(operation, size),
            value=found.busbw,
            unit="GB/s",
            better=Better.NEITHER,
            note=message(
                "with {how}: {times} times as fast {ways}",
                "{how}：{times} 倍 {ways}",
                how=how,
                times=f"{times:.3g}",
                ways=", ".join(log.transports),
            ),
        )


def _named(operation: str, size: int) -> Message:
    told = f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
    return message("{operation} of {size}", "{operation}，{size}", operation=operation, size=told)


def _largest(rows: Mapping[str, NcclTried]) -> dict[str, tuple[int, Collective]]:
    return {operation: max(found.items()) for operation, found in _measured(rows).items()}


def _smallest(rows: Mapping[str, NcclTried]) -> dict[str, tuple[int, Collective]]:
    return {operation: min(found.items()) for operation, found in _measured(rows).items()}


def _measured(rows: Mapping[str, NcclTried]) -> dict[str, dict[int, Collective]]:
    """Return what was measured by operation and size; all ranks tell the same."""
    whole: dict[str, dict[int, Collective]] = {}
    for row in rows.values():
        for operation, sizes in row.collectives.items() if was_read(row, "collectives") else ():
            found = {int(size): one for size, one in sizes.items() if was_read(one, "busbw")}
            if found:
                whole.setdefault(operation, {}).update(found)
    return whole


def _ceiling(view: View) -> float | None:
    """Return what the NVLinks of the slowest GPU carry in one direction; None unless they join all."""
    rows = view.nccl_trial.devices
    if view.nccl_trial.launcher is not None or len(rows) < 2:
        return None
    first, *others = rows
    joined = (pairs.peer(view, first, other) for other in others)
    if not all(one is not None and was_read(one, "nvlink") and one.nvlink == "ok" for one in joined):
        return None
    names = [row.gpu for row in rows.values() if was_read(row, "gpu") and row.gpu]
    speeds = [speed for name in names if (speed := ceilings.nvlink_gbs(name)) is not None]
    return min(speeds) if len(speeds) == len(rows) else None
