"""
## What it means
Python finds a package folder called `torch` before the installed one, so `import torch` takes that
folder. It lacks the compiled parts or belongs to another release, and the import fails or what it gives
has none of the usual attributes.

## Why it happens
The job starts in a folder that holds a `torch` directory: a checkout of PyTorch itself ("It appears
that PyTorch has loaded the `torch/_C` folder"), an unpacked wheel, a vendored copy. `PYTHONPATH` that
names such a place does the same.

## When it is not a fault
In a checkout of PyTorch that is installed in development mode the local folder is the real package. If
the trial imports it and computes, codeblue says nothing. A folder without `__init__.py`, such as one for
data, hides nothing: if it is imported, torch is not installed for this interpreter.

## What to do
Start the job from another directory, or rename the folder. Check with `python -c "import torch;
print(torch.__path__)"`.

## How safe the fix is
Starting elsewhere changes nothing. A new name can be taken back exactly. Before renaming a folder see
whether data paths point into it.
"""

from collections.abc import Iterator

from codeblue.model.facts import Python, Torch, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

FILES = (".py", ".pyc", ".so")


@fault(
    "local-directory-shadows-torch",
    title=Text("A local folder named torch hides PyTorch", "本地名为 torch 的目录挡住了 PyTorch"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-import-failed", "torch-cuda-unavailable", "gpu-kernel-failed"),
    references=(
        Reference(
            "Python reference: the import system, namespace packages",
            "https://docs.python.org/3/reference/import.html#namespace-packages",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"(?:in|from|inside|within|into) (?:the |my )?(?:cloned? |pytorch |torch )?(?:source|"
                r"repo|checkout|pytorch folder|pytorch director|torch folder|pytorch tree)|"
                r"git clone \S*pytorch|pytorch source|cd pytorch|folder (?:named|called) torch|"
                r"(?:directory|folder|dir) torch|源码目录|torch 文件夹|目录.{0,6}torch",
                r"torch\._C|has no attribute|cannot import name|No module named|import torch|导入",
            ),
            none=(r"Building wheel",),
        ),
    ),
    signatures=(
        Signature("has loaded the `torch/_C` folder", r"has loaded the `torch/_C` folder"),
        Signature('File "torch/__init__.py"', r'File "torch/__init__\.py", line \d+', Certainty.LIKELY),
        Signature(
            "module 'torch' has no attribute",
            r"module 'torch' has no attribute '(?:__version__|[Tt]ensor|nn|cuda|device|float32|no_grad)'",
            Certainty.POSSIBLE,
        ),
        Signature("No module named 'torch._C'", r"No module named 'torch\._C'", Certainty.LIKELY),
        Signature("No module named torch._C", r"No module named torch\._C$", Certainty.LIKELY),
        Signature("No module named 'torch.version'", r"No module named 'torch\.version'", Certainty.LIKELY),
        Signature("No module named 'torch._", r"No module named 'torch\._\w+'", Certainty.POSSIBLE),
    ),
    remedy=Remedy(
        message("start the job from another directory", "从别的目录启动任务"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "start the job where no folder called torch lies, or rename that folder",
                    "在没有名为 torch 的目录的地方启动任务，或给该目录改名",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="python -c 'import torch; print(torch.__path__)'",
)
def local_directory_shadows_torch(
    python: Python, torch: Torch | None = None, trial: TorchTrial | Unread | None = UNREAD
) -> Iterator[Hit]:
    path = python.shadows.get("torch", "")
    if not path or path.endswith(FILES) or (torch is not None and torch.namespace_only):
        return
    if isinstance(trial, TorchTrial) and trial.imported and trial.error is None:
        return
    yield Hit(
        subject="torch",
        certainty=Certainty.LIKELY if isinstance(trial, Unread) else Certainty.CERTAIN,
        summary=message(
            "import torch finds the folder {path} instead of PyTorch",
            "import torch 找到的是目录 {path} 而不是 PyTorch",
            path=path,
        ),
        because=cite("python.shadows[torch]", "python.path"),
        remedy=_rename(path),
    )


def _rename(path: str) -> Remedy:
    return Remedy(
        message("rename the folder {path}", "把目录 {path} 改名", path=path),
        (
            Step(
                Verb.FILE_RENAME,
                message(
                    "another name no longer hides the package; see first whether data paths point into it",
                    "换个名字就不会再挡住包；先确认没有数据路径指向它",
                ),
                {"path": path},
            ),
        ),
        Automation.APPROVAL,
        Undo.EXACT,
    )
