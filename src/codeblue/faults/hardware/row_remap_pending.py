"""
## What it means
The GPU found a faulty memory row and has a spare one for it, but the exchange only takes effect at
the next reset. Until then the bad row is set aside or, on an uncontained error, still in use.
The log shows Xid 63.

## Why it happens
Ampere and newer data-centre GPUs repair their HBM by row remapping. An uncorrectable error, or
two corrected ones at one address, marks a row; the repair itself is done while the GPU starts.

## When it is not a fault
By NVIDIA's own account unaffected programs may go on and new ones may be started: there is no need to
stop a healthy run. GPUs without row remapping never report this.

## What to do
Let the running job reach a checkpoint, drain the GPU at the next quiet moment and reset it. Check that
`nvidia-smi -q -d ROW_REMAPPER` no longer says "Pending: Yes". If Xid 63 keeps returning on the same
GPU, watch the bank availability histogram there: a bank without spare rows comes before a failed remap.

## How safe the fix is
The reset ends everything that runs on this GPU. The remap itself is permanent and harmless: the
memory keeps its full size.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.gpu_memory_ecc_fault import RESET
from codeblue.faults.hardware.xids import PREFIX, gpus
from codeblue.model.facts import Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "row-remap-pending",
    title=Text("A GPU memory repair waits for a reset", "GPU 显存行重映射等待复位后生效"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=("gpu-reset-required",),
    references=(
        Reference(
            "NVIDIA GPU memory error management, error recovery and response flags",
            "https://docs.nvidia.com/deploy/a100-gpu-mem-error-mgmt/error-recovery-and-response-flags.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVRM: Xid", PREFIX + r"63\b", Certainty.LIKELY, "gpu:{pci}"),
        Signature("remapped_row_pending>Yes", r"<remapped_row_pending>Yes<"),
        Signature(": Yes", r"^ +Pending {10,}: Yes$"),
        Signature("Pending", r"^\s*Pending *: Yes *$", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"Xid\D{0,25}63\b|marked for remapping|row[- ]?remap(?:ping|per)?.{0,40}pending"
                "|pending.{0,20}(?:row[- ]?remap|remapp)|Pending *: *Yes"
                r"|remapp?\w*.{0,30}(?:next )?reset|行重映射.{0,12}(?:待|等待|重启|复位|挂起)",
                r"row[- ]?remap|remapp|行重映射|\bECC\b|Xid",
            ),
            none=("Remapping Failure Occurred *: *Yes",),
        ),
    ),
    remedy=RESET,
    next_command="nvidia-smi -q -d ROW_REMAPPER",
)
def row_remap_pending(nvml: Nvml) -> Iterator[Hit]:
    waiting = [index for index, gpu in gpus(nvml).items() if gpu.remapped_pending]
    for index in waiting:
        yield Hit(
            subject=f"gpu:{index}",
            summary=message(
                "GPU {gpu} has a memory row to replace at its next reset",
                "GPU {gpu} 有显存行等待在下次复位时替换",
                gpu=index,
            ),
            because=cite(f"nvml[{index}].remapped_pending"),
        )
