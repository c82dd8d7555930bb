"""
## What it means
All ranks did the same small step, and one of them was clearly later than the others in each round, while
they waited for it. A job runs at the speed of its slowest rank: the others idle at every collective.

## Why it happens
If the rank computes slower: its GPU is hot, capped in power, shared with another process, or its processor
cores are taken. If it hands in late: its process is held up on the host: too few cores, a container's
CPU quota, cores of the wrong NUMA node, swapping, a busy neighbour, a profiler or a debugger.

## When it is not a fault
Different kinds of GPUs in one job differ by nature and are not judged. A difference below a quarter, or
of less than a millisecond, is ordinary. On processors, where ranks share cores, only a delay that anybody
would notice counts.

## What to do
`codeblue trial gpu` tells whether the GPU itself is slow, and why. On the host look at `top` and
`cat /proc/pressure/cpu`, the CPU quota of the container, and the cores that the process may use
(`taskset -pc PID`). If the host alone is slow, start the ranks with `numactl` or the launcher's binding.
Then run `codeblue trial nccl` again.

## How safe the fix is
Looking changes nothing. Taking a slow node out of a job costs its GPUs and frees all the others.
"""

from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from codeblue.model.facts import NcclTrial, NcclTried
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

LATER = 1.25
"""A rank is later if its fast rounds take so many times what slow rounds of the others take: quartiles that
are that far apart do not come from noise."""
MILLISECONDS = {"nccl": 1.0, "gloo": 50.0}
"""A smaller delay does not count: kernels start within microseconds, but ranks on processors share cores."""
IDLE = 0.5
"""Whom the others wait for waits less than this part of what they wait."""


class _Late(NamedTuple):
    """One rank and how late it is."""

    place: str
    row: NcclTried
    behind: float
    """Milliseconds."""


@fault(
    "straggler-rank",
    title=Text("One rank keeps all the others waiting", "某个 rank 拖慢了其他所有 rank"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    symptom=True,
    references=(
        Reference(
            "PyTorch: distributed communication, asynchronous collectives",
            "https://docs.pytorch.org/docs/stable/distributed.html",
            "2026-12-01",
        ),
    ),
    remedy=Remedy(
        message("find out what holds this rank up", "查清是什么拖住了这个 rank"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "codeblue trial gpu for its GPU; top, /proc/pressure/cpu and taskset -pc "
                    "PID for its host; "
                    "then codeblue trial nccl again",
                    "用 codeblue trial gpu 查它的 GPU；用 top、/proc/pressure/cpu 和 taskset "
                    "-pc PID 查它的主机；"
                    "然后再运行 codeblue trial nccl",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="codeblue trial gpu nccl",
)
def straggler_rank(nccl_trial: NcclTrial) -> Iterator[Hit]:
    rows = {index: row for index, row in nccl_trial.devices.items() if was_read(row, "step")}
    if len({row.gpu for row in rows.values()}) > 1:
        return
    for late in _late(rows):
        others = [row for index, row in rows.items() if index != late.place]
        compute = late.row.step.compute_ms - median(row.step.compute_ms for row in others)
        yield Hit(
            subject=f"gpu:{late.place}"
            if late.row.gpu and late.row.host is None
            else f"rank:{late.row.rank}",
            certainty=Certainty.LIKELY,
            variant="compute" if compute > late.behind / 2 else "host",
            summary=message(
                "rank {rank}{host} is {behind} ms late in a step of {step} ms; the others wait for it",
                "rank {rank}{host} 在 {step} 毫秒的一步中慢了 {behind} 毫秒，其他 rank 都在等它",
                rank=late.row.rank,
                host=f" ({late.row.host})" if late.row.host else "",
                behind=f"{late.behind:.3g}",
                step=f"{median(row.step.own_ms for row in others):.3g}",
            ),
            because=cite(
                f"nccl_trial[{late.place}].step.own_low_ms",
                f"nccl_trial[{late.place}].step.compute_ms",
                f"nccl_trial[{late.place}].step.hand_in_ms",
                f"nccl_trial[{late.place}].step.wait_ms",
            ),
        )


def _late(rows: dict[str, NcclTried]) -> Iterator[_Late]:
    for index, row in rows.items():
        others = [other.step for number, other in rows.items() if number != index]
        if not others:
            continue
        usual = median(other.own_high_ms for other in others)
        behind = row.step.own_low_ms - usual
        waits = median(other.wait_ms for other in others)
        if (
            row.step.own_low_ms > LATER * usual
            and behind > MILLISECONDS.get(row.backend, 1.0)
            and row.step.wait_ms < IDLE * waits
        ):
            yield _Late(index, row, row.step.own_ms - median(other.own_ms for other in others))
