"""
## What it means
An NVSwitch, the chip that joins the GPUs of a DGX or HGX board over NVLink, reported an error that it
calls fatal. Jobs on the GPUs behind the named link have died or hang; for some codes the switches of the
whole machine must be reset before NVLink works again.

## Why it happens
A link lost its connection (20034), a packet was damaged or went to an address that the switch does not
know, the switch's memory or its own hardware failed, or a GPU behind the link failed first. The GPUs
usually report Xid 74 or 45 at the same time: the SXid is the one to follow. It can also be the echo of a
GPU that was reset or that fell off the bus.

## When it is not a fault
The line itself says whether it is fatal: what is marked Non-fatal is corrected or only logged and is
never counted here. A fatal line that came while somebody reset the GPUs, and not again since, is only
its trace. An error of an earlier boot is history.

## What to do
Read all SXid lines around it: the first in time names switch and link. Stop the jobs, save
`nvidia-bug-report.sh` and `/var/log/fabricmanager.log`, then reset all GPUs of the machine together
(`sudo nvidia-smi -r`) or reboot. The same link again means hardware: take the machine out and go to the
vendor with switch and link number.

## How safe the fix is
The reset ends what runs on all GPUs of the machine; on machines with NVSwitches they cannot be reset one
by one. Until then other jobs on unaffected GPUs may go on, unless the code asks for a reset of all.
"""

import re
from collections.abc import Iterator

from codeblue.faults.hardware.xids import slot
from codeblue.knowledge import sxid
from codeblue.model.facts import KernelLog, Xid
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

FATAL = re.compile(r"SXid \([^)]*\): \d+, Fatal\b")
LINK = re.compile(r"\bLink (\d+)")
ALL = "reset_all"
"""Action of the codes after which the whole fabric is down."""


def act(code: int) -> Remedy:
    """Return what the user guide of the fabric manager asks for."""
    event = sxid(code)
    words = (
        Text("reset all GPUs and NVSwitches, or reboot", "复位全部 GPU 和 NVSwitch，或重启机器")
        if event is not None and event.action == ALL
        else Text("restart the jobs, then reset the GPUs", "重启任务，然后复位 GPU")
    )
    step = Step(
        Verb.INSTRUCT,
        message(
            "stop the jobs, save nvidia-bug-report.sh, run sudo nvidia-smi -r; if it comes again: the vendor",
            "停止任务，保存 nvidia-bug-report.sh 的输出，运行 sudo nvidia-smi -r；再次出错请联系厂商",
        ),
    )
    return Remedy(message(words.en, words.zh), (step,), Automation.HUMAN, Undo.NONE)


@fault(
    "nvswitch-sxid-error",
    title=Text("An NVSwitch reported a fatal error", "NVSwitch 报告了致命错误"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-xid-error", "gpu-kernel-failed", "cuda-init-failed", "gpu-reset-required", "rank-hung"),
    references=(
        Reference(
            "NVIDIA fabric manager user guide, SXid errors",
            "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "SXid",
            r"SXid \((PCI:)?(?P<pci>[0-9a-fA-F:.]+)\): [0-9]+, Fatal\b",
            Certainty.LIKELY,
            "nvswitch:{pci}",
        ),
    ),
    next_command="sudo dmesg | grep -E 'SXid|NVRM: Xid'",
)
def nvswitch_sxid_error(kernel_log: KernelLog) -> Iterator[Hit]:
    by_switch: dict[str, list[tuple[int, Xid]]] = {}
    for position, seen in enumerate(kernel_log.sxids):
        if FATAL.search(seen.text):
            by_switch.setdefault(slot(seen.device), []).append((position, seen))
    for switch, rows in by_switch.items():
        first = rows[0][1]
        event, link = sxid(first.code), LINK.search(first.text)
        yield Hit(
            subject=f"nvswitch:{switch}",
            certainty=Certainty.LIKELY,
            summary=message(
                "the NVSwitch at {switch} reported fatal SXid {code} ({name}) on link {link} in this boot",
                "位于 {switch} 的 NVSwitch 在本次启动中报告了致命的 SXid {code}（{name}），链路 {link}",
                switch=switch,
                code=first.code,
                name=event.name if event is not None else "?",
                link=link.group(1) if link else "?",
            ),
            because=cite(*(f"kernel_log.sxids[{position}].text" for position, _ in rows[:3])),
            variant=f"sxid-{first.code}",
            remedy=act(first.code),
        )
