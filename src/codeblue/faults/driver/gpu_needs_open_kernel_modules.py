"""
## What it means
The proprietary flavour of the kernel modules is loaded, but this GPU is only driven by the open flavour.
The driver loads, finds the GPU, refuses to initialise it, and `nvidia-smi` says "No devices were found".

## Why it happens
From Grace Hopper and Blackwell on NVIDIA supports the open kernel modules only. Packages with "-open" in
their name bring them; others bring the proprietary ones. Old playbooks, cloud images and habits install
the latter. Both flavours have the same version numbers, so nothing looks wrong until the kernel log is
read.

## When it is not a fault
Turing, Ampere, Ada and Hopper cards run with either flavour. Maxwell, Pascal and Volta need the
proprietary one: the same fault the other way round.

## What to do
Install the open flavour in the same version: `nvidia-driver-<branch>-open` or `nvidia-open` from
packages, `--kernel-module-type=open` with NVIDIA's installer, and reboot. `cat
/proc/driver/nvidia/version` must then say "Open Kernel Module".

## How safe the fix is
The GPU does not work at present, so no job is disturbed. Remove the proprietary module package in the
same step; the two exclude each other.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.words import GPU_UNUSABLE, NVIDIA_SMI_FAILS
from codeblue.knowledge.gpus import gpu_of_device
from codeblue.model.facts import Cuda, Driver, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NO_DEVICE = 100

OPEN_FLAVOUR = Remedy(
    message("install the open kernel modules of the same version", "安装同一版本的开源内核模块"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "replace the module package by its -open counterpart of the same version",
                "把模块软件包换成同版本的 -open 包",
            ),
        ),
        Step(Verb.REBOOT, message("the other flavour is loaded", "另一种模块正加载着")),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "gpu-needs-open-kernel-modules",
    title=Text("The GPU needs the open NVIDIA kernel modules", "该 GPU 需要开源的 NVIDIA 内核模块"),
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
            "NVIDIA driver installation guide, kernel modules",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/kernel-modules.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "NVIDIA open kernel modules",
            r"in this system requires use of (the )?NVIDIA open kernel modules",
        ),
        Signature(
            "NVIDIA open kernel module",
            (
                "requires use of (?:the )?NVIDIA open kernel modules"
                "|NVIDIA open kernel modules? (?:is|are) required"
            ),
        ),
        Signature(
            "kernel module",
            (
                "requires? (?:the )?(?:use of )?(?:the )?(?:NVIDIA |nvidia )?open(?:-source)? "
                "(?:gpu )?kernel module"
            ),
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"RTX ?(?:PRO )?50[5-9]0|RTX PRO \d+|\bB100\b|\bB200\b|\bB300\b|GB200|GB300|GH200"
                r"|GB10\b|Blackwell|RTX 50[ -]series|50 ?系列|50 ?系显卡|Grace Hopper",
                r"proprietary|closed[- ]source|non-?open|nvidia-open|-open\b"
                "|open (?:GPU )?(?:kernel )?(?:modules?|driver|flavou?r|variant)|cuda-drivers|MIT/GPL"
                "|NVIDIA Proprietary|闭源|开源(?:内核)?(?:驱动|模块)|专有|M=kernel",
                NVIDIA_SMI_FAILS + "|" + GPU_UNUSABLE + "|RmInitAdapter|rm_init_adapter|probe routine",
            ),
            none=(r"CUDA_ERROR_NOT_INIT|cuInit|HMM\b|Resizable|Above 4G|GSP-FMC|eGPU|external",),
        ),
        Clue(
            all=(
                r"RmInitAdapter failed! \(0x22:0x56",
                r"RTX ?(?:PRO )?50[5-9]0|Blackwell|10de:2[bc]|\bB100\b|\bB200\b|\bB300\b|GB20",
            ),
            none=(r"open kernel|-open\b|Resizable|4G dec",),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    remedy=OPEN_FLAVOUR,
    next_command="cat /proc/driver/nvidia/version; sudo dmesg | grep -i 'open kernel modules'",
)
def gpu_needs_open_kernel_modules(driver: Driver, pci: Pci, cuda: Cuda | None = None) -> Iterator[Hit]:
    if driver.flavour != "proprietary" or (cuda and cuda.init == 0):
        return
    for address in own_gpus(pci):
        function = pci.functions[address]
        gpu = gpu_of_device(function.device)
        if cuda is None and function.driver is not None:
            continue
        if gpu is not None and gpu["open_modules"] == "required":
            yield Hit(
                subject="driver",
                certainty=Certainty.CERTAIN if cuda and cuda.init == NO_DEVICE else Certainty.LIKELY,
                summary=message(
                    "{gpu} at {address} is not driven by the proprietary modules {version}",
                    "位于 {address} 的 {gpu} 不受专有模块 {version} 支持",
                    gpu=gpu["name"],
                    address=address,
                    version=driver.module_version,
                ),
                because=cite(
                    "driver.flavour",
                    f"pci.functions[{address}].device",
                    "cuda.init" if cuda else f"pci.functions[{address}].driver",
                ),
            )
            return
