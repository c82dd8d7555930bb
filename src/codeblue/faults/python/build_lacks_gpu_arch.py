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
Install a build that contains the architecture: for Blackwell (10.x, 12.x) the cu128 index or newer. codeblue
names the set that `codeblue matrix solve` finds with the smallest change for driver and GPU. For
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
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
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
    clues=(
        Clue(
            all=(
                r"RTX ?(?:PRO ?)?50[5-9]0|RTX PRO [2-6]000|\bsm_12[01]|\bsm12[01]|compute_?12[01]|"
                r"\bB200\b|\bB300\b|\bGB200\b|\bGB300\b|Blackwell|\bGB10\b|DGX Spark|50 系|50系",
                r"\bcu(?:11\d|12[1-6])\b|cuda(?:[_ -]?version| toolkit|[: =v])? ?(?:11\.\d|"
                r"12\.[0-6])\b|compiled for|built (?:with|for|against)|prebuilt|bundled|"
                r"torch:? ?=*(?:1\.\d+|2\.[0-6])\b|(?:does ?n[o']t|not) (?:yet )?support(?:ed)?|"
                r"不支持|release (?:too )?old",
                r"error|fail|cannot|can't|unable|not found|crash|abort|missing|unavailable|\bFalse\b|"
                r"invalid|undefined|no such|segfault|segmentation|not work|n't work|报错|错误|失败|"
                r"无法|不能|找不到|崩溃|不可用|用不了|起不来|falls? back|CPU|hang|slow|garbage|乱码",
            ),
            none=(
                r"NVRM",
                r"No devices were found",
                r"fallen off",
                r"RmInit",
                r"gpu-architecture",
                r"Unsupported gpu architecture",
                r"open kernel",
                r"nouveau",
                r"Could not find a version",
                r"is not defined for option",
                r"(?:not|n't) (?:see|detect).{0,20}nvidia-smi",
                r"dkms",
                r"PTX",
                r"NCCL WARN Cuda failure .{0,8}(?:invalid argument|named symbol)",
            ),
        ),
        Clue(
            all=(
                r"no kernel image|invalid device function|not compatible with the current",
                r"sm_\d+|compute capability|RTX|arch|TORCH_CUDA_ARCH_LIST|CMAKE_CUDA_ARCHITECTURES|" r"架构",
            ),
            none=(
                r"too old",
                r"GTX (?:[4-9]\d\d|10\d\d)",
                r"sm_[2356]\d\b|sm_70",
                r"Tesla [KMP]\d",
                r"\bV100\b",
                r"Titan (?:X|V)",
            ),
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
            r"CUDA capability sm_(?P<sm>7[5-9]|[89]\d|1\d\d)[af]?"
            r" is not compatible with the current PyTorch installation",
            Certainty.LIKELY,
        ),
        Signature(
            "which is of compute capability (CC)",
            r"Found GPU\d+ .* which is of compute capability \(CC\)"
            r" (?P<capability>7\.[5-9]|[89]\.\d|1\d\.\d)",
            Certainty.LIKELY,
        ),
        Signature(
            "invalid device function",
            r"(?:[Ee]rror|ERROR|cuda\w*|failure|code)[^a-z\n]{0,20}invalid device function",
            Certainty.LIKELY,
        ),
        Signature("device kernel image is invalid", r"device kernel image is invalid", Certainty.LIKELY),
        Signature(
            "has no device code compatible with CUDA arch", r"has no device code compatible with CUDA arch"
        ),
        Signature(
            "rch conditional MMA instruction", r"[Aa]rch conditional MMA instruction used without targeting"
        ),
        Signature("CUDA_ERROR_INVALID_IMAGE", r"CUDA_ERROR_INVALID_IMAGE", Certainty.LIKELY),
        Signature("was not compiled with any CUDA arch", r"was not compiled with any CUDA arch"),
        Signature("no kernel image is available", r"no kernel image is available", Certainty.LIKELY),
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
