"""
## What it means
The driver, PyTorch and perhaps an installed toolkit name different CUDA versions, and everything works.
They are different numbers: `nvidia-smi` shows the newest CUDA that the driver supports,
`torch.version.cuda` the one that this build of PyTorch brings along, `nvcc --version` the toolkit for
compiling one's own code.

## Why it happens
They are installed and updated independently. A newer driver runs programs of older CUDA versions; and
within one major version a driver runs newer ones too, apart from some features.

## When it is not a fault
As long as a kernel runs, which codeblue has tried. It is a fault if the driver is too old for the
major version of the build, or if an extension is compiled with a toolkit of another major version than
PyTorch's; those have findings of their own.

## What to do
Nothing. Do not install another driver or toolkit only to make the numbers equal.

## How safe the fix is
There is nothing to fix.
"""

from collections.abc import Iterator

from codeblue.model.facts import Cuda, Torch, TorchTrial
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.text import Text, message


@fault(
    "benign-three-cuda-versions",
    title=Text("Driver and PyTorch name different CUDA versions", "驱动与 PyTorch 的 CUDA 版本号不同"),
    layer=None,
    kind=Kind.HARMLESS,
    severity=Severity.NOTE,
    references=(
        Reference(
            "NVIDIA: CUDA compatibility",
            "https://docs.nvidia.com/deploy/cuda-compatibility/index.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"CUDA Version ?: ?1?\d\.\d|nvidia-smi.{0,40}1\d\.\d",
                r"\bnvcc|release 1?\d\.\d|torch\.version\.cuda|toolkit|\bcu1\d\d\b|torch.{0,20}1\d\.\d"
                r"|cuda[-_]runtime(?:-cu1\d)?\W{1,4}1?\d",
                r"(?:the )?wrong (?:one|cuda|version)\b|(?:need|have) to (?:match|be equal)|"
                r"用错|要(?:一致|一样)|"
                r"different|differs?\b|do(?:es)? ?n[o']t match|not the same|mismatch|"
                r"which (?:one|version)|\bwhy\b|confus|(?:two|three) (?:different )?(?:cuda )?versions|"
                r"不一样|不同|不一致|哪个|对不上|三个版本|为什么",
            ),
            none=(
                r"(?:Runtime|Import|OS|Value|Module\w*|Attribute)Error",
                r"Traceback",
                r"\bfail(?:s|ed|ure)\b",
                r"is_available\(\)\W*False",
                r"^\W*False\b",
                r"mismatches the version",
                r"Driver/library",
                r"(?:driver|驱动).{0,20}(?:too old|太旧|insufficient)",
                r"报错|失败|用不了|不可用",
                r"CUDA error",
                r"no kernel image",
                r"not compatible",
                r"\bnot work|n't work",
            ),
        ),
        Clue(
            all=(
                r"CUDA",
                r"different|differs?\b|do(?:es)? ?n[o']t match|not the same|mismatch|which (?:one|"
                r"version)|\bwhy\b|confus|(?:two|three) (?:different )?(?:cuda )?versions|不一样|不同|"
                r"不一致|哪个|对不上|三个版本|为什么",
                r"nvcc|toolkit|nvidia-smi",
                r"(?:train\w*|everything|it|all|program|job|script|inference|GPU work|"
                r"results?) (?:\w+ ){0,3}(?:works?|runs?|fine|okay|normal|continues|correct|passes|"
                r"finish|complete)|works? (?:fine|normally|anyway|well)|no (?:other )?(?:problem|"
                r"impact|effect|error)s?|harmless|as expected|still (?:works|runs|trains)|"
                r"Out of bounds values : 0 OK|正常|没有影响|不影响|照常|没问题|is_available\(\)\W*True",
            ),
            none=(
                r"(?:Runtime|Import|OS|Value|Module\w*|Attribute)Error",
                r"Traceback",
                r"\bfail(?:s|ed|ure)\b",
                r"\bFalse\b",
                r"CUDA error",
                r"报错|失败|用不了|不可用",
            ),
        ),
    ),
)
def benign_three_cuda_versions(torch: Torch, cuda: Cuda, torch_trial: TorchTrial) -> Iterator[Hit]:
    if torch.cuda is None or cuda.driver_version is None or not works(torch_trial):
        return
    driver = f"{cuda.driver_version // 1000}.{cuda.driver_version % 1000 // 10}"
    if driver != torch.cuda:
        yield Hit(
            subject="cuda",
            summary=message(
                "the driver supports CUDA up to {driver}, PyTorch brings CUDA {built}: both are fine",
                "驱动最高支持 CUDA {driver}，PyTorch 自带 CUDA {built}：含义不同的两个数字，都没有问题",
                driver=driver,
                built=torch.cuda,
            ),
            because=cite("cuda.driver_version", "torch.cuda", "torch_trial.available"),
        )


def works(trial: TorchTrial) -> bool:
    """True if a kernel ran on every GPU that PyTorch sees."""
    ran = [device.ok for device in trial.devices.values()]
    return trial.available and trial.error is None and bool(ran) and all(ran)
