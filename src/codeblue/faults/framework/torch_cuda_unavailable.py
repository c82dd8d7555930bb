"""
## What it means
A CUDA build of torch was imported on a machine with an NVIDIA GPU, and `torch.cuda.is_available()` is
False. The job then either runs on the CPU, very slowly, or stops with "No CUDA GPUs are available" or
"Found no NVIDIA driver on your system".

## Why it happens
This is a symptom. torch only asks the driver library for the number of devices, and every trouble below
it ends here: closed or missing device nodes, a driver and a library of different versions, an empty
`CUDA_VISIBLE_DEVICES`, a container without GPUs, a driver too old for the build. Another finding
normally explains it.

## When it is not a fault
A login node, a CI runner or a container that was given no GPU on purpose. A build without CUDA is
another fault, `cpu-only-torch-build`, and needs another fix.

## What to do
Follow the cause that is named beside it. If none is named, ask for one tensor on the GPU: unlike
`is_available()`, which swallows the reason, this raises the driver's own words and often its number. Do
it in the very shell or container in which the job starts.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.faults.python.gpu_at_hand import gpu_at_hand
from codeblue.model.facts import Host, Loader, Pci, Torch, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "torch-cuda-unavailable",
    title=Text("torch does not find a usable GPU", "torch 找不到可用的 GPU"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    symptom=True,
    severity=Severity.ERROR,
    references=(
        Reference(
            "PyTorch: torch.cuda.is_available",
            "https://docs.pytorch.org/docs/stable/generated/torch.cuda.is_available.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"torch\.cuda\.is_available\(\)",
                r"^\W*False\b",
            )
        ),
    ),
    signatures=(
        Signature("No CUDA GPUs are available", r"No CUDA GPUs are available", subject="torch"),
        # Not the warning in the log of an image build (#12 3.1 ...): there is no GPU, and need be none.
        Signature(
            "Found no NVIDIA driver on your system",
            r"(?:^|^[^#].*|^#\D.*|Error: )Found no NVIDIA driver on your system",
        ),
        Signature("CUDA initialization: ", r"(?:^|^[^#].*|^#\D.*)UserWarning: CUDA initialization: "),
        Signature(
            "torch.cuda.is_available() is False",
            r"torch\.cuda\.is_available\(\) is False",
            Certainty.LIKELY,
        ),
        Signature("is_available()", r"torch\.cuda\.is_available\(\)['\")]*[:=,]? *False\b", Certainty.LIKELY),
        Signature("CUDA available", r"(?:^|Is )CUDA available\s*: *False\b", Certainty.POSSIBLE),
        Signature("Torch is not able to use GPU", r"Torch is not able to use GPU", Certainty.LIKELY),
        Signature(
            "CUDA is not available", r"(?:Error|assert\w*)\W.{0,30}CUDA is not available", Certainty.LIKELY
        ),
    ),
    next_command="python -c \"import torch; torch.zeros(1, device='cuda')\"",
)
def torch_cuda_unavailable(
    torch: Torch, trial: TorchTrial, host: Host, pci: Pci | None = None, loader: Loader | None = None
) -> Iterator[Hit]:
    gpu = gpu_at_hand(host, pci, loader)
    if torch.cuda is None or gpu is None or not trial.imported or trial.available:
        return
    yield Hit(
        subject="torch",
        summary=message(
            "torch {version} is built for CUDA {cuda}, but torch.cuda.is_available() is False",
            "torch {version} 是 CUDA {cuda} 构建，但 torch.cuda.is_available() 为 False",
            version=torch.version,
            cuda=torch.cuda,
        ),
        because=cite("torch_trial.available", "torch.cuda", gpu),
    )
