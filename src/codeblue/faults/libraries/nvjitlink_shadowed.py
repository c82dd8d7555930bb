"""
## What it means
The wheel's `libcusparse` or `libcusolver` needs a `libnvJitLink` that is at least as new as itself,
but an older one is found first. `import torch` fails with "undefined symbol: __nvJitLink..., version
libnvJitLink.so.12"; JAX says "Unable to load cuSPARSE", although it is installed.

## Why it happens
`LD_LIBRARY_PATH` names the `lib64` of a CUDA toolkit of the same major but an older minor version. The
symbols carry the minor version in their names, `__nvJitLinkComplete_12_4` for instance, so the toolkit
is older than what stands there. The same words appear without any path when the environment mixes
wheels, that is an old `nvidia-nvjitlink` beside a newer `nvidia-cusparse`.

## When it is not a fault
A toolkit on the path that is as new as the wheels, or newer within the major version, works. If
another copy is mapped and nothing fails, it is told as a risk only.

## What to do
Drop the toolkit from `LD_LIBRARY_PATH` for this job: `env -u LD_LIBRARY_PATH python -c 'import
torch'` proves it. If that does not help, compare `pip list | grep nvidia` with what torch requires,
and reinstall torch so that pip brings the matching wheels. Adding the wheel's folder in front of the
path works too, but must be repeated for each environment.

## How safe the fix is
Only processes started afterwards are concerned, and the old value can be set again.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.shadowed_library import shadow
from codeblue.model.facts import Loader, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text


@fault(
    "nvjitlink-shadowed",
    title=Text("An older nvJitLink hides the one of the wheels", "较旧的 nvJitLink 挡住了 wheel 自带的版本"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-import-failed",
        "gpu-kernel-failed",
        "cuda-runtime-library-missing",
    ),
    references=(
        Reference(
            "PyTorch: undefined symbol __nvJitLinkCreate",
            "https://github.com/pytorch/pytorch/issues/152783",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: undefined symbol __nvJitLinkAddData, toolkit on LD_LIBRARY_PATH",
            "https://github.com/pytorch/pytorch/issues/111469",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"cusparse|nvjitlink",
                r"LD_LIBRARY_PATH|/usr/local/cuda|module load|system cuda|系统.{0,6}CUDA|another cuda|"
                r"older cuda",
                r"error|fail|cannot|can't|unable|not found|crash|abort|missing|unavailable|\bFalse\b|"
                r"invalid|undefined|no such|segfault|segmentation|not work|n't work|报错|错误|失败|"
                r"无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(r"cannot open shared",),
        ),
    ),
    signatures=(
        Signature("undefined symbol: __nvJitLink", r"undefined symbol: __nvJitLink\w+", Certainty.LIKELY),
        Signature(
            "libnvJitLink.so",
            r"symbol __nvJitLink\w+.* not defined in file libnvJitLink\.so",
            Certainty.LIKELY,
        ),
        Signature(
            "Unable to load cuSPARSE", r"Unable to load cuSPARSE\. Is it installed", Certainty.POSSIBLE
        ),
        Signature(
            "libcusparse.so",
            r"libcusparse\.so\.\d+: (?:undefined symbol|symbol \w+.* not defined)",
            Certainty.LIKELY,
        ),
        Signature(
            "libcusolver.so",
            r"libcusolver\.so\.\d+: undefined symbol: (?:cusparse|__nvJitLink|nvJitLink)",
            Certainty.LIKELY,
        ),
        Signature("nvJitLink", r"symbol ?:? ?\w*nvJitLink", Certainty.LIKELY),
    ),
    next_command="echo $LD_LIBRARY_PATH; env -u LD_LIBRARY_PATH python -c 'import torch'",
)
def nvjitlink_shadowed(loader: Loader, torch_trial: TorchTrial) -> Iterator[Hit]:
    yield from shadow("nvJitLink", loader, torch_trial)
