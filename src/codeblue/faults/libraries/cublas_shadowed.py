"""
## What it means
`libcublas` and `libcublasLt` are a pair and must be of one version. One of them was taken from the
wheel and the other from a folder in `LD_LIBRARY_PATH`, so a symbol is missing: "undefined symbol:
cublasLt..., version libcublasLt.so". Depending on the versions the import of torch fails, or the first
matrix product.

## Why it happens
A CUDA toolkit of the same major version but another release is on `LD_LIBRARY_PATH`, which is
searched before the folder that the wheel's `libcublas` names for its sibling. The name of the file
carries only the major version, so the loader cannot tell the copies apart.

## When it is not a fault
A toolkit on the path does no harm as long as the wheel's own pair is mapped. If the toolkit's pair
is mapped and works, it is told as a risk only: speed and numbers may differ from other machines.
`CUBLAS_STATUS_ALLOC_FAILED` by itself means memory, not libraries.

## What to do
Drop the toolkit's `lib64` from `LD_LIBRARY_PATH` for the job; wheels need no toolkit to run. Building
extensions needs `CUDA_HOME` and the compiler only. If another program needs the path, set it in that
program's wrapper. `ldd` on the wheel's `libcublas.so` shows which sibling is taken.

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
    "cublas-shadowed",
    title=Text("Another cuBLAS hides the one that torch brings", "另一份 cuBLAS 挡住了 torch 自带的 cuBLAS"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-import-failed",
        "gpu-kernel-failed",
        "gpu-memory-exhausted",
    ),
    references=(
        Reference(
            "PyTorch: undefined symbol cublasLtGetStatusString",
            "https://github.com/pytorch/pytorch/issues/88882",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"CUBLAS_STATUS_(?:NOT_INITIALIZED|INVALID_VALUE|NOT_SUPPORTED|EXECUTION_FAILED|"
                r"ARCH_MISMATCH|INTERNAL_ERROR)|libcublas\S*: (?:undefined|symbol)|"
                r"cublasLt\w+.*(?:undefined|not found|not defined)",
                r"LD_LIBRARY_PATH|libcublas\w*\.so[\d.]* (?:=>|->) /(?:usr|opt)|/(?:usr/local|"
                r"opt)/cuda\S*/libcublas|module load|library path|cuda(?: 1\d)? module|system (?:copy|"
                r"cublas|cuda)|(?:another|other|different|second|wrong) (?:cublas|libcublas)|"
                r"系统.{0,10}cublas",
            )
        ),
        Clue(
            all=(
                r"cublas",
                r"undefined symbol|not defined|CUBLAS_STATUS_|symbol lookup|符号",
                r"LD_LIBRARY_PATH|/usr/local/cuda|/usr/lib/x86_64|module load|ldd|shadow|系统|覆盖|" r"优先",
            )
        ),
    ),
    signatures=(
        Signature(
            "libcublas",
            r"libcublas(Lt)?\.so[0-9.]*: undefined symbol"
            r"|undefined symbol: cublas\w*, version libcublas"
            r"|version .libcublas(Lt)?\.so\.\d+. not (found|defined)",
            Certainty.LIKELY,
        ),
        Signature(
            "not defined in file libcublas",
            r"symbol cublas\w+.* not defined in file libcublas",
            Certainty.LIKELY,
        ),
        Signature("annot load symbol cublasLt", r"[Cc]annot load symbol cublasLt", Certainty.POSSIBLE),
    ),
    next_command="echo $LD_LIBRARY_PATH; ldconfig -p | grep libcublas",
)
def cublas_shadowed(loader: Loader, torch_trial: TorchTrial) -> Iterator[Hit]:
    yield from shadow("cublas", loader, torch_trial)
