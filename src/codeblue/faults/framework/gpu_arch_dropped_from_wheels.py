"""
## What it means
The GPU is older than everything this build of torch was compiled for. torch imports, sees the GPU and
may even say that CUDA is available; the first kernel then fails with "no kernel image is available".

## Why it happens
Each CUDA toolkit drops the oldest architectures, and the wheels drop some earlier to stay small: Kepler
went with CUDA 12, Maxwell, Pascal and Volta are missing in the CUDA 13 wheels and in some of CUDA 12.8.
An upgrade of torch, often as a dependency of something else, then leaves the card behind.

## When it is not a fault
When the old card only drives the screen and another GPU does the work: hide it with
`CUDA_VISIBLE_DEVICES`.

## What to do
Take the same torch version from the index of an older CUDA: up to 2.14 the cu126 wheels contain Maxwell
to Hopper. For cards before Maxwell no current release exists: stay with an old torch or compile it. The
driver branch has to support the card too; 580 is the last one for Maxwell, Pascal and Volta.

## How safe the fix is
It replaces packages of one Python environment. Note the installed versions first; stop the jobs that
use the environment.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.python.torch_wheel import cuda_build
from codeblue.faults.told import gpus_told
from codeblue.knowledge.architectures import parsed, too_old
from codeblue.knowledge.gpus import gpu_named
from codeblue.knowledge.wheels import official_targets
from codeblue.model.facts import Driver, Host, Nvml, Python, Torch, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message


@fault(
    "gpu-arch-dropped-from-wheels",
    title=Text("This build of torch no longer supports the old GPU", "这个 torch 构建不再支持这块老 GPU"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("build-lacks-gpu-arch", "gpu-kernel-failed"),
    references=(
        Reference(
            "PyTorch: RELEASE.md, release compatibility matrix",
            "https://github.com/pytorch/pytorch/blob/main/RELEASE.md",
            "2026-11-30",
        ),
        Reference(
            "CUDA toolkit, driver and architecture matrix",
            "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"no kernel image|invalid device function|not compatible with the current|"
                r"no longer support|dropped support|unsupported gpu|too old|does not support|"
                r"not supported|device kernel image|ignoring visible|no binary for|不再支持|太老|太旧|"
                r"不支持",
                r"\bGTX (?:[4-9]\d\d|10\d\d)|\bGT \d{3,4}|Tesla (?:[KMPC]\d+)|\bP100\b|\bP40\b|"
                r"\bK80\b|\bM60\b|\bM40\b|\bK40\b|Titan (?:X|Xp|V|Black)\b|Quadro (?:[KMP]\d+|\d000)|"
                r"\bV100\b|Pascal|Maxwell|Kepler|Fermi|Volta\b|"
                # A list of sm_ is what a build has; only the card's own counts.
                r"(?:capability|card|GPU|device|needs?|for|is|on|架构|卡)\W{1,3}(?:is |an? )?"
                r"sm_(?:[2356]\d|70)\b|"
                r"(?:compute )?capability:? ?(?:of )?(?:[2356]\.\d|7\.0)\b|MX1[135]0|1080 ?Ti|10 系",
                r"torch|tensorflow|jax|vllm|ollama|wheel|cuda ?1[1-3]|cu1[123]\d|binary|binaries|pip|"
                r"conda|kernel image",
            ),
            none=(
                r"triton|inductor",
                r"\bNVRM",
                r"legacy",
                r"nvidia-smi has failed",
                r"driver branch",
                r"(?:470|390|340)\.\d\d",
                r"bfloat16|bf16",
                r"flash[-_ ]?att",
                r"RTX 50|RTX PRO|\bsm_1[02]\d|Blackwell|\bB200",
            ),
        ),
    ),
    signatures=(
        Signature(
            "no longer supports this GPU because it is too old",
            r"no longer supports this GPU because it is too old",
        ),
        Signature(
            "is not compatible with the current PyTorch installation",
            r"CUDA capability sm_(?P<sm>[2356]\d|7[0-4])"
            r" is not compatible with the current PyTorch installation",
            Certainty.LIKELY,
        ),
        Signature(
            "which is of compute capability (CC)",
            r"Found GPU\d+ .* which is of compute capability \(CC\) (?P<capability>[2356]\.\d|7\.[0-4])",
            Certainty.LIKELY,
        ),
        Signature(
            "Ignoring visible gpu device",
            r"Ignoring visible gpu device .*(?:minimum required Cuda capability|" r"compute capability)",
        ),
        Signature(
            "nsupported gpu architecture",
            r"[Uu]nsupported gpu architecture '(?:compute|sm)_(?:[1-6]\d|7[0-2])'",
            Certainty.LIKELY,
        ),
        Signature(
            "compute capability",
            r"(?:GPUs?|devices?) with (?:CUDA )?compute capability (?:below|less than|lower than|"
            r"under|<) ?\d\.\d",
            Certainty.LIKELY,
        ),
        Signature(
            "inimum",
            r"[Mm]inimum (?:required )?(?:CUDA|Cuda|"
            r"compute) capability (?:supported by this library )?(?:is|for)",
            Certainty.LIKELY,
        ),
        Signature(" is too old", r"(?:GPU|[Cc]ard) is too old", Certainty.LIKELY),
    ),
)
def gpu_arch_dropped_from_wheels(
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
    if trial.cuda is None:
        return
    for index, device in trial.devices.items():
        if device.ok or not too_old(device.capability, trial.arch_list):
            continue
        yield Hit(
            subject=f"gpu:{index}",
            summary=message(
                "{name} has compute capability {capability}; torch {version} starts at {oldest}",
                "{name} 的计算能力是 {capability}，而 torch {version} 从 {oldest} 起支持",
                name=device.name,
                capability=device.capability,
                version=torch.version,
                oldest=_oldest(trial.arch_list),
            ),
            because=cite(
                f"torch_trial[{index}].capability", "torch_trial.arch_list", f"torch_trial[{index}].error"
            ),
            remedy=cuda_build(python, torch, host, driver, [device.capability]),
        )


def _by_name(torch: Torch, nvml: Nvml | None) -> Iterator[Hit]:
    """Judge an official release and the GPUs that a text names."""
    targets = official_targets(torch.version, torch.cuda if was_read(torch, "cuda") else None)
    for index, gpu in gpus_told(nvml).items() if targets else ():
        row = gpu_named(gpu.name) if was_read(gpu, "name") else None
        if row is not None and too_old(row["cc"], targets):
            yield Hit(
                subject=f"gpu:{index}",
                certainty=Certainty.LIKELY,
                summary=message(
                    "{name} has compute capability {capability}; torch {version} starts at {oldest}",
                    "{name} 的计算能力是 {capability}，而 torch {version} 从 {oldest} 起支持",
                    name=gpu.name,
                    capability=row["cc"],
                    version=torch.version,
                    oldest=_oldest(targets),
                ),
                because=cite(f"nvml[{index}].name", "torch.version"),
            )


def _oldest(targets: list[str]) -> str:
    major, minor = min(target.capability for target in parsed(targets))
    return f"{major}.{minor}"
