"""
## What it means
A kernel read or wrote an address that its process does not own. CUDA reports error 700, the kernel
log Xid 31 with the process's name. The process's CUDA context is lost: every later call fails with
the same error, at lines that have nothing to do with it.

## Why it happens
A bug in a program on the GPU: an index computed out of range (often a 32-bit overflow on tensors of
more than two billion elements), a tensor freed while another stream still used it, a custom kernel
that was given another shape, stride or dtype than it expects, an extension that was built for another
version. Seldom a defect of a library kernel for one particular shape.

## When it is not a fault
The GPU and its driver are fine; neither needs a reset. Suspect hardware only when unrelated programs
do this on one and the same GPU, or when ECC errors stand beside it. An old Xid 31 in the kernel log
tells of an old run.

## What to do
Run the smallest failing case with `CUDA_LAUNCH_BLOCKING=1`: the traceback then ends at the kernel at
fault. If that is not enough use `compute-sanitizer --tool memcheck python script.py` (slow, exact).
Switch off custom kernels (flash attention, fused optimizers, `torch.compile`) one after the other.

## How safe the fix is
Looking changes nothing. The failed process cannot go on and has to be started again.
"""

from collections.abc import Iterator

from codeblue.faults.application.desktop_programs import computes
from codeblue.faults.hardware.xids import slot
from codeblue.model.facts import KernelLog
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

MMU_FAULT = 31

FIND_THE_KERNEL = Remedy(
    message("find the kernel at fault", "找出出错的内核"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run the failing case with CUDA_LAUNCH_BLOCKING=1, then under compute-sanitizer",
                "先用 CUDA_LAUNCH_BLOCKING=1 重跑，再用 compute-sanitizer 检查",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "illegal-memory-access",
    title=Text("A kernel accessed memory that it does not own", "GPU 内核访问了不属于它的内存"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("kernel-trapped", "gpu-kernel-failed", "rank-raised-exception", "rank-hung"),
    references=(
        Reference(
            "NVIDIA: analyzing Xid errors with the Xid catalog",
            "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA Compute Sanitizer",
            "https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/index.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"Xid.{0,40}\b31\b",
                r"illegal|\b700\b|python|train|vllm|torch",
            ),
            none=(r"Xorg|gnome|firefox|chrom|kwin|desktop|game|steam",),
        ),
    ),
    signatures=(
        Signature("an illegal memory access was encountered", "an illegal memory access was encountered"),
        Signature("results in CUDA_ERROR_ILLEGAL_ADDRESS", "results in CUDA_ERROR_ILLEGAL_ADDRESS"),
        Signature(
            "): 31, pid=",
            r"NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F:.]+)\): 31, pid='?(?P<pid>\d+)'?, "
            r"name=(?P<process>[^,]*(?:python|pt_|ray::|[Vv][Ll][Ll][Mm]|sglang|torch|train|julia)[^,]*)",
            certainty=Certainty.LIKELY,
        ),
        Signature("CUDA_ERROR_ILLEGAL_ADDRESS", r"CUDA_ERROR_ILLEGAL_ADDRESS", Certainty.LIKELY),
        Signature("cudaErrorIllegalAddress", r"cudaErrorIllegalAddress", Certainty.LIKELY),
        Signature("llegal memory access", r"[Ii]llegal memory access", Certainty.LIKELY),
        Signature("rror 700", r"CUDA (?:[Rr]untime )?[Ee]rror 700\b", Certainty.LIKELY),
        Signature("rror: 700", r"CUDA (?:[Rr]untime )?[Ee]rror: 700\b", Certainty.LIKELY),
        Signature("rror code 700", r"(?:CUDA|cuda|GPU).{0,40}[Ee]rror code 700\b", Certainty.LIKELY),
    ),
    remedy=FIND_THE_KERNEL,
)
def illegal_memory_access(kernel_log: KernelLog) -> Iterator[Hit]:
    seen: set[tuple[str, str | None]] = set()
    for position, xid in enumerate(kernel_log.xids):
        if xid.code != MMU_FAULT or not computes(xid.process) or (xid.device, xid.process) in seen:
            continue
        seen.add((xid.device, xid.process))
        yield Hit(
            subject=f"gpu:{slot(xid.device)}",
            summary=message(
                "{process} made an illegal memory access on GPU {device} (Xid 31, this boot)",
                "{process} 在 GPU {device} 上非法访问内存（Xid 31，本次启动）",
                process=xid.process,
                device=xid.device,
            ),
            because=cite(f"kernel_log.xids[{position}].text"),
            certainty=Certainty.POSSIBLE,
            severity=Severity.WARNING,
        )
