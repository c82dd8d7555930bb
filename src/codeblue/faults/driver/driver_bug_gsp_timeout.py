"""
## What it means
The driver asked the GPU's own firmware processor (GSP) to do something and got no answer (Xid 119), or
the firmware itself stopped with an error (Xid 120). From then on everything that touches this GPU is
slow or hangs: jobs, `nvidia-smi`, DCGM, the health check of the node.

## Why it happens
On many machines it was a fault in a driver or firmware release, which disappeared with another release
of the branch. It also follows from hardware: a GPU that fell off the bus does not answer either, and a
board that does it again and again, alone among equals, is suspect.

## When it is not a fault
If the same GPU reported Xid 79 in this boot, the missing answer is only a consequence of that; it is
then not reported here.

## What to do
Drain the node and save `nvidia-bug-report.sh` at once. Reset the GPU when nothing uses it, or power
cycle when the reset fails. Then update the driver within its branch. As a test, with the proprietary
modules only, the option `NVreg_EnableGpuFirmware=0` runs the GPU without GSP; the open modules cannot do
that. If one board repeats it with a driver that works elsewhere, return the board.

## How safe the fix is
A reset ends all jobs on that GPU, and on NVSwitch machines often those of its neighbours. A driver
update needs a reboot.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import PREFIX, by_slot, cited, codes_of
from codeblue.model.facts import KernelLog
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

GSP = (119, 120)
OFF_THE_BUS = (79,)

RESET = Remedy(
    message("drain, reset the GPU, update the driver", "排空节点，复位 GPU，更新驱动"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "save nvidia-bug-report.sh, reset the idle GPU, then update the driver within its branch",
                "保存 nvidia-bug-report.sh 的输出，在 GPU 空闲时复位，然后在同一分支内更新驱动",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "driver-bug-gsp-timeout",
    title=Text("The GPU's firmware processor does not answer", "GPU 的固件处理器没有应答"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "gpu-kernel-failed",
        "gpu-xid-error",
        "process-in-uninterruptible-sleep",
        "gpu-reset-required",
    ),
    references=(
        Reference(
            "NVIDIA Xid catalogue",
            "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
            "2026-11-30",
        ),
        Reference(
            "open-gpu-kernel-modules issue 446: Xid 119",
            "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/446",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVRM: Xid (", PREFIX + r"1(19|20),", Certainty.LIKELY, "gpu:{pci}"),
        Signature(" GSP", r"(?:RPC|response|reply) from (?:the )?(?:GPU ?\d* )?GSP\b", Certainty.LIKELY),
        Signature(
            "GSP ",
            r"\bGSP (?:RPC|RM|task|firmware|heartbeat|request|response|message) .{0,40}(?:timeout|timed out)",
            Certainty.LIKELY,
        ),
        Signature("GSP ", r"\bGSP (?:has |had |task |RPC )?(?:timeout|timed out)\b", Certainty.LIKELY),
        Signature("Xid ", r"\bXid (?:error |errors |code |)(?:119|120)\b", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"\bGSP firmware.{0,40}(?:hang|crash|time|bug|off|disabl|stuck|die)"
                r"|\bGSP\b.{0,30}(?:timeout|time-out|hang|heartbeat|lock|crash|超时|固件)"
                r"|EnableGpuFirmware|Xid\D{0,25}1(?:19|20)\b|GSP.{0,6}(?:超时|固件)",
                r"hang|hung|stuck|timeout|timed out|freez|\bslow\b|no response|\bERR!|requires reset"
                "|lost|卡住|卡死|超时|无响应|挂死|挂起",
            ),
            none=(r"kgspBootstrap|failed to boot GSP|\beGPU|Thunderbolt|OCuLink",),
        ),
    ),
    remedy=RESET,
    next_command="sudo dmesg | grep -E 'Xid|NVRM'; timeout 20 nvidia-smi",
)
def driver_bug_gsp_timeout(kernel_log: KernelLog) -> Iterator[Hit]:
    lost = by_slot(kernel_log, OFF_THE_BUS)
    for gpu, seen in by_slot(kernel_log, GSP).items():
        if gpu in lost:
            continue
        yield Hit(
            subject=f"gpu:{gpu}",
            certainty=Certainty.LIKELY,
            summary=message(
                "the firmware processor of the GPU at {gpu} did not answer {count} time(s) (Xid {codes})",
                "位于 {gpu} 的 GPU 的固件处理器有 {count} 次没有应答（Xid {codes}）",
                gpu=gpu,
                count=len(seen),
                codes=codes_of(seen),
            ),
            because=cited(seen),
        )
