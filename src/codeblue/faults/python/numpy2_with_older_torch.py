"""
## What it means
NumPy 2 is installed beside a torch that was compiled against NumPy 1. `import torch` prints a long
warning and goes on without NumPy: `tensor.numpy()`, `torch.from_numpy` and most data loaders then fail
with "Numpy is not available".

## Why it happens
Releases of torch before 2.3 do not exclude NumPy 2 in their requirements, so a new environment gets the
newest NumPy. The binary interface changed with NumPy 2.0.

## When it is not a fault
conda's packages are built and solved for the NumPy that is installed; codeblue does not judge them. A
job that never exchanges data with NumPy only sees the warning. The warning may also come from another
extension: the traceback above it names the module.

## What to do
Keep the old torch and pin NumPy, `python -m pip install "numpy<2"`, or move to torch 2.3 or newer. If
another package wants NumPy 2, the second is the only way.

## How safe the fix is
NumPy is used by almost everything in the environment: run `pip check` afterwards. The old version can
be installed again.
"""

from collections.abc import Iterator

from codeblue.knowledge.versions import older
from codeblue.model.facts import Distribution, Python
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

FIRST_WITH_NUMPY_2 = "2.3"


@fault(
    "numpy2-with-older-torch",
    title=Text("NumPy 2 with a torch built for NumPy 1", "NumPy 2 配了为 NumPy 1 构建的 torch"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NumPy 2.0 migration guide",
            "https://numpy.org/doc/stable/numpy_2_0_migration_guide.html",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: NumPy 2.0 support", "https://github.com/pytorch/pytorch/issues/107302", "2026-11-30"
        ),
    ),
    clues=(
        Clue(
            all=(
                r"numpy",
                r"numpy *(?:==|:|version)? *2\.\d|NumPy 2|numpy ?>= ?2|numpy<2",
                r"torch",
                r"error|fail|cannot|can't|unable|not found|crash|abort|missing|unavailable|\bFalse\b|"
                r"invalid|undefined|no such|segfault|segmentation|not work|n't work|报错|错误|失败|"
                r"无法|不能|找不到|崩溃|不可用|用不了|起不来|downgrad|crash|降级",
            )
        ),
    ),
    signatures=(
        Signature(
            "A module that was compiled using NumPy 1",
            r"A module that was compiled using NumPy 1\S* cannot be run in",
        ),
        Signature("Numpy is not available", r"RuntimeError: Numpy is not available", Certainty.LIKELY),
        Signature("_ARRAY_API not found", r"_ARRAY_API not found", Certainty.LIKELY),
        Signature("Failed to initialize NumPy", r"Failed to initialize NumPy", Certainty.LIKELY),
    ),
    remedy=Remedy(
        message("pin NumPy below 2, or upgrade torch", "把 NumPy 限制在 2 以下，或升级 torch"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "install numpy<2 with the job's interpreter, or torch 2.3 or newer",
                    "用任务的解释器安装 numpy<2，或安装 torch 2.3 及以上",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="python -c 'import torch; print(torch.ones(1).numpy())'",
)
def numpy2_with_older_torch(python: Python) -> Iterator[Hit]:
    numpy, torch = python.distributions.get("numpy"), python.distributions.get("torch")
    if numpy is None or torch is None or _from_conda(numpy) or _from_conda(torch):
        return
    if older(numpy.version, "2") or not older(torch.version, FIRST_WITH_NUMPY_2):
        return
    yield Hit(
        subject="distribution:numpy",
        summary=message(
            "torch {torch} was built for NumPy 1, installed is {numpy}",
            "torch {torch} 是为 NumPy 1 构建的，而安装的是 {numpy}",
            torch=torch.version,
            numpy=numpy.version,
        ),
        because=cite("python[numpy].version", "python[torch].version"),
        certainty=Certainty.LIKELY,
        remedy=_pin(python) if was_read(python, "executable") else None,
    )


def _from_conda(distribution: Distribution) -> bool:
    return was_read(distribution, "installer") and distribution.installer == "conda"


def _pin(python: Python) -> Remedy:
    why = message("the last series that this torch was built for", "这个 torch 所面向的最后一个系列")
    step = Step(Verb.PIP_INSTALL, why, {"python": python.executable, "requirement": "numpy<2"})
    return Remedy(message("install numpy<2", "安装 numpy<2"), (step,), Automation.APPROVAL, Undo.COMPENSATING)
