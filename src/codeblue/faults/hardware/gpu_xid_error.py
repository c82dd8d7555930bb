"""
## What it means
The driver reported an error in this boot that a program cannot cause on healthy hardware, and no
more specific entry of this catalogue covers it. The finding names the Xid, its meaning and the action
that NVIDIA's catalogue asks for: GPU reset, reboot, or a look at cables and seating.

## Why it happens
It depends on the code: 74 and 144 are NVLink, 61 and 62 the GPU's power controller, 46, 143 and
158 a GPU that does not answer, 57 and 58 the memory interface, 122 to 124 the board's flash, 167 PCIe.
The first Xid in time is the one to follow: later ones are often its echo.

## When it is not a fault
Xids 13, 31, 43, 45, 69 and their like come from programs and are never counted here, nor are warnings,
events that NVIDIA's catalogue says to ignore, 56 and 81, which only concern a display, and 155, an NVLink
that software shut. An error of an earlier boot is history.

## What to do
Read the lines around the Xid, do what the finding names (usually: drain, reset the GPU), then run
`dcgmi diag -r 3` on the idle node. When the same code returns after the reset, collect
`nvidia-bug-report.sh` and go to the vendor. A GSP that does not answer (119, 120) is another entry,
`driver-bug-gsp-timeout`.

## How safe the fix is
Reset and reboot end what runs there. On NVSwitch machines all GPUs are reset together.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.gpu_memory_ecc_fault import XIDS as MEMORY
from codeblue.faults.hardware.xids import PREFIX, by_slot, cited
from codeblue.knowledge import xid
from codeblue.knowledge.codes import Event
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.translated import chinese
from codeblue.model.facts import KernelLog
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ELSEWHERE = (*MEMORY, 54, 63, 64, 79, 119, 120, 154)
"""Codes that other faults of this catalogue explain better."""
HARMLESS_HERE = (56, 81, 155)
"""Codes of the display engine, and of a link that software shut because its peer went away."""
HARDWARE = {"hw", "memory", "nvlink", "pcie", "power", "thermal"}

ACTIONS = {
    "reset_gpu": Text("reset the GPU", "复位该 GPU"),
    "reboot": Text("reboot the machine", "重启机器"),
    "check_mechanical": Text("check seating and cables", "检查插接和线缆"),
    "workflow": Text("decode the message, then reset the GPU", "先解读消息内容，再复位该 GPU"),
    "report": Text("report it to the vendor", "联系厂商"),
}


def act(event: Event) -> Remedy:
    """Return what NVIDIA's catalogue asks for."""
    action = ACTIONS.get(event.action, ACTIONS["report"])
    step = Step(
        Verb.INSTRUCT,
        message(
            "drain the GPU, save nvidia-bug-report.sh, then do it; the same code again means a vendor case",
            "排空该 GPU，保存 nvidia-bug-report.sh 的输出后再执行；若同一代码再次出现，请联系厂商",
        ),
    )
    return Remedy(message(action.en, action.zh), (step,), Automation.HUMAN, Undo.NONE)


def hardware_codes() -> set[int]:
    """Return the Xids that say that hardware failed, whatever the program did."""
    rows = by_key("xid", "code").values()
    return {
        row["code"]
        for row in rows
        if row["severity"] in ("error", "fatal")
        and row["app_can_cause"] == "no"
        and HARDWARE & set(row["class"])
        and row["code"] not in ELSEWHERE + HARMLESS_HERE
    }


@fault(
    "gpu-xid-error",
    title=Text("The driver reported a hardware error of the GPU", "驱动报告了 GPU 硬件错误"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "gpu-kernel-failed",
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "gpu-reset-required",
    ),
    references=(
        Reference(
            "NVIDIA Xid catalogue",
            "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "NVRM: Xid",
            PREFIX + rf"({'|'.join(str(code) for code in sorted(hardware_codes()))})\b",
            Certainty.LIKELY,
            "gpu:{pci}",
        ),
    ),
    next_command="sudo dmesg | grep -E 'NVRM|nvidia'",
)
def gpu_xid_error(kernel_log: KernelLog) -> Iterator[Hit]:
    for gpu, seen in by_slot(kernel_log, hardware_codes()).items():
        first = seen[0][1]
        event = xid(first.code)
        assert event is not None, first.code
        yield Hit(
            subject=f"gpu:{gpu}",
            certainty=Certainty.LIKELY,
            summary=message(
                "the GPU at {gpu} reported Xid {code} ({name}) in this boot",
                "位于 {gpu} 的 GPU 在本次启动中报告了 Xid {code}（{name_zh}）",
                gpu=gpu,
                code=first.code,
                name=event.title,
                name_zh=chinese(event.title),
            ),
            because=cited(seen),
            variant=f"xid-{first.code}",
            remedy=act(event),
        )
