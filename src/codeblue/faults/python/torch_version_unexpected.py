"""
## What it means
The torch of the judged interpreter is not the version that the site's codeblue.toml asks for, or there is
none. Results, speed and checkpoints may differ from those of the other jobs. Where the expectation comes
from is in the evidence: the file behind `expectations`. Without a codeblue.toml nothing is expected and
this is never said.

## Why it happens
Another environment is active than was meant, a requirement without an upper bound pulled a newer torch, or
the image is older than the file.

## When it is not a fault
A job that brings its own environment on purpose: the site's file describes the site's environment; waive
it, or leave `torch` out. `2.11.*` and `2.11` mean every 2.11 release, whatever CUDA it was built with; only
a rule like `2.11.0+cu130` looks at that. `>=` compares numbers alone, so that a vendor's pre-release
`2.12.0a0` counts as 2.12.

## What to do
See which interpreter was judged (`python.executable`). If it is the wrong one, start the job with the right
one and name it: `codeblue check python:PATH`. Otherwise install the version into a new environment. The
remedy names the build of that version which fits the driver, the GPUs and this interpreter.

## How safe the fix is
A new environment touches no running job. Changing torch in place changes what extensions were built
against; rebuild them.
"""

from collections.abc import Iterator

from codeblue.faults.python.torch_wheel import names, wished
from codeblue.knowledge.versions import satisfies
from codeblue.model.facts import Driver, Expectations, Host, Nvml, Python, Torch
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

CHOOSE = Remedy(
    message("use the site's environment, or correct the expectation", "使用站点的环境，或改正期望值"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "start the job with the interpreter that has the version, or install it in a new environment",
                "用装有该版本的解释器启动任务，或在新环境中安装",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "torch-version-unexpected",
    title=Text("torch is not the version that the site expects", "torch 版本与站点的期望不符"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    remedy=CHOOSE,
    next_command='python -c "import sys, torch; print(sys.executable, torch.__version__)"',
)
def torch_version_unexpected(
    expectations: Expectations,
    torch: Torch | None,
    *,
    python: Python | None = None,
    host: Host | None = None,
    driver: Driver | None = None,
    nvml: Nvml | None = None,
) -> Iterator[Hit]:
    rule = expectations.torch
    if rule is None:
        return
    here = None if torch is None or torch.namespace_only else torch
    if here is not None and satisfies(here.version, rule):
        return
    remedy = _or_here(wished(python, here, host, driver, names(nvml), rule))
    if torch is None or here is None:
        summary = message(
            "this interpreter has no torch, the site expects {rule}",
            "这个解释器没有 torch，站点期望 {rule}",
            rule=rule,
        )
        missing = "torch.state" if torch is None else "torch.namespace_only"
        because = cite(missing, "expectations.torch")
        yield Hit(subject="torch", variant="none", summary=summary, because=because, remedy=remedy)
    else:
        summary = message(
            "torch {version} is installed, the site expects {rule}",
            "安装的是 torch {version}，站点期望 {rule}",
            version=torch.version,
            rule=rule,
        )
        yield Hit(
            subject="torch",
            summary=summary,
            because=cite("torch.version", "expectations.torch"),
            remedy=remedy,
        )


def _or_here(wheels: Remedy | None) -> Remedy | None:
    """Put the choice of an interpreter, which no fact makes, before the wheels for this one."""
    if wheels is None:
        return None
    steps = (*CHOOSE.steps, *wheels.steps)
    return Remedy(CHOOSE.summary, steps, Automation.HUMAN, Undo.COMPENSATING)
