"""
## What it means
torch is installed for the job's interpreter, but every Jupyter kernel that is registered here starts
another interpreter, which has no torch. In a notebook `import torch` fails, or finds another build than
the one that works in the shell.

## Why it happens
The new environment was made without `ipykernel`, so the notebook server offers only the kernels that were
there before: those of the system or of an older environment. Activating an environment in the shell that
starts the server does not change what a registered kernel starts.

## When it is not a fault
If nobody uses notebooks on this machine. Kernels that start a bare `python` take the server's
interpreter, and editors such as VS Code start interpreters without a registered kernel: nothing is said
about those.

## What to do
In the job's environment: `python -m pip install ipykernel`, then `python -m ipykernel install --user --name
NAME`, and choose that kernel in the notebook. In the notebook, `import sys; sys.executable` tells which
interpreter runs; `jupyter kernelspec list` shows where kernels are registered.

## How safe the fix is
It adds one package and one small file below ~/.local/share/jupyter; `jupyter kernelspec remove NAME` takes
it back. Running notebooks are not touched.
"""

from collections.abc import Iterator

from codeblue.model.facts import Jupyter, Python, Torch
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "jupyter-kernel-from-other-env",
    title=Text("Jupyter's kernels belong to another environment", "Jupyter 内核属于另一个环境"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=(
        "torch-not-installed",
        "torch-cuda-unavailable",
        "cpu-only-torch-build",
        "user-site-packages-shadow-env",
        "torch-version-unexpected",
        "cpu-only-tensorflow",
    ),
    references=(
        Reference(
            "IPython: kernels for different environments",
            "https://ipython.readthedocs.io/en/stable/install/kernel_install.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"jupyter|notebook|ipykernel|\bkernel\b.{0,30}(?:env|python)|VS ?Code|内核|jupyterlab",
                r"(?:other|different|another|base|wrong|old|global|system|first) (?:conda )?(?:env|"
                r"environment|python|interpreter|kernel|one)|(?:from|in|of) (?:the )?base\b|"
                r"sys\.executable|which (?:python|jupyter)|ipykernel install|kernelspec|kernel\.json|"
                r"(?:no|not|without|have|had) (?:installed )?(?:jupyter|ipykernel)|base 环境|别的环境|"
                r"另一个环境|其他环境",
                r"No module named|not (?:found|installed|available)|is_available|\bFalse\b|cpu|"
                r"wrong version|version|import|works in (?:the )?(?:terminal|shell|console)|终端|"
                r"不可用|找不到",
            ),
            none=(
                r"LD_LIBRARY_PATH",
                r"libcu\w+\.so|libcudnn",
                r"nvidia-smi: command",
                r"refused|port \d|8888",
            ),
        ),
    ),
    next_command="jupyter kernelspec list; python -m ipykernel --version",
)
def jupyter_kernel_from_other_env(jupyter: Jupyter, python: Python, torch: Torch) -> Iterator[Hit]:
    absolute = {name: row for name, row in jupyter.kernels.items() if row.interpreter.startswith("/")}
    if len(absolute) < len(jupyter.kernels) or any(row.own for row in absolute.values()):
        return
    there = {name: row for name, row in absolute.items() if row.exists}
    if not there or any(row.torch for row in there.values()):
        return
    name, kernel = next(iter(there.items()))
    yield Hit(
        kind=Kind.RISK,
        severity=Severity.NOTE,
        subject="python",
        summary=message(
            "Jupyter kernel {name} starts {interpreter}, which has no torch; {python} has torch {version}",
            "Jupyter 内核 {name} 启动的是没有 torch 的 {interpreter}；{python} 里有 torch {version}",
            name=name,
            interpreter=kernel.interpreter,
            python=python.executable,
            version=torch.version,
        ),
        because=cite(f"jupyter[{name}].interpreter", f"jupyter[{name}].torch", "torch.version"),
        remedy=_register(python),
    )


def _register(python: Python) -> Remedy:
    why = message("lets Jupyter start this interpreter", "让 Jupyter 能启动这个解释器")
    return Remedy(
        message("register a kernel of this environment", "把这个环境注册为内核"),
        (
            Step(Verb.PIP_INSTALL, why, {"python": python.executable, "requirement": "ipykernel"}),
            Step(
                Verb.INSTRUCT,
                message(
                    "{python} -m ipykernel install --user --name NAME",
                    "{python} -m ipykernel install --user --name 名称",
                    python=python.executable,
                ),
            ),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
