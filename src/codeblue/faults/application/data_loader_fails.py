"""
## What it means
A plain PyTorch DataLoader with generated samples does not work in the environment of the job: its worker
processes die, cannot be started, or do not answer. A job that uses workers fails or hangs in the same way.

## Why it happens
Mostly a limit: `/dev/shm` is too small for the batches under way (bus error), too few open files are
allowed, processes or memory of the control group are used up. A system library or a variable such as
LD_PRELOAD may also break every forked process. The words of the failure are in the evidence.

## When it is not a fault
A job that loads its data in the main process (`num_workers=0`) does not notice. Where others use `/dev/shm`
and little of it is free, the trial leaves it alone rather than fail.

## What to do
If no cause is named beside it, read the words of the evidence; run a DataLoader with `num_workers=1` by
hand and look at `dmesg` for processes that were killed. Until it is found `num_workers=0` runs, slowly.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import deaths
from codeblue.model.facts import LoaderTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SILENT = "no answer within"
"""What the trial says of workers that hang, or of a machine that is busy beyond measure."""

LOOK = Remedy(
    message("find out what the workers die of", "查清 worker 的死因"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "compare `df -h /dev/shm`, `ulimit -n`, `ulimit -u` and the memory limit with the words "
                "of the failure; num_workers=0 runs until then",
                "把 `df -h /dev/shm`、`ulimit -n`、`ulimit -u` 和内存上限与报错对照；"
                "在此之前可用 num_workers=0",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "data-loader-fails",
    title=Text("A plain DataLoader does not work here", "普通的 DataLoader 在这里无法工作"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    symptom=True,
    references=(
        Reference(
            "PyTorch: torch.utils.data, multi-process data loading",
            "https://docs.pytorch.org/docs/stable/data.html#multi-process-data-loading",
            "2026-12-01",
        ),
    ),
    remedy=LOOK,
    next_command="df -h /dev/shm; ulimit -n -u -v; dmesg | tail",
)
def data_loader_fails(loader_trial: LoaderTrial) -> Iterator[Hit]:
    first = min(deaths(loader_trial), default=None)
    if first is not None:
        yield Hit(
            subject="data-loader",
            certainty=Certainty.LIKELY if SILENT in first.words else Certainty.CERTAIN,
            summary=message(
                "a DataLoader with {workers} workers fails: {words}",
                "有 {workers} 个 worker 的 DataLoader 失败：{words}",
                workers=first.workers,
                words=first.words,
            ),
            because=cite(first.path),
        )
