"""
## What it means
torch cannot be imported, and files that torch or one of its NVIDIA packages has installed are gone or
have another size than its own list says.

## Why it happens
An installation was interrupted or the disk was full, somebody deleted large files to save space, an
image was copied incompletely, or uninstalling one package took files that another one needs: several
nvidia packages of different CUDA versions write into the same `nvidia` folder.

## When it is not a fault
Images often leave out caches, headers and tests; these do not matter and are not counted. Stripped or
relocated libraries have another size and work: as long as torch imports, codeblue says nothing.

## What to do
Reinstall the named package with the job's own interpreter: `python -m pip install --force-reinstall
--no-deps NAME==VERSION`. If the file system is full or the quota is used up, make room first. In a
container image fix the image.

## How safe the fix is
The same version is put back in one environment. Jobs that run from it should end before.
"""

from collections.abc import Iterator

from codeblue.model.facts import Loader, Python, TorchTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NEEDED_AT_RUN_TIME = (".py", ".so")


@fault(
    "distribution-files-missing",
    title=Text("Files of an installed package are missing", "已安装的包缺少文件"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-import-failed",),
    references=(
        Reference(
            "PyPA: recording installed projects",
            "https://packaging.python.org/en/latest/specifications/recording-installed-packages/",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "/torch/lib/",
            r"/torch/lib/(?P<file>libtorch\w*\.so): cannot open shared object file: No such file",
            Certainty.LIKELY,
        ),
    ),
    next_command="python -m pip check; df -h .",
)
def distribution_files_missing(python: Python, loader: Loader, trial: TorchTrial) -> Iterator[Hit]:
    if trial.imported:
        return
    for name, distribution in python.distributions.items():
        if not name.startswith(("torch", "nvidia-", "triton")):
            continue
        files = [file for file in distribution.missing_files if _matters(file, loader)]
        if files:
            named = any(_base(file) in (trial.error or "") for file in files)
            yield Hit(
                subject=f"distribution:{name}",
                summary=message(
                    "{name} {version} lacks {files}",
                    "{name} {version} 缺少 {files}",
                    name=name,
                    version=distribution.version,
                    files=", ".join(files),
                ),
                because=cite(f"python[{name}].missing_files", "torch_trial.error"),
                certainty=Certainty.CERTAIN if named else Certainty.LIKELY,
                remedy=_reinstall(python, name, distribution.version),
            )


def _matters(file: str, loader: Loader) -> bool:
    """Libraries that are there but damaged are another fault; caches, headers and tests are none."""
    needed = file.endswith(NEEDED_AT_RUN_TIME) or ".so." in _base(file)
    return needed and not any(path.endswith(f"/{file}") for path in loader.damaged)


def _base(file: str) -> str:
    return file.rpartition("/")[2]


def _reinstall(python: Python, name: str, version: str) -> Remedy:
    why = message("puts back the files that its list names", "按清单恢复缺少的文件")
    step = Step(Verb.PIP_REINSTALL, why, {"python": python.executable, "requirement": f"{name}=={version}"})
    return Remedy(
        message("reinstall {name} {version}", "重装 {name} {version}", name=name, version=version),
        (step,),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
