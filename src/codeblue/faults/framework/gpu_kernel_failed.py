"""
## What it means
torch sees this GPU, but a small computation on it failed. Everything below has said yes: driver, nodes,
libraries. The failure belongs to this device or to the code that the build has for it.

## Why it happens
This is a symptom. The build has no code for the GPU ("no kernel image"), the GPU has a hardware error
(look for Xid lines), a library such as cuBLAS or cuDNN does not start, or another process holds the
whole memory or has the GPU for itself.

## When it is not a fault
If the trial ran out of memory, or found the device "busy or unavailable", the GPU is probably just in
use. codeblue then only says `possible`; look who uses it before looking for a defect.

## What to do
Follow the cause that is named beside it. If none is named, run the same small computation with
`CUDA_LAUNCH_BLOCKING=1` on this GPU and on another: if only this one fails, read the kernel log for Xid
lines with its PCI address; if all fail, suspect the build or the libraries.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.model.facts import TorchDevice, TorchTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

IN_USE = ("out of memory", "busy or unavailable")


@fault(
    "gpu-kernel-failed",
    title=Text("A small computation on the GPU failed", "GPU 上的小计算失败"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    symptom=True,
    severity=Severity.ERROR,
    references=(
        Reference(
            "PyTorch: CUDA semantics", "https://docs.pytorch.org/docs/stable/notes/cuda.html", "2026-11-30"
        ),
    ),
    signatures=(
        Signature(
            "CUDNN_STATUS_",
            r"RuntimeError: (?:cuDNN error: )?CUDNN_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|"
            r"MAPPING_ERROR|BAD_PARAM|NOT_SUPPORTED)",
            Certainty.LIKELY,
        ),
        Signature(
            "CUBLAS_STATUS_",
            r"RuntimeError: CUDA error: CUBLAS_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|"
            r"INVALID_VALUE|NOT_SUPPORTED|ARCH_MISMATCH)",
            Certainty.LIKELY,
        ),
    ),
    next_command=(
        "CUDA_LAUNCH_BLOCKING=1 python -c "
        "\"import torch; x = torch.ones(256, 256, device='cuda'); print((x @ x).sum().item())\""
    ),
)
def gpu_kernel_failed(trial: TorchTrial) -> Iterator[Hit]:
    for index, device in trial.devices.items():
        if not device.ok:
            yield _failed(index, device)


def _failed(index: str, device: TorchDevice) -> Hit:
    words = device.error or "no message"
    in_use = any(phrase in words for phrase in IN_USE)
    return Hit(
        subject=f"gpu:{index}",
        summary=message(
            "GPU {index}: the trial computation failed: {words}",
            "GPU {index}：试算失败：{words}",
            index=index,
            words=words,
        ),
        because=cite(f"torch_trial[{index}].ok", f"torch_trial[{index}].error"),
        certainty=Certainty.POSSIBLE if in_use else Certainty.CERTAIN,
        severity=Severity.WARNING if in_use else None,
        variant="in-use" if in_use else None,
    )
