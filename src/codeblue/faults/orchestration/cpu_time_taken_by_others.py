"""
## What it means
While the trial kept all allowed processors busy, a good part of their time went to somebody else. The job's
data loader gets what is left, and the GPUs wait for it.

## Why it happens
`processes`: other programs run on the same processors: another job on a node that is not shared out by
cores, a left-over process, a backup, the workers of a job that was killed. `hypervisor`: the machine is
virtual and its host has promised more processors than it has; the kernel counts that as *steal*.

## When it is not a fault
The measurement lasts a second. A neighbour that works for a moment is none: run the trial again. Small
trials are not judged.

## What to do
`top` shows who it is; `st` in its third line is the time that the hypervisor took. Let the scheduler give
out cores (`SelectType=select/cons_tres`, CPU requests), stop left-overs, or move the virtual machine to a
host that is not oversold.

## How safe the fix is
Looking changes nothing. Stop only processes whose owner you know.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried, usable
from codeblue.model.facts import LoaderTrial, Processors
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

DELIVERED = 0.6
"""Part of the processors that must be delivered. All hardware threads of a machine at once give 0.6 of what
so many idle ones would; so far nobody else need be there."""
OTHERS = 0.3
"""Part of the processors that others must use to be the reason."""
STOLEN = 0.1
"""The same for the hypervisor: a tenth is ten times what an unhurried host takes."""

LOOK = Remedy(
    message("find out who uses the processors", "查清谁在使用处理器"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run top: processes of others at the top, or `st` in its third line for the hypervisor",
                "运行 top：看排在前面的其他进程，或第三行的 `st`（虚拟机监控程序）",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "cpu-time-taken-by-others",
    title=Text("Others take the processors' time", "处理器时间被别人占用"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=("data-loader-does-not-scale",),
    references=(
        Reference(
            "Linux: proc_stat(5), steal",
            "https://man7.org/linux/man-pages/man5/proc_stat.5.html",
            "2026-12-01",
        ),
    ),
    remedy=LOOK,
    next_command="top -b -n 1 | head -20",
)
def cpu_time_taken_by_others(loader_trial: LoaderTrial) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or found.row.small or not was_read(found.row, "processors"):
        return
    processors, where = found.row.processors, f"{found.path}.processors"
    if processors.tried < processors.allowed or processors.effective >= DELIVERED * usable(processors):
        return
    for variant, fact, part in (("hypervisor", "stolen", STOLEN), ("processes", "others", OTHERS)):
        taken = getattr(processors, fact)
        if taken >= part * processors.allowed:
            yield _hit(
                processors, variant, taken, (f"{where}.{fact}", f"{where}.effective", f"{where}.allowed")
            )
            return


def _hit(processors: Processors, variant: str, taken: float, paths: tuple[str, ...]) -> Hit:
    who = (
        ("the hypervisor took", "虚拟机监控程序占用了")
        if variant == "hypervisor"
        else ("other processes used", "其他进程占用了")
    )
    return Hit(
        subject="cpus",
        variant=variant,
        certainty=Certainty.LIKELY,
        summary=message(
            f"of {{allowed}} processors {who[0]} {{taken}}, and {{effective}} were delivered to the trial",
            f"{{allowed}} 个处理器中{who[1]} {{taken}} 个，试验只得到 {{effective}} 个",
            allowed=processors.allowed,
            taken=f"{taken:.1f}",
            effective=f"{processors.effective:.1f}",
        ),
        because=cite(*paths),
    )
