"""
## What it means
The driver lost contact with the GPU: reads over PCI Express return all ones. The kernel log says Xid 79,
`nvidia-smi` "GPU is lost", `lspci` shows the device with "rev ff" or not at all. Programs on
that GPU have already failed or hang; the other GPUs of the machine may still work.

## Why it happens
The link or the board's power went away. Usual reasons, most likely first: power supply or cable
that cannot follow load peaks, a card or riser that is not seated well, overheating, PCIe power
saving (ASPM), a firmware or board fault. A program cannot do this to healthy hardware, though a heavy
load brings it out.

## When it is not a fault
An external GPU that was unplugged, a GPU that a laptop has switched off or that was handed to a
virtual machine on purpose.

## What to do
Save `sudo nvidia-bug-report.sh` and the log from before the Xid: PCIe (AER) messages, temperature and power
lines tell which of the reasons it was. Then switch the machine off and on again; a warm reboot or a GPU
reset often does not bring the card back. If it falls off again, reseat card, riser and power plugs,
try another slot, update the board's firmware, then have the GPU replaced.

## How safe the fix is
A power cycle stops everything on the machine. Drain the node first: the jobs on the other GPUs are
still alive.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import NAMED, PREFIX, by_slot, cited, gpu_names, refused, slot
from codeblue.model.facts import KernelLog, Nvml, Pci
from codeblue.model.fault import Certainty, Cite, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

GPU_IS_LOST = 15

POWER_CYCLE = Remedy(
    message("drain the machine and switch it off and on", "排空机器上的任务，然后断电重启"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "save nvidia-bug-report.sh first, then power off fully: a warm reboot often does not help",
                "先保存 nvidia-bug-report.sh 的输出，再完全断电；热重启往往无效",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-fallen-off-bus",
    title=Text("A GPU no longer answers on the PCIe bus", "GPU 从 PCIe 总线上掉线"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "gpu-count-unexpected",
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "gpu-kernel-failed",
        "gpu-reset-required",
        "gpu-xid-error",
        "driver-bug-gsp-timeout",
    ),
    references=(
        Reference("NVIDIA Xid errors", "https://docs.nvidia.com/deploy/xid-errors/index.html", "2026-11-30"),
        Reference(
            "NVML return codes, NVML_ERROR_GPU_IS_LOST",
            "https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceEnumvs.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVRM: Xid", PREFIX + r"79\b", subject="gpu:{pci}"),
        Signature("fallen off the bus", rf"NVRM: ({NAMED}|The |installed |Xid \d).*fallen off the bus"),
        Signature("GPU is lost", r"device handle for .*GPU is lost|GPU is lost\. +Reboot the system"),
        Signature("NVMLError_GpuIsLost", r"NVMLError_GpuIsLost"),
        Signature(
            "Unable to determine the device handle",
            r"Unable to determine the device handle for .*: Unknown Error",
            Certainty.POSSIBLE,
        ),
        Signature("(rev ff)", r"NVIDIA Corporation.*\(rev ff\)", Certainty.LIKELY),
    ),
    remedy=POWER_CYCLE,
    next_command="sudo dmesg | grep -iE 'xid|aer|pcieport|nvrm'",
)
def gpu_fallen_off_bus(
    pci: Pci | None = None, kernel_log: KernelLog | None = None, nvml: Nvml | None = None
) -> Iterator[Hit]:
    gone = silent(pci)
    for gpu, told in lost(nvml, pci).items():
        gone[gpu] = gone.get(gpu, ()) + told
    logged = messages(kernel_log)
    there = {slot(a) for a in pci.nvidia_gpus} if pci else set(logged)
    for gpu in dict.fromkeys([*gone, *logged]):
        yield Hit(
            subject=f"gpu:{gpu}",
            # A GPU that answers again may have been brought back since the message.
            certainty=Certainty.LIKELY if gpu in there and gpu not in gone else Certainty.CERTAIN,
            summary=message("GPU {gpu} fell off the PCIe bus", "GPU {gpu} 已从 PCIe 总线上掉线", gpu=gpu),
            because=gone.get(gpu, ()) + logged.get(gpu, ()),
        )


def silent(pci: Pci | None) -> dict[str, tuple[Cite, ...]]:
    """Return the functions that no longer answer, by PCI slot."""
    if pci is None:
        return {}
    found = [a for a in pci.nvidia_gpus if a in pci.functions and is_silent(pci, a)]
    return {slot(a): cite(f"pci[{a}].config_readable") for a in found}


def lost(nvml: Nvml | None, pci: Pci | None) -> dict[str, tuple[Cite, ...]]:
    """Return the GPUs that NVML calls lost: by PCI slot if only one can be meant, else by index."""
    indices = refused(nvml, GPU_IS_LOST)
    answering = gpu_names(nvml)
    slots = [slot(a) for a in pci.nvidia_gpus if slot(a) not in answering] if pci else []
    names = slots if len(slots) == len(indices) == 1 else indices
    return {name: cite(f"nvml[{index}].handle") for name, index in zip(names, indices, strict=True)}


def is_silent(pci: Pci, address: str) -> bool:
    """True if the NVIDIA driver holds the function and its configuration space reads as all ones."""
    function = pci.functions[address]
    return function.driver == "nvidia" and not function.config_readable


def messages(log: KernelLog | None) -> dict[str, tuple[Cite, ...]]:
    """Return what this boot's log says about lost GPUs, by PCI slot."""
    found = {gpu: cited(seen) for gpu, seen in by_slot(log, (79,)).items()}
    for position, line in enumerate(log.lines if log else []):
        gpu = slot(line.text)
        if "fallen off the bus" in line.text and gpu != line.text and len(found.get(gpu, ())) < 3:
            found[gpu] = found.get(gpu, ()) + cite(f"kernel_log.lines[{position}].text")
    return found
