"""
## What it means
torch is installed for this interpreter, but `import torch` ends with an exception or kills the process.
Nothing that comes later, CUDA included, has been tried yet.

## Why it happens
This is a symptom. Usually one shared library cannot be loaded: it is empty, missing, from another
release, or an older copy on `LD_LIBRARY_PATH` comes first. Else a local file hides a module that torch
imports, two installations are mixed, or a Python dependency such as `typing_extensions` is missing. A
signal instead of an exception points to a library with other CPU instructions or a damaged file.

## When it is not a fault
When the interpreter is not the one of the job. Look at the path of the interpreter first.

## What to do
Read the last line of the traceback: it names the file or the module. Follow the cause that is named
beside this finding. If none is, let the loader say which file it opens: `LD_DEBUG=libs` prints every
search, and the last lines before the error show the folder that wins.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.model.facts import Torch, TorchTrial
from codeblue.model.fault import Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "torch-import-failed",
    title=Text("torch cannot be imported", "torch 无法导入"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    symptom=True,
    severity=Severity.ERROR,
    references=(
        Reference(
            "Linux manual: ld.so, LD_DEBUG",
            "https://man7.org/linux/man-pages/man8/ld.so.8.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("from torch._C import *", r"(?:^|:)\s*from torch\._C import \*", subject="torch"),
        Signature("in _load_global_deps", r"torch/__init__\.py\", line \d+, in _load_global_deps"),
        Signature("/torch/lib/", r"(?:ImportError|OSError): \S*/torch/lib/\S+: "),
    ),
    next_command="LD_DEBUG=libs python -c 'import torch' 2>&1 | tail -40",
)
def torch_import_failed(torch: Torch, trial: TorchTrial) -> Iterator[Hit]:
    if trial.imported:
        return
    fact = "error" if trial.error else "signal"
    yield Hit(
        subject="torch",
        summary=message(
            "import torch from {location} failed: {words}",
            "从 {location} 导入 torch 失败：{words}",
            location=torch.location,
            words=trial.error or trial.signal or "no message",
        ),
        because=cite("torch_trial.imported", f"torch_trial.{fact}", "torch.location"),
    )
