"""
## What it means
A collective did not finish within its timeout, and the watchdog took the process down. The rank that
complains waited; the fault is at the rank that did not arrive, or on the way between them.

## Why it happens
One rank is busy elsewhere (preparing data, saving a checkpoint, evaluating alone), has left the loop
early because it had fewer batches, sits in a deadlock, or has died. Or ranks call different collectives.
If the very first collective hangs, suspect the network or the interfaces instead of the program.

## When it is not a fault
If one rank needs long on purpose, the timeout is too short: raise `timeout` in `init_process_group`, or
let the other ranks wait at a barrier of a Gloo group.

## What to do
Compare "last enqueued" and "last completed" of all ranks. Set `TORCH_NCCL_TRACE_BUFFER_SIZE=2000` (newer
releases also call it `TORCH_FR_BUFFER_SIZE`) and `TORCH_NCCL_DUMP_ON_TIMEOUT=1`: the flight recorder then
writes for each rank what it was doing. While it hangs, `py-spy dump` shows the Python stack.
`TORCH_DISTRIBUTED_DEBUG=DETAIL` names collectives that do not match.

## How safe the fix is
The variables only add records, `DETAIL` makes the job slower. A longer timeout hides a real hang for
longer.
"""

from collections.abc import Iterator

from codeblue.faults.application.waiting import Absentee, absentees
from codeblue.model.facts import NcclTrial, Sightings
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Message, Text, message

OVERDUE = ("no answer within ", "not finished within ")
"""How the error of a rank begins that was still waiting when the time was over."""

FIND = Remedy(
    message("find the rank that did not arrive", "找出没有到达的那个 rank"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "compare the last completed work of all ranks: the one with the smallest number did not "
                "arrive; its stack says where it was",
                "比较各 rank 最后完成的 work 序号：最小的那个没有到达，它的调用栈说明当时在做什么",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "rank-hung",
    title=Text(
        "Ranks waited in vain for another rank in a collective", "某些 rank 在集合通信中空等其他 rank"
    ),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    collateral=True,
    references=(
        Reference(
            "PyTorch: flight recorder for debugging stuck jobs",
            "https://docs.pytorch.org/tutorials/unstable/flight_recorder_tutorial.html",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: distributed communication, debugging",
            "https://docs.pytorch.org/docs/stable/distributed.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "Watchdog caught collective operation timeout",
            r"Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<sequence>\d+), "
            r"OpType=(?P<operation>\w+)",
            Certainty.LIKELY,
            subject="job",
        ),
        Signature(
            "got error: ",
            r"is setting up NCCL communicator .*store->get\('[^']*'\) got error: "
            r"(?:Socket |wait )?[Tt]imeout",
            Certainty.POSSIBLE,
            subject="job",
        ),
        Signature(
            "Watchdog caught collective operation timeout",
            r"Watchdog caught collective operation timeout",
            Certainty.LIKELY,
        ),
        Signature(
            "Some NCCL operations have failed or timed out",
            r"Some NCCL operations have failed or timed out",
            Certainty.LIKELY,
        ),
        Signature(
            "imed out waiting", r"[Tt]imed out waiting \d+ms for (?:recv|send) operation", Certainty.LIKELY
        ),
        Signature("before timing out", r"ran for \d+ milliseconds before timing out", Certainty.LIKELY),
        Signature(
            "monitoredBarrier",
            r"Rank \d+ (?:failed to pass|reached) monitoredBarrier",
            Certainty.LIKELY,
        ),
        Signature(
            "onitored",
            "[Mm]onitored ?[bB]arrier.*(?:timed out|timeout)",
            Certainty.LIKELY,
        ),
    ),
    remedy=FIND,
    next_command="py-spy dump --pid PID   # on every rank, while it hangs",
)
def rank_hung(sightings: Sightings, *, nccl_trial: NcclTrial | Unread | None = UNREAD) -> Iterator[Hit]:
    if isinstance(nccl_trial, NcclTrial):
        yield from _stood_still(nccl_trial)
    for absent in absentees(sightings):
        if not (absent.ended or absent.raised):
            yield Hit(
                subject="job",
                certainty=Certainty.LIKELY,
                summary=_told(absent),
                because=cite(*absent.paths),
            )


def _stood_still(trial: NcclTrial) -> Iterator[Hit]:
    """Judge a trial in which nobody failed, and somebody never came to the end."""
    errors = {index: row.error for index, row in trial.devices.items() if row.error}
    if not errors or not all(error.startswith(OVERDUE) for error in errors.values()):
        return
    index = next(iter(errors))
    row = trial.devices[index]
    if was_read(row, "at"):
        yield Hit(
            subject="job",
            certainty=Certainty.CERTAIN,
            summary=message(
                "the collectives of the trial stood still at: {at}",
                "测试中的集合通信停在：{at}",
                at=row.at,
            ),
            because=cite(f"nccl_trial[{index}].error", f"nccl_trial[{index}].at"),
        )


def _told(absent: Absentee) -> Message:
    if absent.silent_since:
        return message(
            "rank {rank} did not arrive: it wrote nothing after {time}, the others waited from there on",
            "rank {rank} 没有到达：它在 {time} 之后再无输出，其他 rank 一直在等它",
            rank=absent.rank,
            time=absent.silent_since,
        )
    if absent.sequence is not None:
        return message(
            "rank {rank} is behind: it stands at collective {behind}, the others at {ahead}",
            "rank {rank} 落后：它停在第 {behind} 个集合操作，其他 rank 已到第 {ahead} 个",
            rank=absent.rank,
            behind=absent.sequence,
            ahead=absent.ahead or "?",
        )
    return message(
        "rank {rank} did not arrive: all others report that they waited",
        "rank {rank} 没有到达：其他 rank 都报告在等待",
        rank=absent.rank,
    )
