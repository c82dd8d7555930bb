"""
## What it means
A newer `libcuda` than the kernel module was loaded, as a `cuda-compat` package brings it, and the GPU
is of a kind for which this forward compatibility is not offered. `cuInit` returns 804, "forward
compatibility was attempted on non supported HW".

## Why it happens
Forward compatibility works on data-centre GPUs, some server RTX boards and Jetson. An image with a
newer CUDA runs on an A100 or H100 with an old driver and fails on a GeForce or a workstation card with
the very same driver. A developer's machine is thus the first place where it shows.

## When it is not a fault
If the compat library starts, with `cuInit` 0, all is well. On a bare host without any compat folder
the same code appears when the driver was updated and the old kernel module is still loaded: then a
reboot is the answer, not this page.

## What to do
See what the driver supports by itself: the CUDA version in the head of `nvidia-smi`. Update the host's
driver to what the image needs, or use an image of a CUDA version that the driver covers. Taking the
compat folder out of the path is right too, but if the driver is too old the next error will be 35,
unless image and driver share the CUDA major version.

## How safe the fix is
Another image is safe. A driver update ends all GPU work on that host and needs a reboot; plan it.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.compat_library import FORWARD_COMPATIBILITY, refused
from codeblue.model.facts import Cuda, Loader, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Severity, Signature, fault
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text

ID = "cuda-compat-on-unsupported-gpu"
COMPAT_NOT_SUPPORTED_ON_DEVICE = 804


@fault(
    ID,
    title=Text("Forward compatibility is not offered on this GPU", "这块 GPU 不支持 CUDA 前向兼容"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "torch-cuda-unavailable", "gpu-kernel-failed"),
    references=(FORWARD_COMPATIBILITY,),
    clues=(
        Clue(
            all=(
                r"cuda-compat|compat(?:ibility)? (?:package|librar|mode|folder)|forward[- ]compat|"
                r"/compat/|兼容(?:包|库|模式)|前向兼容",
                r"GeForce|\bGTX\b|\bRTX ?\d|\bTitan\b|consumer|desktop (?:card|gpu)|gaming|消费级|" r"游戏卡",
                r"804|error|fail|cannot|can't|unable|not found|crash|abort|missing|unavailable|"
                r"\bFalse\b|invalid|undefined|no such|segfault|segmentation|not work|n't work|报错|"
                r"错误|失败|无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(
                r"\b803\b",
                r"unsupported display driver",
            ),
        ),
    ),
    signatures=(
        Signature(
            "forward compatibility was attempted",
            r"forward compatibility was attempted on non supported HW",
            Certainty.LIKELY,
        ),
        Signature(
            "OMPAT_NOT_SUPPORTED_ON_DEVICE", r"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", Certainty.LIKELY
        ),
        Signature("CompatNotSupportedOnDevice", r"cudaErrorCompatNotSupportedOnDevice", Certainty.LIKELY),
        Signature("rror 804", r"\b[Ee]rror 804\b", Certainty.LIKELY),
        Signature("rror: 804", r"\b[Ee]rror: 804\b", Certainty.LIKELY),
        Signature("(804)", r"\(804\)", Certainty.POSSIBLE),
    ),
    next_command="ldconfig -p | grep libcuda; head -1 /proc/driver/nvidia/version",
)
def cuda_compat_on_unsupported_gpu(
    cuda: Cuda | Unread | None = UNREAD, loader: Loader | None = None, sightings: Sightings | None = None
) -> Iterator[Hit]:
    yield from refused(COMPAT_NOT_SUPPORTED_ON_DEVICE, ID, cuda, loader, sightings)
