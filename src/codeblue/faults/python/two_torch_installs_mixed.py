"""
## What it means
Two installations of torch lie in the same folder. Files of one release are mixed with files of another;
Python code and shared libraries no longer belong together.

## Why it happens
Two installers wrote into one environment (conda and pip, or uv and pip), an upgrade was interrupted, or
one environment is shared by two jobs that install at start. Each keeps its own list of files and
overwrites those of the other. The signs are undefined symbols inside torch's own libraries, or
attributes that `torch._C` lacks.

## When it is not a fault
A second set of metadata may be only a leftover. While torch imports it is a risk: the next uninstall
will delete files that the other one needs. Copies in different folders do not mix; the first on the
path wins.

## What to do
Uninstall torch until pip says that it is not installed, remove a `torch` folder that remains, and
install one build once, with one installer. A fresh environment is often quicker.

## How safe the fix is
No job may run from the environment meanwhile. Note the versions of torch, torchvision and the nvidia
packages first: the way back is to install them again.
"""

from collections import Counter
from collections.abc import Iterator

from codeblue.model.facts import Python
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "two-torch-installs-mixed",
    title=Text("Two installations of torch are mixed in one folder", "同一目录里混有两份 torch 安装"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-import-failed",
        "distribution-files-missing",
        "extension-abi-mismatch",
    ),
    references=(
        Reference(
            "PyPA: recording installed projects",
            "https://packaging.python.org/en/latest/specifications/recording-installed-packages/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"^pytorch +\d",
                r"^torch +\d.*pypi",
            )
        ),
        Clue(
            all=(
                r"(?:both|two|twice|mixed?|duplicate|overlap|double).{0,60}(?:torch|conda|pip\b)|"
                r"(?:torch|conda|pip)\b.{0,60}(?:both|twice|over(?:lap|wr)|on top of|mixed)|(?:conda|"
                r"pip).{0,40}(?:then|and then|afterwards|后又|又用|之后).{0,20}(?:conda|pip)|"
                r"两个 ?torch|两份|同时(?:用|装)|混装|混用",
                r"torch",
                r"undefined symbol|has no attribute|ImportError|AttributeError|_init_names|"
                r"cannot import|segfault|segmentation|symbol|\._C\b|报错|崩溃",
            ),
            none=(
                r"tensorflow|jax\b|paddle",
                r"torchvision",
                r"\.local|user site|--user",
                r"jupyter|ipykernel",
                r"flash_attn|xformers",
            ),
        ),
    ),
    signatures=(
        Signature(
            "undefined symbol: _Z",
            r"/torch/lib/libtorch\w*\.so: undefined symbol: _Z[A-Z]*(?:3c10|2at|5torch)",
            Certainty.LIKELY,
        ),
        Signature(
            "module 'torch._C' has no attribute",
            r"module 'torch\._C' has no attribute '_?(?:[abd-zABD-Z]\w*|c[a-tv-z]\w*)'",
            Certainty.POSSIBLE,
        ),
        Signature("_init_names", r"has no attribute '_init_names'", Certainty.LIKELY),
    ),
    remedy=Remedy(
        message(
            "remove every torch of this environment and install one", "删掉该环境里所有的 torch，再只装一份"
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "uninstall torch until pip finds none, delete its left folder, install one build",
                    "反复卸载直到 pip 找不到 torch，删掉残留目录，再安装一个构建",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="python -m pip list | grep -i '^torch'; python -m pip show -f torch | head -20",
)
def two_torch_installs_mixed(python: Python) -> Iterator[Hit]:
    folders = Counter(copy.rpartition(" at ")[2] for copy in python.duplicates.get("torch", ()))
    for folder, count in folders.items():
        if count > 1:
            copies = [copy for copy in python.duplicates["torch"] if copy.endswith(f" at {folder}")]
            yield Hit(
                subject="distribution:torch",
                summary=message(
                    "{folder} holds {count} installations of torch: {versions}",
                    "{folder} 中有 {count} 份 torch 安装：{versions}",
                    folder=folder,
                    count=count,
                    versions=", ".join(copy.rpartition(" at ")[0] for copy in copies),
                ),
                because=cite("python.duplicates[torch]", "python.executable"),
                kind=Kind.RISK,
                certainty=Certainty.LIKELY,
                remedy=_once(python),
            )


def _once(python: Python) -> Remedy:
    step = {"python": python.executable, "distribution": "torch"}
    again = message("each run removes one of the copies", "每次只会删掉其中一份")
    one = message("one build, by one installer", "只装一个构建，只用一个安装器")
    return Remedy(
        message("remove both copies of torch and install one", "删掉两份 torch，再装一份"),
        (
            Step(Verb.PIP_UNINSTALL, again, step),
            Step(Verb.PIP_UNINSTALL, again, step),
            Step(Verb.PIP_INSTALL, one, {"python": python.executable, "requirement": "torch"}),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
