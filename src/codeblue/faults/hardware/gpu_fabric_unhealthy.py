"""
## What it means
The driver itself says that a GPU's place in the NVLink fabric is not healthy: its registration ended with an
error, its bandwidth is degraded, a route is broken, or it is configured wrongly. Jobs that use NVLink
across these GPUs are slow, hang or do not start; work on the single GPU goes on.

## Why it happens
A link or a switch port failed, the fabric manager was restarted while the GPUs kept their old registration,
firmware of GPU and switch do not fit, or in a rack the tray is in no partition or the wrong one.

## When it is not a fault
A route that is being mended passes by itself and is not counted. A GPU without a fabric, a fabric that was
not started (a single passed-through GPU) and older drivers give no such word: nothing is said then.

## What to do
`nvidia-smi -q | grep -A15 Fabric` shows state, status and every flag. Look for SXid and Xid 74, 144 to 150 in
the kernel log, then at the fabric manager's log (/var/log/fabricmanager.log, in racks NMX-C). Stop the jobs,
reset all GPUs together or reboot, look again. If it stays, it is hardware or the fabric's configuration.

## How safe the fix is
Reading is safe. The reset ends what runs on all GPUs of the machine.
"""

from collections.abc import Iterator

from codeblue.model.facts import Fabric, Registration
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

FLAGS = (("degraded-bandwidth", 0), ("route-unhealthy", 4))
"""Flags of two bits in the health mask and where they begin (nvml.h): 1 is true, 2 false, 0 not known.

Those between them tell of a recovery that is under way."""

CONFIGURATION, RIGHT = 8, 1
"""Where the four bits on a wrong configuration begin; up to this value they mean none."""

LOOK = Remedy(
    message(
        "read the fabric manager's log, then reset all GPUs together",
        "查看 fabric manager 的日志，再一起复位所有 GPU",
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "stop the jobs, run sudo nvidia-smi -r or reboot, then nvidia-smi -q | grep -A15 Fabric",
                "停止任务，运行 sudo nvidia-smi -r 或重启，再看 nvidia-smi -q | grep -A15 Fabric",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-fabric-unhealthy",
    title=Text("A GPU's place in the NVLink fabric is not healthy", "GPU 在 NVLink 互联中的状态不健康"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVML API, GPU fabric information",
            "https://docs.nvidia.com/deploy/nvml-api/structnvmlGpuFabricInfo__v3__t.html",
            "2026-11-30",
        ),
    ),
    remedy=LOOK,
    next_command="nvidia-smi -q | grep -A15 Fabric; sudo dmesg | grep -E 'SXid|Xid'",
)
def gpu_fabric_unhealthy(fabric: Fabric) -> Iterator[Hit]:
    for index, gpu in fabric.gpus.items():
        found = gpu.fabric if was_read(gpu, "fabric") else None
        if found is None or found.state != "completed":
            continue
        words, paths = _trouble(found)
        if paths:
            yield Hit(
                subject=f"gpu:{index}",
                certainty=Certainty.LIKELY,
                variant=words[0] if words else None,
                summary=message(
                    "the driver calls the NVLink fabric of GPU {gpu} unhealthy ({words})",
                    "驱动称 GPU {gpu} 的 NVLink 互联不健康（{words}）",
                    gpu=index,
                    words=", ".join(words) or "?",
                ),
                because=cite(*(f"fabric[{index}].fabric.{path}" for path in paths)),
            )


def _trouble(found: Registration) -> tuple[list[str], list[str]]:
    """Return the words for what is wrong, and the facts that say so."""
    words, paths = [], []
    if found.status != 0:
        words.append("registration-failed")
        paths.append("status")
    mask = found.health_mask if was_read(found, "health_mask") else 0
    wrong = [name for name, bit in FLAGS if mask >> bit & 3 == 1]
    if mask >> CONFIGURATION & 0xF > RIGHT:
        wrong.append("incorrect-configuration")
    if wrong:
        words += wrong
        paths.append("health_mask")
    if was_read(found, "health") and found.health == "unhealthy":
        paths.append("health")
    return words, paths
