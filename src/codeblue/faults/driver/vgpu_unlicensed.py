"""
## What it means
The GPU in this virtual machine is a part of a physical one (NVIDIA vGPU), and it has no licence. It works
at first, and after a while the driver slows it down and refuses CUDA more and more: a job that ran yesterday
crawls or fails today, without any error of its own.

## Why it happens
The daemon nvidia-gridd has no token or the address of the licence server is wrong, the server cannot be
reached through the firewall, all licences are taken, the lease ran out while the machine was suspended, or
the clock is wrong.

## When it is not a fault
A GPU that is passed through as a whole needs no such licence. Right after boot the daemon needs some
seconds. Evaluation drivers of cloud providers carry their licence with them.

## What to do
`nvidia-smi -q | grep -i -A2 'license'` shows product and state, `journalctl -u nvidia-gridd` the reason.
Put the client token into /etc/nvidia/ClientConfigToken, set FeatureType in /etc/nvidia/gridd.conf, and
`sudo systemctl restart nvidia-gridd`.

## How safe the fix is
Restarting the daemon does not touch running jobs.
"""

from collections.abc import Iterator

from codeblue.model.facts import Fabric
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

WITHOUT = ("unlicensed", "unlicensed-restricted")
FETCH = Remedy(
    message("give nvidia-gridd its token and restart it", "为 nvidia-gridd 提供令牌并重启它"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "put the token into /etc/nvidia/ClientConfigToken, then restart nvidia-gridd",
                "把令牌放入 /etc/nvidia/ClientConfigToken，然后重启 nvidia-gridd",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "vgpu-unlicensed",
    title=Text("The virtual GPU has no licence", "虚拟 GPU 没有许可证"),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA virtual GPU client licensing user guide",
            "https://docs.nvidia.com/vgpu/latest/grid-licensing-user-guide/",
            "2026-11-30",
        ),
    ),
    remedy=FETCH,
    next_command="nvidia-smi -q | grep -i -A2 license; journalctl -b -u nvidia-gridd | tail",
)
def vgpu_unlicensed(fabric: Fabric) -> Iterator[Hit]:
    for index, gpu in fabric.gpus.items():
        if gpu.virtualisation == "vgpu" and gpu.licence in WITHOUT:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu} is a virtual one, and its licence state is {state}",
                    "GPU {gpu} 是虚拟 GPU，其许可证状态为 {state}",
                    gpu=index,
                    state=gpu.licence,
                ),
                because=cite(f"fabric[{index}].virtualisation", f"fabric[{index}].licence"),
            )
