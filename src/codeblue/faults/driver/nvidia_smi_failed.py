"""
## What it means
`nvidia-smi` is installed and there is a GPU for it to show, but it ended with an error, did not end at
all, or printed something that is not its table. It talks to the kernel driver through NVML, so it fails
for the reasons for which NVML fails. It says nothing about CUDA: with the UVM device closed `nvidia-smi`
looks perfect and every CUDA program fails, and without libnvidia-ml it is the other way round.

## Why it happens
This is a symptom. Its exit code says which group the cause is in: 9 the kernel driver is not loaded, 12
the library libnvidia-ml was not found, 4 no permission, 6 the question found no device, 15 a GPU has
fallen off the bus, 14 the board's InfoROM is damaged, 255 anything else, a version mismatch among it. If
it hangs, a GPU or its firmware processor no longer answers and the process may sit in state D.

## When it is not a fault
In a container that was started without GPUs there is usually no `nvidia-smi` at all, which is not
reported. GPUs that are set aside for virtual machines (vfio-pci) are not visible to it, on purpose.

## What to do
Follow the cause that is named beside it. If none is named, read its own words and the kernel log of this
boot. Do not start a hanging `nvidia-smi` again and again: each copy waits in the kernel and holds the
device.

## How safe the fix is
Looking changes nothing, with one exception: run as root, `nvidia-smi` gives the device nodes their
default mode again and may load modules. Look at the nodes first.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Host, NvidiaSmi, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

SHOWN = 160
"""Characters of its words that fit into a summary."""


@fault(
    "nvidia-smi-failed",
    title=Text("nvidia-smi fails", "nvidia-smi 运行失败"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    symptom=True,
    severity=Severity.ERROR,
    references=(
        Reference(
            "nvidia-smi documentation, return value",
            "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVIDIA-SMI has failed", r"NVIDIA-SMI has failed because it couldn't communicate"),
        Signature("NVIDIA-SMI couldn't find", r"NVIDIA-SMI couldn't find libnvidia-ml"),
        Signature(
            "Unable to determine the device handle", r"Unable to determine the device handle for (?:GPU|gpu)"
        ),
        Signature("No devices were found", r"^No devices were found\.?$", Certainty.LIKELY),
    ),
    next_command="cat /proc/driver/nvidia/version; grep -E 'nvidia|nouveau' /proc/modules; "
    "sudo dmesg | grep -iE 'nvrm|xid'",
)
def nvidia_smi_failed(nvidia_smi: NvidiaSmi, pci: Pci, host: Host) -> Iterator[Hit]:
    if not own_gpus(pci) and not host.wsl:
        return
    code = nvidia_smi.exit_code
    if code is None:
        yield Hit(
            subject="driver",
            variant="hangs",
            summary=message("nvidia-smi did not end and was stopped", "nvidia-smi 一直没有结束，已被中止"),
            because=cite("nvidia_smi.exit_code"),
        )
        return
    words = nvidia_smi.words
    if code != 0:
        yield Hit(
            subject="driver",
            summary=message(
                "nvidia-smi ended with code {code}: {words}",
                "nvidia-smi 以退出码 {code} 结束：{words}",
                code=code,
                words=_first_line(words),
            ),
            because=cite("nvidia_smi.exit_code", "nvidia_smi.words"),
        )
    elif not nvidia_smi.recognised and "NVIDIA" not in words:
        yield Hit(
            subject="driver",
            variant="shows-nothing",
            certainty=Certainty.LIKELY,
            summary=message(
                "nvidia-smi printed no table of GPUs: {words}",
                "nvidia-smi 没有打印 GPU 表：{words}",
                words=_first_line(words),
            ),
            because=cite("nvidia_smi.words", "nvidia_smi.recognised"),
        )


def _first_line(words: str) -> str:
    line = next((line.strip() for line in words.splitlines() if line.strip()), "-")
    return line[:SHOWN]
