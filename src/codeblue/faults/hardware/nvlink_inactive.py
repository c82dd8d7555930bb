"""
## What it means
A GPU on a baseboard (SXM) has fewer active NVLinks than its twins in the same machine. Traffic between GPUs
goes over the links that are left, so collectives run at the pace of this GPU, or its jobs do not start
because the fabric manager has taken it out.

## Why it happens
A link did not train or was shut after errors: a contact of the board, a cable of an external switch, a GPU
or switch that fails. After a fabric manager that was restarted while jobs ran, or a reset of a single GPU,
links can stay down until all GPUs are reset together.

## When it is not a fault
PCIe cards have links only where a bridge is plugged, and not every pair needs one: they are not judged
here, nor are GPUs in MIG mode, which uses no NVLink, or machines on which all GPUs have equally few. In
a virtual machine the host may have given the GPUs to different partitions.

## What to do
`nvidia-smi nvlink -s` shows the state of every link, `nvidia-smi nvlink -e` its errors. Look for Xid 74
and 144 to 150 and for SXid in the kernel log. Stop the jobs, reset all GPUs together (`sudo nvidia-smi -r`),
restart the fabric manager, look again. A link that stays down is hardware: vendor.

## How safe the fix is
Reading is safe. The reset ends what runs on all GPUs of the machine.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.server_gpus import is_socketed
from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Fabric, Nvml, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RESET = Remedy(
    message("reset all GPUs together, then look again", "一起复位所有 GPU，然后再查看"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "stop the jobs, run sudo nvidia-smi -r, restart the fabric manager, see nvidia-smi nvlink -s",
                "停止任务，运行 sudo nvidia-smi -r，重启 fabric manager，再运行 nvidia-smi nvlink -s",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "nvlink-inactive",
    title=Text("A GPU has fewer active NVLinks than its twins", "某块 GPU 的活动 NVLink 少于同型号的 GPU"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=("nccl-slower-than-nvlink", "peer-link-slower-than-others"),
    references=(
        Reference(
            "NVIDIA DCGM, NVLink health checks",
            "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/feature-overview.html",
            "2026-11-30",
        ),
    ),
    remedy=RESET,
    next_command="nvidia-smi nvlink -s; nvidia-smi nvlink -e; sudo dmesg | grep -E 'SXid|Xid'",
)
def nvlink_inactive(fabric: Fabric, nvml: Nvml, pci: Pci) -> Iterator[Hit]:
    active: dict[str, dict[str, int]] = {}
    for index, gpu in gpus(nvml).items():
        board = pci.functions.get(gpu.pci)
        if board is not None and is_socketed(board.device) and index in fabric.gpus and not gpu.mig:
            links = fabric.gpus[index].links
            active.setdefault(gpu.name, {})[index] = sum(link.active for link in links.values())
    for twins in active.values():
        most = max(twins.values())
        for index, count in twins.items():
            if count < most:
                yield Hit(
                    subject=f"gpu:{index}",
                    certainty=Certainty.LIKELY,
                    summary=message(
                        "GPU {gpu} has {count} active NVLinks where its twins have {most}",
                        "GPU {gpu} 有 {count} 条活动的 NVLink，同型号的 GPU 有 {most} 条",
                        gpu=index,
                        count=count,
                        most=most,
                    ),
                    because=cite(*_inactive(fabric, index)),
                )


def _inactive(fabric: Fabric, index: str) -> list[str]:
    """Point at the first three links that are down; at the whole table if they are not even listed."""
    down = [number for number, link in fabric.gpus[index].links.items() if not link.active]
    return [f"fabric[{index}].links[{number}].active" for number in down[:3]] or [f"fabric[{index}].links"]
