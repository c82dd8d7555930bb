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

from codeblue.faults.python.torch_wheel import cuda_build
from codeblue.knowledge.architectures import parsed, too_old
from codeblue.model.facts import Driver, Host, Python, Torch, TorchTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
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
    ),
)
def gpu_arch_dropped_from_wheels(
    trial: TorchTrial, torch: Torch, python: Python, host: Host, driver: Driver | None = None
) -> Iterator[Hit]:
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


def _oldest(targets: list[str]) -> str:
    major, minor = min(target.capability for target in parsed(targets))
    return f"{major}.{minor}"
