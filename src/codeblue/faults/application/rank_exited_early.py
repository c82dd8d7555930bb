"""
## What it means
One rank left the job without an error while the others still wait for it in a collective. Their time-outs
name no cause, because for them the missing rank is merely late.

## Why it happens
The rank had fewer batches and left the loop, an early `return` or `break` depends on the rank, early
stopping was decided on one rank alone, or an exception was caught and only logged. A launcher that is not
torchrun may not notice that one process ended with code 0.

## When it is not a fault
At the normal end of a job ranks may leave one after the other. If nobody waited, nothing was lost.

## What to do
Look at the last lines of that rank: they say where it left. Let all ranks do the same number of steps
(`drop_last`, a `DistributedSampler`, `Join` for uneven inputs), decide early stopping on one rank and
broadcast the decision, and let exceptions end the process.

## How safe the fix is
It changes the program only. With `drop_last` a few samples per epoch are not used.
"""

from collections.abc import Iterator

from codeblue.faults.application.waiting import absentees
from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "rank-exited-early",
    title=Text(
        "A rank left the job while the others waited for it", "某个 rank 提前退出，其他 rank 还在等它"
    ),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("rank-hung",),
    references=(
        Reference(
            "PyTorch: distributed training with uneven inputs using the Join context manager",
            "https://docs.pytorch.org/tutorials/advanced/generic_join.html",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"rank ?\d+ .*(?:exited|finished|returned|completed|left|done)\b"
                r"|exit(?:ed)? (?:with )?(?:code )?0\b|exitcode:? 0\b|提前退出|先退出|已经退出|正常退出"
                r"|exit (?:code|status).{0,32}\b(?:was|is|=|:) ?0\b|退出码.{0,12}\b0\b"
                r"|no (?:more )?(?:samples|batches|data|shards|files).{0,30}"
                r"(?:return|exit|leav|skip|done|stop)"
                r"|没有?(?:数据|样本|分到数据).{0,12}(?:返回|退出)",
                r"timeout|timed out|\bhang|\bhung|stuck|still wait|waiting|卡住|超时|还在等",
                r"rank|all_?reduce|barrier|NCCL|collective|gloo",
            ),
            none=(r"exitcode:? -?[1-9]", r"SIGKILL", r"OutOfMemoryError"),
        ),
    ),
    remedy=Remedy(
        message("let all ranks take the same number of steps", "让所有 rank 走相同的步数"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "read the last lines of the rank that left; make the exit a decision of all ranks",
                    "查看退出的 rank 最后几行输出；让退出成为所有 rank 的共同决定",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="tail -n 50 LOG_OF_THAT_RANK",
)
def rank_exited_early(sightings: Sightings) -> Iterator[Hit]:
    for absent in absentees(sightings):
        if absent.ended:
            yield Hit(
                subject="job",
                certainty=Certainty.LIKELY,
                summary=message(
                    "rank {rank} ended at {time} while the others waited for it",
                    "rank {rank} 在 {time} 结束，而其他 rank 还在等它",
                    rank=absent.rank,
                    time=absent.silent_since or "?",
                ),
                because=cite(*absent.paths),
            )
