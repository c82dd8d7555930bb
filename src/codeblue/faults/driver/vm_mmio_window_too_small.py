"""
## What it means
In this virtual machine a memory region (BAR) of a passed-through GPU got no address, so the guest's
driver could not start it: "This PCI I/O region assigned to your NVIDIA device is invalid", "BAR0 is
0M". Often some of the GPUs work and the rest do not.

## Why it happens
The virtual machine's 64-bit memory window is too small for the sum of the GPUs' regions. A data-centre
GPU wants a region as large as its memory, rounded up to a power of two: 128 GB for an 80 GB card. Guest
firmware plans for 32 GB unless it is told otherwise, or looks at a small number of physical address
bits.

## When it is not a fault
If the GPU works in the guest, the reported region is one that the driver can do without. On bare metal
the same words point to the machine's firmware (see `bios-above-4g-decoding-disabled`).

## What to do
It is set on the host, not in the guest. QEMU with OVMF: `-fw_cfg name=opt/ovmf/X-PciMmio64Mb,string=N`
with N megabytes above the sum of all regions, and `-cpu host,host-phys-bits=on`. libvirt: the same
through `qemu:commandline`. Q35 with SeaBIOS: raise `pci-hole64-size`. VMware:
`pciPassthru.use64bitMMIO=TRUE` and `pciPassthru.64bitMMIOSizeGB`. Then stop the machine fully and start
it again; a reboot inside the guest does not apply it.

## How safe the fix is
Only this virtual machine is touched, and the setting can be taken back. The guest is down for a moment.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.invalid_bars import invalid_bars
from codeblue.faults.words import NO_GPU, VIRTUAL_MACHINE
from codeblue.model.facts import Host, KernelLog, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ENLARGE = Remedy(
    message("enlarge the 64-bit memory window of the virtual machine", "增大虚拟机的 64 位内存窗口"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "on the host set the window above the sum of all GPU regions (OVMF: opt/ovmf/X-PciMmio64Mb), "
                "then stop and start the virtual machine",
                "在宿主机上把窗口设为大于所有 GPU 区域之和（OVMF：opt/ovmf/X-PciMmio64Mb），"
                "然后关闭并重新启动虚拟机",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "vm-mmio-window-too-small",
    title=Text("The virtual machine has no address space for the GPU", "虚拟机没有足够的地址空间容纳 GPU"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "no-nvidia-gpu",
    ),
    references=(
        Reference(
            "LXD, issue 14381: several GPUs in one virtual machine",
            "https://github.com/canonical/lxd/issues/14381",
            "2026-11-30",
        ),
        Reference(
            "EDK2 OVMF, PlatformInitLib: X-PciMmio64Mb",
            "https://github.com/tianocore/edk2/blob/master/OvmfPkg/Library/PlatformInitLib/MemDetect.c",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVRM: BAR0 is 0M", r"NVRM: BAR0 is 0M @ 0x0", Certainty.LIKELY),
        Signature("NVRM: BAR", r"NVRM: BAR[1-5] is 0M @ 0x0", Certainty.POSSIBLE),
    ),
    clues=(
        Clue(
            all=(
                r"\bBARs?\b|\bBAR[0-6]|PCI I/O region|MMIO|RmInitAdapter|rm_init_adapter|no space for"
                "|can't assign|64-?bit window|pci-hole64|X-PciMmio64Mb|probe routine failed"
                "|memory-mapped I/O",
                VIRTUAL_MACHINE,
                "BAR|PCI|MMIO|RmInitAdapter|NVRM|rm_init|NVIDIA",
            ),
            none=(r"wsl|WSL|GPU-P\b|dxgkrnl|TCC\b|BAR1 Memory Usage",),
        ),
        Clue(
            all=(
                VIRTUAL_MACHINE,
                "MMIO|pci-hole64|64bitMMIO|PciMmio64|phys-bits|large BAR|address space|地址空间|地址窗口",
                NO_GPU + r"|only (?:one|\d) (?:of|work|GPU)|one works|GPUs?|显卡",
            ),
            none=("WSL|wsl",),
        ),
    ),
    remedy=ENLARGE,
    next_command="systemd-detect-virt; sudo lspci -vv -d 10de: | grep -E '^[0-9a-f]|Region'",
)
def vm_mmio_window_too_small(host: Host, kernel_log: KernelLog, pci: Pci | None = None) -> Iterator[Hit]:
    if host.hypervisor is None:
        return
    for bar in invalid_bars(kernel_log, pci):
        yield Hit(
            subject=f"gpu:{bar.gpu}",
            certainty=Certainty.LIKELY,
            summary=message(
                "region {number} of the GPU at {gpu} got no address in this virtual machine",
                "在此虚拟机中，位于 {gpu} 的 GPU 的区域 {number} 没有分到地址",
                number=bar.number,
                gpu=bar.gpu,
            ),
            because=cite(f"kernel_log.lines[{bar.position}].text", "host.hypervisor"),
        )
