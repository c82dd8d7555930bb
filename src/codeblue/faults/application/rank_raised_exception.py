"""
## What it means
One rank left with an exception, and the launcher ended the others. Their messages (SIGTERM, connection
closed, NCCL timeouts) are consequences. The launcher's summary names the rank that failed first, but not
why.

## Why it happens
Whatever can go wrong in a program: a bad sample, a missing file, a shape that only this rank's data has.
If codeblue knows the cause behind the exception, it names that as the cause and this finding as its
consequence.

## When it is not a fault
Some programs end with exit code 1 on purpose, after they have said what they want changed.

## What to do
Take the rank from "Root Cause (first observed failure)" and read its first traceback, not the last lines
of the log. With torchrun `--log-dir DIR --redirects 3` gives every rank its own files.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.faults.application.waiting import absentees
from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

OWN = (
    "Value|Type|Key|Index|Attribute|Name|UnboundLocal|Assertion|ZeroDivision|NotImplemented|FileNotFound"
    r"|UnicodeDecode|EOF|json\.decoder\.JSONDecode"
)
"""Exceptions that come from the program's own code or data."""
READERS = (
    "PIL|cv2|imageio|decord|av|soundfile|librosa|pandas|polars|pyarrow|h5py|lmdb|sqlite3|zipfile|tarfile|zlib"
    "|lzma|_?pickle|json|yaml|toml|tomllib|csv|struct|webdataset|streaming|datasets|tokenizers|sentencepiece"
    "|omegaconf|hydra|pydantic(?:_core)?|jsonschema|google\\.protobuf"
)
"""Modules that read data and settings; what they raise is about a file of the job."""


@fault(
    "rank-raised-exception",
    title=Text("A rank ended with an exception of its own", "某个 rank 因自身的异常退出"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("rank-hung", "peer-connection-lost"),
    references=(
        Reference(
            "PyTorch: torchelastic error propagation",
            "https://docs.pytorch.org/docs/stable/elastic/errors.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("[rank", rf"^\[rank\d+\]: (?P<type>(?:{OWN})Error)\b", Certainty.LIKELY, subject="job"),
        Signature(
            "[rank", rf"^\[rank\d+\]: (?P<type>(?:{READERS})\.\w[\w.]*)", Certainty.LIKELY, subject="job"
        ),
        Signature(
            "failed (exitcode: ",
            r"failed \(exitcode: (?P<code>[1-9]\d*)\) local_rank: (?P<local_rank>\d+)",
            Certainty.POSSIBLE,
        ),
        Signature("Root Cause", r"^Root Cause \(first observed failure\)", Certainty.POSSIBLE),
        Signature("ChildFailedError", r"ChildFailedError", Certainty.POSSIBLE),
    ),
    remedy=Remedy(
        message("read the first traceback of that rank", "看该 rank 的第一个回溯"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "search for the rank's prefix or its own log file; decorate main with "
                    "torch.distributed.elastic.multiprocessing.errors.record to get the traceback into the "
                    "summary",
                    "按 rank 前缀或该 rank 自己的日志文件查找；给 main 加上 "
                    "torch.distributed.elastic.multiprocessing.errors.record 装饰器，汇总里就会有回溯",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="grep -nE '^\\[rank[0-9]+\\]: .*(Error|Exception)' train.log | head",
)
def rank_raised_exception(sightings: Sightings) -> Iterator[Hit]:
    for absent in absentees(sightings):
        if absent.raised:
            yield Hit(
                subject="job",
                certainty=Certainty.LIKELY,
                summary=message(
                    "rank {rank} ended with {error}; the others waited for it",
                    "rank {rank} 因 {error} 退出；其他 rank 一直在等它",
                    rank=absent.rank,
                    error=absent.raised,
                ),
                because=cite(*absent.paths),
            )
