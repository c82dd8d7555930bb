"""
## What it means
Something here expects an NVIDIA GPU (the driver is loaded or installed, or a variable asks for one),
but the PCI bus shows none. No driver, toolkit or wheel can help as long as the machine does not see the
card.

## Why it happens
The machine never had one: a cloud instance of the wrong type, a login node, a laptop with integrated
graphics. Or it has one that is switched off: disabled in the firmware setup, turned off by a laptop's
graphics mode, not seated, not powered, or not passed through to this virtual machine.

## When it is not a fault
A CPU-only machine needs no GPU; without a sign that one is expected nothing is said. CUDA images set
`NVIDIA_VISIBLE_DEVICES=all` on their own and driver packages are often part of a common disk image, so
these two alone only make it possible. WSL2 has no NVIDIA function on its bus although the GPU works;
Jetson boards neither.

## What to do
Run `lspci -nn -d 10de:`. In a cloud or a cluster check the instance type or the job's GPU request; in a
virtual machine the host's passthrough; on your own machine the firmware setup, seating and power. In
WSL2 install the driver in Windows, not in Linux. If the machine is meant to be CPU-only, unset the
variable.

## How safe the fix is
Looking changes nothing. Choosing another machine or instance touches nothing here.
"""

import re
from collections.abc import Iterator

from codeblue.faults.words import NO_GPU
from codeblue.model.facts import Container, Cuda, Driver, Environment, Host, KernelModules, Loader, Nvml, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NAMED_GPUS = re.compile(r"\d|GPU-|MIG-")
NO_GPUS = ("", "void", "none")

FIND = Remedy(
    message(
        "use a machine that has a GPU, or make this one show it",
        "换一台有 GPU 的机器，或让这台机器识别出它的 GPU",
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "check instance type, job request, passthrough, firmware, seating, power, in this order",
                "依次检查实例类型、任务的 GPU 申请、直通设置、固件设置、插接和供电",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "no-nvidia-gpu",
    title=Text("The machine shows no NVIDIA GPU", "机器上没有 NVIDIA GPU"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "gpu-count-unexpected",
        "container-toolkit-missing",
        "container-started-without-nvidia-runtime",
        "toolkit-finds-no-driver-library",
        "nvidia-module-not-loaded",
        "libcuda-not-found",
        "driver-module-missing-for-running-kernel",
        "device-node-missing",
    ),
    references=(
        Reference(
            "CUDA installation guide for Linux, verify that you have a CUDA-capable GPU",
            "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA container toolkit, NVIDIA_VISIBLE_DEVICES",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        # The module also says so about GPUs that its branch no longer drives.
        Signature("NVRM: No NVIDIA", r"NVRM: No NVIDIA (GPU|graphics adapter) found", Certainty.POSSIBLE),
    ),
    clues=(
        Clue(
            all=(
                "(?:VGA compatible controller|Display controller|3D controller).*(?:Intel|AMD|ATI"
                "|ASPEED|Matrox|Red Hat|Cirrus|VMware|Amazon|Microsoft|virtio)|lspci",
                "(?:VGA compatible controller|Display controller|3D controller).*(?:Intel|AMD|ATI"
                "|ASPEED|Matrox|Red Hat|Cirrus|VMware|Amazon|Microsoft|virtio)",
                NO_GPU + "|nvidia-container-cli|could not select device driver|libcuda|libnvidia-ml|nvidia",
            ),
            none=(
                "(?:controller.*|10de|gpu: .*)NVIDIA|10de:|gpu: .*(?:RTX|GTX|Tesla|A100|H100|GeForce"
                "|Quadro)|nouveau",
            ),
        ),
        Clue(
            all=(
                r"(?:only|just)\b.{0,30}(?:integrated|Intel (?:UHD|HD|Iris|graphics)|AMD|Radeon"
                r"|onboard)|integrated (?:Intel|graphics|GPU)|Intel (?:UHD|HD|Iris)|\bIris Xe|Radeon"
                r"|\biGPU\b|(?:no|without an?|not have an?|hasn't an?) (?:NVIDIA|dedicated"
                "|discrete) (?:GPU|card|graphics|device|hardware)|CPU[- ]only (?:machine|server"
                "|instance|node|host|VM)|instance (?:type )?(?:has no|without).{0,12}GPU|AMD GPU"
                r"|Apple (?:M\d|silicon)|MacBook|核显|集显|集成显卡|没有(?:独立|英伟达|NVIDIA"
                r"|独)?\s*(?:NVIDIA|英伟达)?\s*(?:显卡|GPU|独显)|A 卡",
                NO_GPU + "|nvidia-container-cli|could not select device driver|libcuda|libnvidia-ml"
                "|nvidia-docker|--gpus",
            ),
            none=(
                "gpu: .*(?:RTX|GTX|Tesla|A100|H100|GeForce|Quadro)|prime-select|NVIDIA GeForce"
                r"|\bOptimus\b|on-demand|hybrid|eGPU|Driver Version:|nouveau|双显卡",
            ),
        ),
    ),
    remedy=FIND,
    next_command="lspci -nn -d 10de:",
)
def no_nvidia_gpu(
    host: Host,
    pci: Pci,
    modules: KernelModules,
    driver: Driver | None,
    environment: Environment,
    container: Container | None,
    loader: Loader,
    cuda: Cuda | None,
    nvml: Nvml | None = None,
) -> Iterator[Hit]:
    if pci.nvidia_gpus or "tegra" in host.kernel or works(cuda, nvml):
        return
    # Under WSL the bus never shows the GPU: libcuda comes from Windows, into a container with the GPU.
    if host.wsl and (container or loader.libcuda_copies):
        return
    if driver and driver.gpus:
        return
    signs = expectations(modules, driver, environment.variables)
    if signs:
        yield Hit(
            subject="host",
            certainty=Certainty.LIKELY if any(strong for _, strong in signs) else Certainty.POSSIBLE,
            summary=message(
                "no NVIDIA GPU is on the PCI bus, but {sign} expects one",
                "PCI 总线上没有 NVIDIA GPU，但 {sign} 表明需要 GPU",
                sign=signs[0][0],
            ),
            because=cite("pci.nvidia_gpus", *(path for path, _ in signs)),
        )


def works(cuda: Cuda | None, nvml: Nvml | None) -> bool:
    """True if NVIDIA's libraries see a GPU, whatever the bus shows."""
    if cuda and cuda.init == 0 and cuda.count:
        return True
    return bool(nvml and nvml.init == 0 and nvml.count)


def expectations(
    modules: KernelModules, driver: Driver | None, variables: dict[str, str]
) -> list[tuple[str, bool]]:
    """Return the facts that show that a GPU is expected, and whether somebody must have meant it."""
    signs: list[tuple[str, bool]] = []
    if NAMED_GPUS.match(variables.get("CUDA_VISIBLE_DEVICES", "")):
        signs.append(("environment[CUDA_VISIBLE_DEVICES]", True))
    asked = variables.get("NVIDIA_VISIBLE_DEVICES", "").lower()
    if asked not in NO_GPUS:
        signs.append(("environment[NVIDIA_VISIBLE_DEVICES]", asked != "all"))
    if driver:
        signs.append(("driver.module_version", True))
    elif "nvidia" in modules.loaded:
        signs.append(("modules[nvidia].size", True))
    elif modules.on_disk:
        signs.append(("modules.on_disk", False))
    return signs
