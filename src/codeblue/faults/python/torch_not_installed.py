"""
## What it means
The interpreter that was looked at has no torch. Either it is not installed at all, or it is installed
for another interpreter and the job uses the wrong one.

## Why it happens
`pip` and `python` on the path belong to different environments, the environment was not activated in
this shell, in the batch script or in the notebook's kernel, or `sudo` brought another `PATH`. While
packages such as flash-attn are being built, pip uses a fresh environment without torch: the message is
the same although torch is installed.

## When it is not a fault
A machine whose jobs bring their own environment or run in containers needs no torch in the system's
Python. codeblue then says only `possible`; name the job's interpreter to be sure. Nothing is said where
no GPU is, or where another framework is installed.

## What to do
Ask the job for its interpreter: `python -c "import sys; print(sys.executable)"` in the same shell. If
another interpreter has torch, use that one. Else install torch with the job's own interpreter, `python
-m pip`, never with a bare `pip`. For builds that need torch add `--no-build-isolation`.

## How safe the fix is
Installing adds packages to that environment alone. Do not install into the system's Python; make a
virtual environment.
"""

from collections.abc import Iterator

from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out, other_framework
from codeblue.model.facts import Container, Host, Loader, Nodes, Pci, Python, Torch
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, Text, message


@fault(
    "torch-not-installed",
    title=Text("The interpreter in use has no torch", "所用的解释器里没有 torch"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-version-unexpected",),
    references=(
        Reference("PyTorch: start locally", "https://pytorch.org/get-started/locally/", "2026-11-30"),
        Reference(
            "Python packaging: pip and virtual environments",
            "https://packaging.python.org/en/latest/guides/installing-using-pip-and-virtual-environments/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"No module named ['\x22]?torch\b['\x22]?(?:[^.]|$)|torch (?:is )?not (?:found|"
                r"installed)|找不到 ?torch|没有 ?torch",
                r"pip (?:list|show|install|3)|conda|sys\.executable|which (?:python|pip)|env|venv|"
                r"sudo|Building wheel|build isolation|flash|解释器|环境",
            ),
            none=(r"jupyter|notebook|ipykernel|kernelspec",),
        ),
    ),
    signatures=(
        Signature("No module named 'torch'", r"ModuleNotFoundError: No module named 'torch'(?:$|[^\w.])"),
        Signature("No module named torch", r"ImportError: No module named torch\s*$"),
        Signature("No module named", r"No module named ['\x22]?torch['\x22]?\s*$"),
        Signature(
            "orch",
            r"(?:^|: )(?:PyTorch|[Tt]orch) is not installed|Please install (?:PyTorch|torch)\b",
            Certainty.POSSIBLE,
        ),
    ),
    next_command='python -c "import sys; print(sys.executable)"; python -m pip list | grep -i torch',
)
def torch_not_installed(
    python: Python,
    torch: Torch | None,
    host: Host,
    container: Container | None,
    nodes: Nodes | None,
    pci: Pci | None = None,
    loader: Loader | None = None,
) -> Iterator[Hit]:
    missing = _missing(python, torch)
    if missing is None or other_framework(python):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host):
        return
    others = python.other_torches
    unsure = python.environment == "system" and container is None and not others
    yield Hit(
        subject="python",
        summary=_summary(python, others),
        because=cite("python.executable", missing, "python.other_torches", gpu),
        certainty=Certainty.POSSIBLE if unsure else Certainty.LIKELY,
        remedy=_install(python, others),
    )


def _missing(python: Python, torch: Torch | None) -> str | None:
    """Return the fact that shows that torch is missing; a folder without code is none either."""
    if torch is None:
        return "torch.state"
    empty = torch.namespace_only and "torch" not in python.distributions
    return "torch.namespace_only" if empty else None


def _summary(python: Python, others: list[str]) -> Message:
    if not others:
        return message("{python} has no torch", "{python} 没有安装 torch", python=python.executable)
    return message(
        "{python} has no torch; installed for: {others}",
        "{python} 没有安装 torch；装有 torch 的是：{others}",
        python=python.executable,
        others=", ".join(others),
    )


def _install(python: Python, others: list[str]) -> Remedy:
    why = message(
        "installs for this interpreter; if the job belongs to another one, start it with that instead",
        "为这个解释器安装；如果任务属于另一个解释器，请改用那一个启动",
    )
    step = Step(Verb.PIP_INSTALL, why, {"python": python.executable, "requirement": "torch"})
    if not others:
        return _remedy(message("install torch for this interpreter", "为这个解释器安装 torch"), step)
    use = message(
        "start the job with {other}, or install torch here",
        "用 {other} 启动任务，或在这里安装 torch",
        other=others[0],
    )
    return _remedy(use, step)


def _remedy(summary: Message, step: Step) -> Remedy:
    return Remedy(summary, (step,), Automation.APPROVAL, Undo.COMPENSATING)
