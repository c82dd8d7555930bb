"""
## What it means
The firmware gave a memory region (BAR) of the GPU no address, so the driver could not start the card:
the log says "This PCI I/O region assigned to your NVIDIA device is invalid" and "BAR1 is 0M". The card
shows in `lspci` and is missing in `nvidia-smi`.

## Why it happens
Large regions only fit above the 4 GB border. "Above 4G Decoding" (also "Memory Mapped I/O above 4 GB",
"64-bit BAR") is off in the firmware setup, the firmware is too old, or its window is too small for this
many cards. Compatibility mode (CSM) switches it off as well. Behind Thunderbolt the window of the port
may be too small.

## When it is not a fault
The driver also reports regions that it can do without; if the GPU works, nothing is wrong. In a virtual
machine the same words mean that the machine's own window is too small (see `vm-mmio-window-too-small`).

## What to do
Enable "Above 4G Decoding", and "Resizable BAR" if offered, in the firmware setup; switch CSM off;
update the firmware. If the server offers a size or base for the window (MMIOH), choose a larger one. As
a way around, the kernel parameter `pci=realloc` (on some boards `pci=realloc=off`) lets Linux place the
regions anew.

## How safe the fix is
A firmware setting needs a reboot and can be set back. Switching CSM off can keep a machine that was
installed in BIOS mode from booting: check for `/sys/firmware/efi` first.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.invalid_bars import invalid_bars
from codeblue.faults.words import GPU_UNUSABLE, NVIDIA_SMI_FAILS, VIRTUAL_MACHINE
from codeblue.model.facts import Host, KernelLog, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ENABLE = Remedy(
    message("enable Above 4G Decoding in the firmware setup", "在固件设置中启用 Above 4G Decoding"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "enable Above 4G Decoding and Resizable BAR, switch CSM off, update the firmware, reboot",
                "启用 Above 4G Decoding 和 Resizable BAR，关闭 CSM，更新固件，然后重启",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "bios-above-4g-decoding-disabled",
    title=Text("The firmware gave a GPU memory region no address", "固件没有为 GPU 的内存区域分配地址"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "nvml-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "NVIDIA open kernel modules, probe of the PCI regions",
            "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv-pci.c",
            "2026-11-30",
        ),
        Reference(
            "Dunedan/mbp-2016-linux#60: GPU behind Thunderbolt, BAR1 is 0M",
            "https://github.com/Dunedan/mbp-2016-linux/issues/60",
            "2026-11-30",
        ),
    ),
    signatures=(
        # The small register region, BAR 0, always fits below 4 GB on a board: there it is less likely.
        Signature("NVRM: BAR0 is 0M", r"NVRM: BAR0 is 0M @ 0x0", Certainty.POSSIBLE),
        Signature("NVRM: BAR", r"NVRM: BAR[1-5] is 0M @ 0x0", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"NVRM: BAR[1-5] is 0M|BAR ?[0-5]\b.{0,40}64bit pref.{0,30}(?:no space"
                "|failed to assign|can't assign)",
                "NVRM|10de|NVIDIA|nvidia",
            ),
            none=(VIRTUAL_MACHINE,),
        ),
        Clue(
            all=(
                r"RmInitAdapter failed|rm_init_adapter failed|PCI I/O region|BAR ?[0-6]\b|"
                + NVIDIA_SMI_FAILS
                + "|"
                + GPU_UNUSABLE,
                r"above[- ]?4G|4G (?:decoding|decode)|resizable[- ]?bar|\bReBAR\b|\bCSM\b|64-bit BAR"
                "|MMIOH|pci=realloc|4G 以上|大于 4G",
            ),
            none=(VIRTUAL_MACHINE,),
        ),
        Clue(
            all=(
                r"RmInitAdapter failed! \(0x22:0x56",
                "RTX ?(?:PRO )?50[5-9]0|10de:2[bc]|Blackwell",
            ),
            none=(
                VIRTUAL_MACHINE,
                r"\bopen\b|proprietary|nvidia-driver-\d",
            ),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    remedy=ENABLE,
    next_command="systemd-detect-virt; sudo lspci -vv -d 10de: | grep -E '^[0-9a-f]|Region'",
)
def bios_above_4g_decoding_disabled(
    host: Host, kernel_log: KernelLog, pci: Pci | None = None
) -> Iterator[Hit]:
    if host.hypervisor is not None:
        return
    for bar in invalid_bars(kernel_log, pci):
        yield Hit(
            subject=f"gpu:{bar.gpu}",
            certainty=Certainty.LIKELY,
            summary=message(
                "region {number} of the GPU at {gpu} got no address from the firmware",
                "固件没有为位于 {gpu} 的 GPU 的区域 {number} 分配地址",
                number=bar.number,
                gpu=bar.gpu,
            ),
            because=cite(f"kernel_log.lines[{bar.position}].text", "host.hypervisor"),
        )
