"""
## What it means
On this server no program keeps the driver's state of a data-centre GPU alive. Each time the last program
closes the GPU, the driver shuts it down, and the next one pays for the start: one second per GPU, on big
boards many.

## Why it happens
Persistence mode is off after every boot unless nvidia-persistenced runs or somebody sets it. Images that
bring the driver without the daemon, and containers that are supposed to bring it, are the usual reason.

## When it is not a fault
On a desktop or laptop it saves power, and a display keeps the GPU open anyway. While jobs run one after
the other without a gap it is hardly noticed. It is a risk because of what follows: slow first calls,
container start hooks that time out, counters and clock limits that are lost between jobs.

## What to do
`sudo systemctl enable --now nvidia-persistenced`. Where there is no daemon, `sudo nvidia-smi -pm 1` does
it until the next boot.

## How safe the fix is
It can be switched at any time, also while jobs run, and back again. An idle GPU draws a few watts more.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.knowledge.gpus import gpu_named
from codeblue.model.facts import Container, Nvml, Services
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SERVICE = "nvidia-persistenced"
SERVERS = ("datacenter", "superchip")

KEEP = Remedy(
    message("start nvidia-persistenced", "启动 nvidia-persistenced"),
    (
        Step(
            Verb.SERVICE_START,
            message("it keeps the driver's state between jobs", "它在任务之间保持驱动状态"),
            {"service": SERVICE},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


@fault(
    "persistence-mode-off-slow-init",
    title=Text("Persistence mode is off on a server GPU", "服务器 GPU 没有开启 persistence 模式"),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    references=(
        Reference(
            "NVIDIA driver persistence", "https://docs.nvidia.com/deploy/driver-persistence/", "2026-11-30"
        ),
    ),
    remedy=KEEP,
)
def persistence_mode_off_slow_init(
    nvml: Nvml, services: Services, container: Container | None
) -> Iterator[Hit]:
    if container is not None or SERVICE in services.services:
        return  # if the daemon is installed and does not run, that is a finding of its own
    off = [index for index, gpu in gpus(nvml).items() if is_server(gpu.name) and not gpu.persistence]
    if off:
        yield Hit(
            subject="driver",
            summary=message(
                "persistence mode is off on {count} of {all} GPUs and there is no nvidia-persistenced",
                "{all} 块 GPU 中有 {count} 块关闭了 persistence 模式，且没有 nvidia-persistenced",
                count=len(off),
                all=len(nvml.gpus),
            ),
            because=cite(*(f"nvml.gpus[{index}].persistence" for index in off[:3]), "services.services"),
        )


def is_server(name: str) -> bool:
    """True if NVML's name is that of a GPU for servers."""
    gpu = gpu_named(name)
    return gpu is not None and gpu["class"] in SERVERS
