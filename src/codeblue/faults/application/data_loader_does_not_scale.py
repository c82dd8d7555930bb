"""
## What it means
More workers hardly make a DataLoader faster. In the trial each sample costs processor time and nothing
else; with as many workers as the mask of the job has processors (eight at most) all of them together gave
less than 0.4 times what so many single workers would. The GPU waits for data, its utilisation jumps
between 0 % and 100 %.

## Why it happens
The job sees many processors and may not use them: the quota of its control group is a few, other jobs are
at work on them, the hypervisor gives the time to other guests. Or each worker opens many threads, which
fight for the processors, or `/dev/shm` is slow. A cause that was found stands beside it.

## When it is not a fault
Few workers, or samples that lie in memory, are limited by the way between the processes and need not scale:
only samples that cost processor time are judged, and only with four workers or more. Small trials are not
judged.

## What to do
Deal with the cause that is named. Without one, `nproc`, `cat /sys/fs/cgroup/cpu.max` and `top` show where
the processors are. Decoding on the GPU (DALI, nvJPEG), or data decoded beforehand, takes the load off them.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried
from codeblue.model.facts import Feed, LoaderTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

MANY = 4
"""Workers from which the speed-up is judged."""
PART = 0.4
"""Part of a speed-up in step with the workers. Two hardware threads of one core do about 1.2 times the
work of one (0.6 for each), and all cores at work lower the clock by a quarter or so: what is below has lost
processors."""

LOOK = Remedy(
    message("find out where the processors are", "查清处理器到哪里去了"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "compare nproc, /sys/fs/cgroup/cpu.max and top while the job runs",
                "在任务运行时对照 nproc、/sys/fs/cgroup/cpu.max 和 top",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "data-loader-does-not-scale",
    title=Text("More workers hardly make the DataLoader faster", "增加 worker 几乎不能加快 DataLoader"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    symptom=True,
    references=(
        Reference(
            "PyTorch: performance tuning guide, asynchronous data loading",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
            "2026-12-01",
        ),
    ),
    remedy=LOOK,
    next_command="nproc; cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu.stat; top -b -n 1 | head -20",
)
def data_loader_does_not_scale(loader_trial: LoaderTrial) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or found.row.small or not was_read(found.row, "feeds"):
        return
    feeds = {
        int(workers): feed for workers, feed in found.row.feeds.get("decode", {}).items() if _speed(feed)
    }
    most = max(feeds, default=0)
    if most < MANY or 1 not in feeds:
        return
    one, best = feeds[1].samples_per_second, max(feed.samples_per_second for feed in feeds.values())
    if best < PART * most * one:
        where = f"{found.path}.feeds[decode]"
        yield Hit(
            subject="data-loader",
            certainty=Certainty.LIKELY,
            summary=message(
                "{workers} workers feed {many} samples/s, one alone {one}",
                "{workers} 个 worker 每秒供应 {many} 个样本，单个 worker 为 {one} 个",
                workers=most,
                many=f"{feeds[most].samples_per_second:.0f}",
                one=f"{one:.0f}",
            ),
            because=cite(f"{where}[{most}].samples_per_second", f"{where}[1].samples_per_second"),
        )


def _speed(feed: Feed) -> bool:
    return was_read(feed, "samples_per_second")
