"""
## What it means
torchvision was built for another release of torch than the one that is installed. Its compiled
operators cannot be loaded: `import torchvision` or the first use of `nms` fails.

## Why it happens
torch was upgraded or downgraded alone, often as a dependency of another package, or the two came from
different indexes, so that one is a CUDA build and the other is not. Each torchvision release belongs to
one torch release; pip warns, but installs.

## When it is not a fault
Preview builds and NVIDIA's containers have versions of their own that fit each other; codeblue does not
judge them. A job that never imports torchvision does not care: without a failure in a log it is only a
risk.

## What to do
Install the pair in one command, from one index, for example `python -m pip install torch==2.11.0
torchvision==0.26.0 --index-url https://download.pytorch.org/whl/cu130`. Change torchvision rather than
torch when other packages pin torch.

## How safe the fix is
Replacing torchvision touches one small package of one environment and is undone by installing the old
version again.
"""

from collections.abc import Iterator

from codeblue.knowledge.companions import partners
from codeblue.knowledge.wheels import INDEX, local, plain, release
from codeblue.model.facts import Python, Torch
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message


@fault(
    "torch-torchvision-version-mismatch",
    title=Text("torch and torchvision do not fit each other", "torch 与 torchvision 的版本不配套"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    references=(
        Reference(
            "torchvision: installation, table of versions",
            "https://github.com/pytorch/vision#installation",
            "2026-11-30",
        ),
    ),
    explains=(
        "extension-abi-mismatch",
        "two-torch-installs-mixed",
    ),
    clues=(
        Clue(
            all=(
                r"torchvision",
                r"undefined symbol|does not exist|has no attribute|cannot import|incompatible|"
                r"Couldn't load|mismatch|compiled with different|不兼容|不匹配|不存在",
                r"torch(?:==|:| |-)\d|upgrad|torch alone|only torch|reinstall|pip|conda|升级|只升|单独",
            ),
            none=(
                r"functional_tensor",
                r"numpy",
            ),
        ),
    ),
    signatures=(
        Signature("operator torchvision::", r"operator torchvision::\w+ does not exist"),
        Signature("Couldn't load custom C++ ops", r"Couldn't load custom C\+\+ ops"),
        Signature(
            "Could not run 'torchvision::", r"Could not run 'torchvision::\w+' with arguments from the 'CUDA'"
        ),
        Signature(
            "PyTorch and torchvision were compiled with different CUDA",
            r"PyTorch and torchvision were compiled with different CUDA",
        ),
        Signature("torchvision", r"torchvision/\S+\.so: undefined symbol"),
        Signature(
            "torchvision' has no attribute",
            r"partially initialized module 'torchvision' has no attribute",
            Certainty.LIKELY,
        ),
        Signature(
            "torchvision ",
            r"torchvision \S+ (?:requires|"
            r"has requirement) torch==[^,]+, but you(?:'ll)? (?:will )?have torch",
            Certainty.LIKELY,
        ),
        Signature(
            "Failed to load image Python extension",
            r"Failed to load image Python extension.*undefined symbol",
            Certainty.LIKELY,
        ),
        Signature("torchvision::nms", r"torchvision::nms", Certainty.LIKELY),
    ),
    next_command="python -m pip list | grep -iE '^torch'; python -c 'import torchvision'",
)
def torch_torchvision_version_mismatch(python: Python, torch: Torch) -> Iterator[Hit]:
    vision = python.distributions.get("torchvision")
    row = release(torch.version)
    if vision is None or row is None or _fits(plain(vision.version), plain(torch.version)):
        return
    yield Hit(
        subject="distribution:torchvision",
        summary=message(
            "torchvision {vision} was not built for torch {torch}; {wanted} is",
            "torchvision {vision} 不是为 torch {torch} 构建的，配套的是 {wanted}",
            vision=vision.version,
            torch=torch.version,
            wanted=row["torchvision"][-1],
        ),
        because=cite("python[torchvision].version", "torch.version"),
        kind=Kind.RISK,
        certainty=Certainty.LIKELY,
        remedy=_pair(python, torch, row["torchvision"][-1]) if was_read(python, "executable") else None,
    )


def _fits(vision: str, torch: str) -> bool:
    """True unless the table knows this torchvision and only for other minor releases of torch."""
    known = {_minor(release) for release in partners("torchvision", vision)}
    return not known or _minor(torch) in known


def _minor(version: str) -> tuple[str, ...]:
    return tuple(version.split(".")[:2])


def _pair(python: Python, torch: Torch, vision: str) -> Remedy:
    variant = local(torch.version)
    args = {"python": python.executable, "requirement": f"torchvision=={vision}"}
    if variant.startswith("cu") or variant == "cpu":
        args = {**args, "requirement": f"torchvision=={vision}+{variant}", "index": INDEX + variant}
    return Remedy(
        message("install torchvision {vision}", "安装 torchvision {vision}", vision=vision),
        (Step(Verb.PIP_INSTALL, message("it was built for this torch", "它是为这个 torch 构建的"), args),),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
