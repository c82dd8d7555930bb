"""
## What it means
The installed driver branch no longer supports this GPU. The module looks at the GPU, writes into the
kernel log that it will ignore it, and names the older branch that still drives it.

## Why it happens
Branches drop old generations: Kepler ended with 470; Maxwell, Pascal and Volta ended with 580. An update
to the newest branch, by hand or by a rolling distribution, then switches such a card off. The hardware
is fine.

## When it is not a fault
In a machine with another, supported GPU the line may concern an old display card only; as long as a GPU
is bound to the NVIDIA driver this is not reported. A GPU that is too *new* for its driver is another
matter: then a newer branch is needed.

## What to do
Install the branch that the kernel log names, such as `nvidia-driver-580`, and hold it. Mind the
consequence for CUDA: a branch ends with a CUDA version, so that for 580 the newest is 13.0, and builds
of PyTorch for newer GPUs may have no code for the old card.

## How safe the fix is
The GPU does not work at present, so no job is disturbed. Purge the newer branch first, so that its
libraries do not stay beside the older module.
"""

import re
from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import driven_by, own_gpus
from codeblue.faults.words import GPU_UNUSABLE, NVIDIA_SMI_FAILS
from codeblue.model.facts import KernelLog, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

LEGACY = re.compile(r"supported through the NVIDIA (\d+)\.\S+ Legacy drivers")

OLDER_BRANCH = Remedy(
    message("install the older driver branch and hold it", "安装较旧的驱动分支并锁定它"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "purge the installed driver, install the branch that the kernel log names, hold its packages",
                "清除已安装的驱动，安装内核日志所说的分支，并锁定其软件包",
            ),
        ),
        Step(Verb.REBOOT, message("load the older module", "加载较旧的模块")),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "gpu-needs-legacy-driver-branch",
    title=Text("The GPU needs an older driver branch", "该 GPU 需要较旧的驱动分支"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "no-nvidia-gpu",
        "nvidia-module-not-loaded",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "driver-module-missing-for-running-kernel",
        "device-node-missing",
    ),
    references=(
        Reference(
            "NVIDIA: supported drivers and CUDA toolkit versions",
            "https://docs.nvidia.com/datacenter/tesla/drivers/supported-drivers-and-cuda-toolkit-versions.html",
            "2026-11-30",
        ),
        Reference("NVIDIA Unix drivers", "https://www.nvidia.com/en-us/drivers/unix/", "2026-11-30"),
    ),
    signatures=(
        Signature("Legacy drivers", r"supported through the NVIDIA (?P<branch>\d+)\.\S+ Legacy drivers"),
        Signature("will ignore", "NVIDIA driver will ignore", Certainty.LIKELY),
        Signature("Legacy drivers", r"(?P<branch>\d{3})\.xx Legacy drivers", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"\bK10\b|\bK20|\bK40|\bK80\b|GTX [4-9]\d\d|GTX[4-9]\d\d|GT [4-7]\d\d|GT710|GT610"
                r"|GTX ?Titan\b|\bM40\b|\bM60\b|Quadro [KM]\d+|Tesla K\d+|Tesla M\d+|Kepler|Fermi\b"
                r"|Maxwell|Pascal|Volta|GTX ?10[5-8]0|\bP100\b|\bP40\b|\bV100\b|GRID K\d|\bK20X",
                r"(?:no longer|not|dropped|drops|un|removed|stopp\w+|ended).{0,12}support|legacy"
                "|last (?:branch|driver|release)|older (?:branch|driver|series)"
                r"|downgrad\w*.{0,40}(?:works|help|fix)|(?:390|418|470|535|580)(?:xx"
                r"|\.xx)?.{0,25}(?:works|fine|ok\b|supports)|老显卡|老卡|不再支持|不支持.{0,8}(?:老|旧"
                "|该|这)|降级.{0,8}驱动|旧版?驱动.{0,6}(?:可以|正常|能)",
                NVIDIA_SMI_FAILS + "|" + GPU_UNUSABLE + "|will ignore|probe routine failed|RmInitAdapter|RTX",
            ),
            none=(
                r"no kernel image|sm_\d\d|PyTorch.{0,30}support|torch.{0,30}no longer|CUDA capability"
                "|compute capability|tensorflow|Thermal|ELF|dkms|build",
            ),
        ),
        Clue(
            all=(
                r"gpu: .*(?:\bK[1248]0|GT[X]? ?[4-7]\d\d|GTX ?9\d0|GTX ?10[5-8]0|TITAN X|Quadro [KM]"
                "|Kepler|Maxwell|Pascal)",
                r"driver: .*(?:59\d|6\d\d)|Driver Version: (?:59\d|6\d\d)|nvidia-driver-(?:59|6)\d",
                NVIDIA_SMI_FAILS + "|" + GPU_UNUSABLE + "|probe",
            ),
        ),
        Clue(
            all=(
                r"gpu: .*(?:\bK[1248]0|GT[X]? ?[4-7]\d\d|Kepler)",
                r"driver: .*(?:4[89]\d|5\d\d)|nvidia-driver-(?:49|5)\d",
                NVIDIA_SMI_FAILS + "|" + GPU_UNUSABLE + "|probe",
            ),
            none=("GTX ?7[45]0|no kernel image",),
        ),
    ),
    remedy=OLDER_BRANCH,
    next_command="sudo dmesg | grep -A6 -i 'installed in this system is'; lspci -nn -d 10de:",
)
def gpu_needs_legacy_driver_branch(kernel_log: KernelLog, pci: Pci) -> Iterator[Hit]:
    if not own_gpus(pci) or driven_by(pci, "nvidia"):
        return
    for position, line in enumerate(kernel_log.lines):
        found = LEGACY.search(line.text)
        if found:
            yield Hit(
                subject="driver",
                summary=message(
                    "the loaded driver ignores this GPU; branch {branch} still supports it",
                    "加载的驱动忽略这块 GPU；{branch} 分支仍支持它",
                    branch=found[1],
                ),
                because=cite(f"kernel_log.lines[{position}].text", "pci.nvidia_gpus"),
            )
            return
