"""
## What it means
The process loads `libcuda` from a `cuda-compat` package, usually part of a container image, instead
of the library that belongs to the driver. That copy does not fit the loaded kernel module, and
`cuInit` returns 803, "unsupported display driver / cuda driver combination".

## Why it happens
The compat package lets a newer CUDA run on an older driver. It must be *newer* than the driver, and
each version supports only certain driver branches. An image that puts its folder on the path always,
by `LD_LIBRARY_PATH` or by a file in `/etc/ld.so.conf.d`, breaks as soon as the host's driver is newer
than the image or of a branch that is not listed. NVIDIA's own images decide at start whether to use it.

## When it is not a fault
A compat library that starts, with `cuInit` 0, is what the package is for. 803 without a compat folder
in the path means something else: the driver was updated and the machine not restarted, or its files
are of mixed versions.

## What to do
Take the compat folder out of the path: drop it from `LD_LIBRARY_PATH`, or delete
`/etc/ld.so.conf.d/*compat*.conf` in the image and run `ldconfig`. If the program then reports 35,
"driver version is insufficient", the driver really is too old: update it, or use an image of an older
CUDA. `ldconfig -p | grep libcuda` shows which copy comes first.

## How safe the fix is
Only processes started afterwards are concerned. If the driver is older than the image needs, the
change replaces this error by a clearer one.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.compat_library import FORWARD_COMPATIBILITY, refused
from codeblue.model.facts import Cuda, Loader, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Severity, Signature, fault
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text

ID = "image-cuda-compat-shadows-driver"
SYSTEM_DRIVER_MISMATCH = 803


@fault(
    ID,
    title=Text(
        "A cuda-compat library is loaded instead of the driver's", "加载了 cuda-compat 的库而不是驱动自己的库"
    ),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "torch-cuda-unavailable", "gpu-kernel-failed"),
    references=(FORWARD_COMPATIBILITY,),
    clues=(
        Clue(
            all=(
                r"unsupported display driver|\b803\b|SYSTEM_DRIVER_MISMATCH|cuInit|CUDA_ERROR|"
                r"unknown error|forward compat|version mismatch|is_available\(\)\W*False|^False\b|"
                r"No CUDA GPUs are available|no (?:CUDA|GPU|NVIDIA)[- ]?(?:capable )?(?:gpu|"
                r"device)s?\b|Found no NVIDIA driver|(?:CUDA|GPUs?) (?:is |are )?(?:not |"
                r"un)(?:available|used|found|detected|recogni[sz]ed|visible|usable)|(?:not|n't|"
                r"never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |my )?(?:GPU|CUDA)|"
                r"cuda(?:GetDeviceCount|_init)|CUDA initialization|falls? back to (?:the )?CPU|"
                r"(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|显卡).{0,8}(?:用不了|不可用|"
                r"检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|识别不到|找不到|没有用上|"
                r"不认).{0,6}(?:GPU|CUDA|显卡)",
                r"/compat/|cuda-compat|compat (?:folder|librar|package|dir)|compat/libcuda|"
                r"libcuda\S*compat|兼容(?:包|库)",
            ),
            none=(
                r"\b804\b",
                r"non supported HW",
                r"GeForce",
                r"\bRTX \d",
                r"cuda-compat.{0,30}not installed",
            ),
        ),
        Clue(
            all=(
                r"unsupported display driver|\berror:? 803\b|SYSTEM_DRIVER_MISMATCH",
                r"container|docker|podman|\bpods?\b|kubernetes|\bk8s\b|singularity|apptainer|enroot|"
                r"\bimage\b|容器|镜像",
            ),
            none=(
                r"/proc/driver",
                r"dkms",
            ),
        ),
    ),
    signatures=(
        Signature(
            "unsupported display driver",
            r"system has unsupported display driver / cuda driver combination",
            Certainty.POSSIBLE,
        ),
    ),
    next_command="ldconfig -p | grep libcuda; head -1 /proc/driver/nvidia/version",
)
def image_cuda_compat_shadows_driver(
    cuda: Cuda | Unread | None = UNREAD, loader: Loader | None = None, sightings: Sightings | None = None
) -> Iterator[Hit]:
    yield from refused(SYSTEM_DRIVER_MISMATCH, ID, cuda, loader, sightings)
