"""
## What it means
A file of the job is called `torch.py` and lies where Python looks first. `import torch` takes that
file; the installed PyTorch is never reached, and attributes that everybody has are "missing".

## Why it happens
Python puts the folder of the started script, or the current directory, in front of all installed
packages. A test script that somebody called `torch.py` is enough, also one that was downloaded or left
over; a compiled `torch.pyc` does the same.

## When it is not a fault
When the file lies in a package and is imported as `package.torch`. Then it is not on the path by
itself.

## What to do
Rename the file, and delete `__pycache__/torch.*.pyc` beside it. Check with `python -c "import torch;
print(torch.__file__)"` from the same directory.

## How safe the fix is
Renaming is exactly undone. Look first whether other code of the project imports this file by its name.
"""

from collections.abc import Iterator

from codeblue.model.facts import Python
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

FILES = (".py", ".pyc", ".so")


@fault(
    "local-file-shadows-torch",
    title=Text("A local file named torch hides PyTorch", "本地名为 torch 的文件挡住了 PyTorch"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-import-failed", "torch-cuda-unavailable", "gpu-kernel-failed"),
    references=(
        Reference(
            "Python tutorial: the module search path",
            "https://docs.python.org/3/tutorial/modules.html#the-module-search-path",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"(?:^|[\s/\x22'`(])torch\.py\b|(?:file|script|module|文件|脚本).{0,30}\btorch\.py|"
                r"pytorch\.py.{0,20}torch\.py",
                r"has no attribute|cannot import name|partially initialized|ImportError|"
                r"AttributeError|ModuleNotFoundError|circular|报错",
            ),
            none=(r"site-packages/torch\.py",),
        ),
    ),
    signatures=(
        Signature("/torch.py'", r"consider renaming '(?P<file>[^']*/torch\.py)'"),
        Signature("'torch' is not a package", r"'torch' is not a package"),
        Signature(
            "partially initialized module 'torch'",
            r"partially initialized module 'torch' has no attribute",
            Certainty.LIKELY,
        ),
    ),
    remedy=Remedy(
        message("rename the local torch.py", "把本地的 torch.py 改名"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "rename torch.py in the job's folder and remove its __pycache__",
                    "把任务目录里的 torch.py 改名，并删掉对应的 __pycache__",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="python -c 'import torch; print(torch.__file__)'",
)
def local_file_shadows_torch(python: Python) -> Iterator[Hit]:
    path = python.shadows.get("torch", "")
    if path.endswith(FILES):
        yield Hit(
            subject="torch",
            summary=message(
                "import torch finds {path} instead of PyTorch",
                "import torch 找到的是 {path} 而不是 PyTorch",
                path=path,
            ),
            because=cite("python.shadows[torch]", "python.path"),
            remedy=_rename(path),
        )


def _rename(path: str) -> Remedy:
    why = message("another name no longer hides the package", "换个名字就不会再挡住包")
    return Remedy(
        message("rename {path}", "把 {path} 改名", path=path),
        (Step(Verb.FILE_RENAME, why, {"path": path}),),
        Automation.APPROVAL,
        Undo.EXACT,
    )
