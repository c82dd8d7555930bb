"""
## What it means
An extension is to be compiled with a CUDA toolkit of another version than the CUDA that torch was built
with. torch refuses when the major versions differ, since the result would mix two run-time libraries.
torch itself works.

## Why it happens
`CUDA_HOME`, `CUDA_PATH` or the first `nvcc` on `PATH` belongs to another toolkit: the distribution's, a
newer one under `/usr/local/cuda`, or one that an installer put into the environment. Or torch was
upgraded and brought another CUDA.

## When it is not a fault
A minor difference ("has a minor version mismatch") is only a warning; such builds work. As long as
nothing is to be compiled, even another major version harms nobody: codeblue names it as a risk. The CUDA
version that `nvidia-smi` prints is the driver's limit and has no part in this.

## What to do
Compare `nvcc --version` with `torch.version.cuda`. Install that toolkit beside the other one and set
`CUDA_HOME` to it for the build alone, or install a torch for the toolkit's major version. A prebuilt
wheel of the extension avoids the question.

## How safe the fix is
Setting a variable for one build changes nothing else. Do not turn the check off: the extension may
compile and then crash.
"""

from collections.abc import Iterator

from codeblue.knowledge.compilers import Match, match
from codeblue.model.facts import Nvcc, Torch
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message


@fault(
    "toolkit-torch-cuda-mismatch",
    title=Text(
        "The CUDA toolkit differs from the CUDA that torch was built with",
        "CUDA 工具包与 torch 构建所用的 CUDA 不一致",
    ),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    references=(
        Reference(
            "PyTorch: torch.utils.cpp_extension",
            "https://docs.pytorch.org/docs/stable/cpp_extension.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "The detected CUDA version (",
            r"The detected CUDA version \((?P<toolkit>[\d.]+)\) mismatches the version that was used to "
            "compile",
        ),
        Signature(
            "Installed CUDA version ",
            r"Installed CUDA version (?P<toolkit>[\d.]+) does not match the version torch was compiled with "
            r"(?P<torch>[\d.]+)",
        ),
        Signature(
            "Cuda extensions are being compiled with a version of Cuda",
            "Cuda extensions are being compiled with a version of Cuda that does not match",
        ),
        Signature(
            "mismatches the version that was used to compile",
            "mismatches the version that was used to compile",
        ),
    ),
    clues=(
        Clue(
            all=(
                "mismatch|does not match|not match|differs|不匹配|不一致|不同",
                r"\bnvcc\b|toolkit|CUDA_HOME|/usr/local/cuda|CUDA_PATH|工具包",
                r"torch.{0,40}(?:cu\d{2,3}\b|compiled|built|cuda)|compile\s+PyTorch|torch\.version\.cuda",
                r"build|compil|extension|setup\.py|wheel|install|编译|安装",
            ),
            none=("minor version mismatch", "Driver/library"),
        ),
    ),
    remedy=Remedy(
        message("build with the toolkit of torch's CUDA version", "用与 torch 的 CUDA 版本一致的工具包编译"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "point CUDA_HOME and PATH to the toolkit whose version is torch.version.cuda, then build "
                    "again",
                    "让 CUDA_HOME 和 PATH 指向版本为 torch.version.cuda 的工具包，然后重新编译",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="echo CUDA_HOME=$CUDA_HOME; which nvcc; nvcc --version | tail -2;"
    " python -c 'import torch; print(torch.version.cuda)'",
)
def toolkit_torch_cuda_mismatch(torch: Torch, nvcc: Nvcc | None) -> Iterator[Hit]:
    if nvcc is None or torch.cuda is None or nvcc.version is None:
        return
    # A text may show nvcc without the place from which it was started.
    told_by = nvcc.told_by if was_read(nvcc, "told_by") else "nvcc --version"
    if told_by == "default" or match(nvcc.version, torch.cuda) is not Match.MAJOR:
        return
    yield Hit(
        subject="nvcc",
        kind=Kind.RISK,
        severity=Severity.NOTE,
        summary=message(
            "torch refuses to build extensions here: nvcc is of CUDA {nvcc} ({told_by}), torch of {cuda}",
            "此处 torch 会拒绝编译扩展：nvcc 属于 CUDA {nvcc}（来自 {told_by}），而 torch 面向 CUDA {cuda}",
            told_by=told_by,
            nvcc=nvcc.version,
            cuda=torch.cuda,
        ),
        because=cite("nvcc.version", "torch.cuda"),
    )
