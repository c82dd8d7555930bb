"""
## What it means
A kernel on the GPU stopped itself: a failed assertion ("device-side assert triggered", error 710), a
launch failure (719), a misaligned address (716) or an illegal instruction (715). The kernel log shows
Xid 13 or 43 at the same moment. Everything that the process does on the GPU afterwards fails as well.

## Why it happens
A bug or bad data in the program. An assertion prints its text to standard error before the Python
traceback, often far above it: the text is the cause, the traceback is not. If it is an index check,
codeblue names that separately. Launch failures without text come from custom kernels, from a stack or
shared-memory overrun, or from a library that does not fit the GPU.

## When it is not a fault
The GPU is healthy; NVIDIA's advice for Xid 43 is to ignore it. Suspect hardware only if Xid 13 comes
from unrelated programs on one and the same GPU. An old Xid in the kernel log tells of an old run.

## What to do
Search the log upwards for "Assertion". Without one, run the smallest failing case with
`CUDA_LAUNCH_BLOCKING=1`, or on the CPU, where the error is exact. For a launch failure use
`compute-sanitizer`.

## How safe the fix is
Looking changes nothing. The failed process cannot go on and has to be started again.
"""

from collections.abc import Iterator

from codeblue.faults.application.desktop_programs import computes
from codeblue.faults.hardware.xids import slot
from codeblue.model.facts import KernelLog
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

TRAPS = (13, 43)
WORDS = r"(?:[Ee]rror|ERROR_\w+|cudaError\w+|failure)[ :=(0-9)']+"

FIND_THE_ASSERTION = Remedy(
    message("find the assertion or the kernel at fault", "找出断言或出错的内核"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "search the log for the assertion's text, then run with CUDA_LAUNCH_BLOCKING=1",
                "先在日志里找断言的文字，再用 CUDA_LAUNCH_BLOCKING=1 重跑",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "kernel-trapped",
    title=Text("A kernel on the GPU stopped itself", "GPU 内核自行中止"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-kernel-failed", "rank-raised-exception", "rank-hung"),
    references=(
        Reference(
            "CUDA runtime API: error codes",
            "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA: analyzing Xid errors with the Xid catalog",
            "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("device-side assert triggered", WORDS + "device-side assert triggered"),
        Signature("unspecified launch failure", WORDS + "unspecified launch failure", Certainty.LIKELY),
        Signature("misaligned address", WORDS + "misaligned address", Certainty.LIKELY),
        Signature(
            "illegal instruction was encountered",
            WORDS + "an illegal instruction was encountered",
            Certainty.LIKELY,
        ),
        Signature(
            ", pid=",
            r"NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F:.]+)\): (?P<xid>13|43), pid='?(?P<pid>\d+)'?, "
            r"name=(?P<process>[^,]*(?:python|pt_|ray::|[Vv][Ll][Ll][Mm]|sglang|torch|train|julia)[^,]*)",
            certainty=Certainty.LIKELY,
        ),
        Signature("cudaErrorAssert", r"\bcudaErrorAssert\b", Certainty.LIKELY),
        Signature("cudaErrorLaunchFailure", r"\bcudaErrorLaunchFailure\b", Certainty.LIKELY),
        Signature("CUDA_ERROR_LAUNCH_FAILED", r"CUDA_ERROR_LAUNCH_FAILED", Certainty.LIKELY),
        Signature("evice-side assert triggered", r"[Dd]evice-side assert triggered", Certainty.LIKELY),
        Signature(
            "probability tensor contains either", r"probability tensor contains either", Certainty.LIKELY
        ),
    ),
    remedy=FIND_THE_ASSERTION,
    next_command="CUDA_LAUNCH_BLOCKING=1 python your_script.py",
)
def kernel_trapped(kernel_log: KernelLog) -> Iterator[Hit]:
    seen: set[tuple[str, str | None]] = set()
    for position, xid in enumerate(kernel_log.xids):
        if xid.code not in TRAPS or not computes(xid.process) or (xid.device, xid.process) in seen:
            continue
        seen.add((xid.device, xid.process))
        yield Hit(
            subject=f"gpu:{slot(xid.device)}",
            summary=message(
                "a kernel of {process} stopped on GPU {device} (Xid {code}, this boot)",
                "{process} 的内核在 GPU {device} 上中止（Xid {code}，本次启动）",
                process=xid.process,
                device=xid.device,
                code=xid.code,
            ),
            because=cite(f"kernel_log.xids[{position}].text"),
            certainty=Certainty.POSSIBLE,
            severity=Severity.WARNING,
        )
