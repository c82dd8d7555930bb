"""
## What it means
The program contains no code for this GPU's architecture. CUDA starts, memory can be allocated, and the
first kernel fails with error 209, "no kernel image is available for execution on the device".

## Why it happens
The GPU is newer than the build (an RTX 50 card with wheels made for CUDA 12.6 or older), or the build
was compiled for a choice of architectures that leaves this one out. Machine code runs only on GPUs of
the same major capability with an equal or higher minor: `sm_86` runs on 8.9, `sm_90` does not run on
12.0. Embedded parts need code of their own. Extensions such as flash-attn are compiled separately and
can lack the GPU although torch has it: look which library the traceback ends in.

## When it is not a fault
torch's warning "is not compatible" alone is not proof: if the build carries PTX, the driver compiles
it. If a small computation works, nothing is wrong.

## What to do
Install a build that contains the architecture: for Blackwell (10.x, 12.x) the cu128 index or newer. For
your own extension set `TORCH_CUDA_ARCH_LIST` to the capability of the GPU and compile again; images
often preset it.

## How safe the fix is
It replaces packages of one environment. Check that the driver is new enough for the CUDA of the new
build, and note the old versions.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.python.torch_wheel import cuda_build
from codeblue.faults.told import gpus_told
from codeblue.knowledge.architectures import parsed, runs, too_old
from codeblue.knowledge.gpus import gpu_named
from codeblue.knowledge.wheels import official_targets
from codeblue.model.facts import Driver, Host, Nvml, Python, Torch, TorchTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

NO_IMAGE = "no kernel image is available"


@fault(
    "build-lacks-gpu-arch",
    title=Text("The build has no code for this GPU", "这个构建没有该 GPU 的代码"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-kernel-failed",),
    references=(
        Reference(
            "CUDA programming guide: the CUDA platform, binary compatibility",
            "https://docs.nvidia.com/cuda/cuda-programming-guide/01-introduction/cuda-platform.html#binary-compatibility",
            "2026-11-30",
        ),
        Reference(
            "Blackwell compatibility guide",
            "https://docs.nvidia.com/cuda/blackwell-compatibility-guide/index.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "no kernel image is available for execution on the device",
            r"no kernel image is available for execution on the device",
        ),
        Signature("CUDA_ERROR_NO_BINARY_FOR_GPU", r"CUDA_ERROR_NO_BINARY_FOR_GPU"),
        Signature("cudaErrorNoKernelImageForDevice", r"cudaErrorNoKernelImageForDevice"),
        Signature("CUDA error 209", r"CUDA error 209\b"),
        Signature(
            "is not compatible with the current PyTorch installation",
            r"CUDA capability sm_(?P<sm>7[5-9]|[89]\d|1\d\d)[af]? is not compatible with the current PyTorch",
            Certainty.LIKELY,
        ),
        Signature(
            "which is of compute capability (CC)",
            r"Found GPU\d+ .* compute capability \(CC\) (?P<capability>7\.[5-9]|[89]\.\d|1\d\.\d)",
            Certainty.LIKELY,
        ),
    ),
    remedy=Remedy(
        message("use a build that has code for this GPU", "换用含有该 GPU 代码的构建"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "install a release built for this GPU's compute capability; rebuild your own extensions "
                    "with it in TORCH_CUDA_ARCH_LIST or -gencode",
                    "安装为该 GPU 计算能力构建的版本；自己的扩展要在 TORCH_CUDA_ARCH_LIST 或 -gencode "
                    "中加上它并重新编译",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command=(
        "python -c 'import torch; print(torch.cuda.get_device_capability(), torch.cuda.get_arch_list())'"
    ),
)
def build_lacks_gpu_arch(
    torch: Torch,
    trial: TorchTrial | Unread = UNREAD,
    python: Python | Unread = UNREAD,
    host: Host | Unread = UNREAD,
    driver: Driver | None = None,
    *,
    nvml: Nvml | None = None,
) -> Iterator[Hit]:
    if not was_read(torch, "location"):
        yield from _by_name(torch, nvml)
        return
    if isinstance(trial, UnsetType) or isinstance(python, UnsetType) or isinstance(host, UnsetType):
        return
    targets = trial.arch_list
    if trial.cuda is None or not parsed(targets):
        return
    for index, device in trial.devices.items():
        no_image = NO_IMAGE in (device.error or "")
        if device.ok or too_old(device.capability, targets):
            continue
        if runs(device.capability, targets) and not no_image:
            continue
        yield Hit(
            subject=f"gpu:{index}",
            summary=message(
                "{name} needs code for {capability}; torch {version} has {targets}",
                "{name} 需要 {capability} 的代码，而 torch {version} 只有 {targets}",
                name=device.name,
                capability=device.capability,
                version=torch.version,
                targets=" ".join(targets),
            ),
            because=cite(
                f"torch_trial[{index}].capability", "torch_trial.arch_list", f"torch_trial[{index}].error"
            ),
            certainty=Certainty.CERTAIN if no_image else Certainty.LIKELY,
            remedy=cuda_build(python, torch, host, driver, [device.capability]),
        )


def _by_name(torch: Torch, nvml: Nvml | None) -> Iterator[Hit]:
    """Judge an official release and the GPUs that a text names."""
    targets = official_targets(torch.version, torch.cuda if was_read(torch, "cuda") else None)
    for index, gpu in gpus_told(nvml).items() if targets else ():
        row = gpu_named(gpu.name) if was_read(gpu, "name") else None
        if row is None or too_old(row["cc"], targets) or runs(row["cc"], targets):
            continue
        yield Hit(
            subject=f"gpu:{index}",
            certainty=Certainty.LIKELY,
            summary=message(
                "{name} needs code for {capability}; torch {version} has {targets}",
                "{name} 需要 {capability} 的代码，而 torch {version} 只有 {targets}",
                name=gpu.name,
                capability=row["cc"],
                version=torch.version,
                targets=" ".join(targets),
            ),
            because=cite(f"nvml[{index}].name", "torch.version"),
        )
