"""
## What it means
The PCIe link of a GPU makes errors. Corrected ones cost time: every damaged packet is sent again. A fatal
one means that the link was lost at least once since boot. Under load this shows as slow copies, jobs that
hang, or a GPU that falls off the bus.

## Why it happens
A card, riser or cable that is not seated well, dirty contacts, a retimer or a slot at the edge of what its
speed allows, heat. Firmware that leaves too little margin at the highest speed does it too.

## When it is not a fault
A handful of corrected errors a day is ordinary, and so are unsupported requests, which programs cause that
look for devices: they are not counted. Corrected errors are told only above DCGM's limit for replays: at
generation 5, 31 a minute on 16 lanes, averaged since boot. Virtual machines do not see these counters.

## What to do
`grep . /sys/bus/pci/devices/ADDRESS/aer_dev_*` on the GPU and on the port above it shows which end counts
and whether the numbers rise under load. Reseat card, riser and cables; swap with a twin to see whether the
errors stay with the card or the slot; update the firmware. A lower link speed in the firmware set-up is a
stopgap.

## How safe the fix is
Reading is safe. Reseating needs the machine switched off.
"""

import math
from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.hardware.xids import slot
from codeblue.model.facts import Host, Pci, PciFunction
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RETRIED = ("RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout")
"""Corrected errors after which something is sent again."""

FATAL = ("DLP", "SDES", "FCP", "RxOF", "MalfTLP", "ECRC", "Uncor", "TLPBlockedErr")
"""Uncorrected errors of a link; Undefined is what the kernel has no name for."""

PER_LANE = {"2.5": 0.15, "5.0": 0.3, "8.0": 0.48, "16.0": 0.96, "32.0": 1.92, "64.0": 3.84}
"""DCGM's replays a minute and lane that are still good, by the speed in GT/s."""

LONG_ENOUGH = 600.0
"""Seconds since boot before an average says something: links are trained at the beginning."""

COUNTED = {
    "fatal": (
        "the PCIe link of the GPU at {gpu} has counted {count} fatal errors since boot",
        "位于 {gpu} 的 GPU 的 PCIe 链路自启动以来记录了 {count} 个致命错误",
    ),
    "corrected": (
        "the PCIe link of the GPU at {gpu} has corrected {count} errors since boot, more than DCGM accepts",
        "位于 {gpu} 的 GPU 的 PCIe 链路自启动以来纠正了 {count} 个错误，超过 DCGM 的上限",
    ),
}
RESEAT = Remedy(
    message("reseat the card, compare the counters under load", "重新插拔板卡，在负载下比较计数"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "read aer_dev_* of the GPU and of the port above it, then reseat or swap the card",
                "查看 GPU 及其上游端口的 aer_dev_*，然后重新插拔或对调板卡",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "pcie-link-errors",
    title=Text("The PCIe link of a GPU makes errors", "GPU 的 PCIe 链路出错"),
    layer=Layer.HARDWARE,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=("gpu-fallen-off-bus",),
    references=(
        Reference(
            "NVIDIA DCGM diagnostics, PCIe replay limits",
            "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/dcgm-diagnostics.html",
            "2026-11-30",
        ),
        Reference(
            "The Linux kernel: AER counters in sysfs",
            "https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "PCIe Bus Error",
            r"nvidia (?P<pci>[0-9a-fA-F:.]+): PCIe Bus Error: severity=Uncorrect(ed|able) \(Fatal\)",
            Certainty.LIKELY,
            "gpu:{pci}",
        ),
    ),
    remedy=RESEAT,
    next_command="grep . /sys/bus/pci/devices/*/aer_dev_* | grep -v ' 0$'",
)
def pcie_link_errors(host: Host, pci: Pci) -> Iterator[Hit]:
    if host.hypervisor is not None or host.wsl:
        return
    for address in own_gpus(pci):
        gpu = pci.functions[address]
        seen = {f"pci[{address}].errors": gpu.errors or {}}
        for port in gpu.upstream[:1]:  # the other end of this link; those above serve others too
            seen[f"pci.ports[{port}].errors"] = pci.ports[port].errors or {}
        fatal = {path: _sum(errors, "fatal", FATAL) for path, errors in seen.items()}
        again = {path: _sum(errors, "correctable", RETRIED) for path, errors in seen.items()}
        worst = max(again, key=lambda path: again[path])
        if any(fatal.values()):
            path = max(fatal, key=lambda one: fatal[one])
            yield _hit(address, path, "fatal", fatal[path])
        elif host.uptime_seconds > LONG_ENOUGH and again[worst] / host.uptime_seconds * 60 > limit(gpu):
            yield _hit(address, worst, "corrected", again[worst])


def limit(gpu: PciFunction) -> float:
    """Return the replays a minute that DCGM still accepts on this link; without bound if it is unknown."""
    speed = PER_LANE.get((gpu.link_speed_max or "").split(" ")[0])
    return math.ceil(speed * gpu.link_width) if speed and gpu.link_width else math.inf


def _sum(errors: dict[str, int], kind: str, names: tuple[str, ...]) -> int:
    return sum(errors.get(f"{kind} {name}", 0) for name in names)


def _hit(address: str, path: str, variant: str, count: int) -> Hit:
    return Hit(
        subject=f"gpu:{slot(address)}",
        certainty=Certainty.LIKELY,
        variant=variant,
        summary=message(*COUNTED[variant], gpu=slot(address), count=count),
        because=cite(path),
    )
