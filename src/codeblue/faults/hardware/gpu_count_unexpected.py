"""
## What it means
The machine has another number of GPUs than the site's codeblue.toml says it should have. With one fewer,
jobs that ask for all GPUs fail or wait for ever, and nobody notices until then. Where the expectation comes
from is in the evidence: the file behind `expectations`. Without a codeblue.toml nothing is expected and
this is never said.

## Why it happens
A GPU has fallen off the bus, was not powered or seated after a repair, is no longer passed through to the
virtual machine, or the container was given fewer than it should get. More than expected usually means that
the file was written for another kind of machine.

## When it is not a fault
A machine that was rebuilt on purpose: correct the number, or give this kind of machine a `[[host]]` table
of its own. On the host the GPUs on the PCI bus count, so a Slurm job that was given two of eight raises no
alarm; in a container those count that NVML shows. MIG instances do not count, their GPUs do. GPUs that are
on the bus and no longer answer are not counted.

## What to do
Compare `lspci -d 10de: | grep -iE 'vga|3d'` with `nvidia-smi -L`. Missing on the bus: look for Xid 79 in
`dmesg`, drain the node, power it off completely and on again, then reseat or replace the GPU. In a virtual
machine look at the passthrough list of its host, in a container at `--gpus` or the resource limit of the
pod.

## How safe the fix is
Looking changes nothing. A power cycle ends every job on the node; drain it first.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Container, Expectations, Nvml, Pci
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NO_PERMISSION = 4
"""NVML_ERROR_NO_PERMISSION: the GPU is fine, this process may not use it."""

LOOK = Remedy(
    message("find the GPUs that are missing, or correct the expectation", "找出缺少的 GPU，或改正期望值"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "compare `lspci -d 10de:` with `nvidia-smi -L`, and look for Xid 79 in the kernel log",
                "对比 `lspci -d 10de:` 与 `nvidia-smi -L`，并在内核日志中查找 Xid 79",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-count-unexpected",
    title=Text("The number of GPUs is not what the site expects", "GPU 数量与站点的期望不符"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    remedy=LOOK,
    next_command="lspci -d 10de:; nvidia-smi -L",
)
def gpu_count_unexpected(
    expectations: Expectations, pci: Pci | None, nvml: Nvml | None, container: Container | None
) -> Iterator[Hit]:
    wanted = expectations.gpus
    if wanted is None:
        return
    found, path = _of_the_machine(pci, nvml) if container is None else _handed_in(nvml)
    if found != wanted:
        yield Hit(
            subject="host",
            variant="fewer" if found < wanted else "more",
            severity=Severity.ERROR if found < wanted else Severity.WARNING,
            summary=message(
                "{found} GPU(s) here, the site expects {wanted}",
                "这里有 {found} 块 GPU，站点期望 {wanted} 块",
                found=found,
                wanted=wanted,
            ),
            because=cite(path, "expectations.gpus"),
        )


def _handed_in(nvml: Nvml | None) -> tuple[int, str]:
    """Return the GPUs of this container: the bus shows it those of the whole host."""
    if nvml is None:
        return 0, "nvml.state"
    return len(gpus(nvml)), "nvml.count"


def _of_the_machine(pci: Pci | None, nvml: Nvml | None) -> tuple[int, str]:
    """Return the GPUs on the bus that answer; under WSL the bus shows none, NVML does."""
    on_bus = pci.nvidia_gpus if pci else []
    if not on_bus or pci is None:
        seen = len(gpus(nvml)) if nvml and nvml.init == 0 else 0
        return seen, "nvml.count" if seen else "pci.nvidia_gpus" if pci else "pci.state"
    silent = sum(not pci.functions[address].config_readable for address in on_bus)
    return len(on_bus) - max(silent, _lost(nvml)), "pci.nvidia_gpus"


def _lost(nvml: Nvml | None) -> int:
    if nvml is None or nvml.init != 0:
        return 0
    return sum(gpu.handle not in (0, NO_PERMISSION) for gpu in nvml.gpus.values())
