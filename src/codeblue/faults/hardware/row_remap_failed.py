"""
## What it means
The GPU could not replace a faulty memory row: no spare row is left in that bank, or the repair could
not be stored on the board. The log shows Xid 64. The next uncorrectable error in that row will hit a
job.

## Why it happens
Each bank of HBM has a few spare rows. A memory that keeps failing uses them up. On boards older than
Ampere the same Xid means that a page could not be retired.

## When it is not a fault
It always is one. A pending remap is another matter: it is repaired by a reset.

## What to do
Take the GPU out of service. Reset it once: a storage failure may clear, an exhausted bank will not.
If `nvidia-smi -q -d ROW_REMAPPER` still says "Remapping Failure Occurred: Yes", have the
board replaced; this flag is NVIDIA's own criterion for an exchange. Save `nvidia-bug-report.sh`
before the board leaves the machine.

## How safe the fix is
The exchange stops the node. Until then the scheduler can keep using the other GPUs if this one is hidden.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import PREFIX, by_slot, cited, gpu_names, gpus
from codeblue.model.facts import KernelLog, Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

REPLACE = Remedy(
    message("take the GPU out of service and have it replaced", "让该 GPU 停止服务并更换"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "drain it, save nvidia-bug-report.sh, reset once; if the flag stays, replace the board",
                "排空任务，保存 nvidia-bug-report.sh 的输出，复位一次；若标志仍在，则更换板卡",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "row-remap-failed",
    title=Text("The GPU can no longer repair its memory", "GPU 已无法修复自身显存"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-memory-ecc-fault", "row-remap-pending", "gpu-reset-required", "gpu-kernel-failed"),
    references=(
        Reference(
            "NVIDIA GPU memory error management, RMA policy thresholds for row remapping",
            "https://docs.nvidia.com/deploy/a100-gpu-mem-error-mgmt/index.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVRM: Xid", PREFIX + r"64\b", Certainty.LIKELY, "gpu:{pci}"),
        Signature("remapped_row_failure>Yes", r"<remapped_row_failure>Yes<"),
        Signature("Remapping Failure Occurred", r"Remapping Failure Occurred +: Yes"),
        Signature("Remapping Failure", "Remapping Failure Occurred *: *Yes"),
        Signature("emap", r"[Rr]ow [Rr]emap\w*.{0,20}[Ff]ail", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"Xid\D{0,25}64\b|row[- ]?remap(?:ping|per)?.{0,40}(?:fail|exhaust|no (?:more|spare)"
                r"|unable|cannot)|remapp?\w*.{0,20}failure|行重映射.{0,8}(?:失败|耗尽|用完)",
                r"row[- ]?remap|remapp?|\bECC\b|\bRMA|行重映射|HBM|Xid",
            ),
            none=("Remapping Failure Occurred *: *No",),
        ),
    ),
    remedy=REPLACE,
    next_command="nvidia-smi -q -d ROW_REMAPPER",
)
def row_remap_failed(kernel_log: KernelLog | None = None, nvml: Nvml | None = None) -> Iterator[Hit]:
    logged = by_slot(kernel_log, (64,))
    names = gpu_names(nvml)
    for slot, seen in logged.items():
        gpu = names.get(slot, slot)
        yield Hit(
            subject=f"gpu:{gpu}",
            summary=message(
                "GPU {gpu} could not replace a bad memory row in this boot (Xid 64)",
                "GPU {gpu} 在本次启动中未能替换坏显存行（Xid 64）",
                gpu=gpu,
            ),
            because=cited(seen),
        )
    told = {names.get(slot) for slot in logged}
    for index, row in gpus(nvml).items():
        if row.remapped_failed and index not in told:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu} says that replacing a memory row failed",
                    "GPU {gpu} 报告显存行重映射失败",
                    gpu=index,
                ),
                because=cite(f"nvml[{index}].remapped_failed"),
            )
