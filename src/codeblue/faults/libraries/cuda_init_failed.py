"""
## What it means
The driver library was loaded, but `cuInit`, the first call of every CUDA program, failed. The return
code says a lot about the layer: 100 no usable device, 34 a stub library, 3 not initialised, 802 the
NVSwitch fabric is not ready, 803 library and kernel module differ, 804 forward compatibility refused,
999 usually device nodes or the UVM module, 304 an operating system call failed.

## Why it happens
This is a symptom. Another finding normally explains it; it stands alone only when nothing that
codeblue can read accounts for it.

## When it is not a fault
On a machine without a GPU 100 is the right answer, and likewise where `CUDA_VISIBLE_DEVICES` hides
every GPU on purpose. Under WSL the bus shows no NVIDIA function although a GPU is there, so that
only the other codes are counted.

## What to do
Follow the cause that is named beside it. If none is named, read the kernel log as root for `NVRM` and
`Xid` lines of this boot and look at the meaning of the code. Try once more as root: if it works then,
the trouble is access to a device node. Try without `LD_LIBRARY_PATH`: if it works then, another
`libcuda` was in the way.

## How safe the fix is
Looking changes nothing, with one exception: an NVIDIA program that root starts may set missing or
closed device nodes right, so note `ls -l /dev/nvidia*` before.
"""

from collections.abc import Iterator

from codeblue.knowledge import cuda_error
from codeblue.model.facts import Cuda, Host, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

NO_DEVICE = 100
"""CUDA_ERROR_NO_DEVICE."""


@fault(
    "cuda-init-failed",
    title=Text("CUDA does not start", "CUDA 无法初始化"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    symptom=True,
    severity=Severity.ERROR,
    explains=("torch-cuda-unavailable",),
    references=(
        Reference(
            "CUDA driver API, CUresult",
            "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "CUDA unknown error", r"CUDA unknown error - this may be due to an incorrectly set up environment"
        ),
        Signature("cuInit", r"\bcuInit(?:\(0?\))? (?:failed|returned (?:[1-9]|CUDA_ERROR))"),
        Signature("cuInit", r"[Ff]ailed call to cuInit: (?:[^C]|C[^U]|CUDA_ERROR_(?:[^N]|N[^O]|NOT))"),
        Signature("cuInit", r"Call to cuInit results in \w+"),
        Signature(
            "no CUDA-capable device is detected", r"no CUDA-capable device is detected", Certainty.LIKELY
        ),
        Signature("driver initialization failed", r"CUDA driver initialization failed"),
        Signature("cudaErrorUnknown", r"\bcudaErrorUnknown\b", Certainty.LIKELY),
        Signature("CUDA_ERROR_UNKNOWN", r"\bCUDA_ERROR_UNKNOWN\b", Certainty.LIKELY),
        Signature("CUDA error: unknown error", r"CUDA error: unknown error", Certainty.LIKELY),
        Signature("CUDA_ERROR_NO_DEVICE", r"\bCUDA_ERROR_NO_DEVICE\b", Certainty.LIKELY),
        Signature("CUDA_ERROR_NOT_INITIALIZED", r"\bCUDA_ERROR_NOT_INITIALIZED\b", Certainty.LIKELY),
        Signature(
            "cuInit",
            r"\bcuInit(?:\(0?\))?(?: call)? (?:failed|returns?|returned|->|=|"
            r"gives?) *(?:with )?(?:code |error )?[1-9]",
            Certainty.LIKELY,
        ),
    ),
    next_command="sudo dmesg | grep -iE 'nvrm|xid|nvidia'",
)
def cuda_init_failed(cuda: Cuda, pci: Pci, host: Host) -> Iterator[Hit]:
    # WSL shows no NVIDIA function on the bus; there 100 may simply mean that Windows has no such GPU.
    if cuda.init != 0 and (pci.nvidia_gpus or (host.wsl and cuda.init != NO_DEVICE)):
        error = cuda_error(cuda.init)
        yield Hit(
            subject="cuda",
            summary=message(
                "cuInit returned {code} ({name})",
                "cuInit 返回 {code}（{name}）",
                code=cuda.init,
                name=error.name if error else "unknown code",
            ),
            because=cite("cuda.init", "cuda.library"),
        )
