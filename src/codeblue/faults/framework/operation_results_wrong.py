"""
## What it means
An operation of torch gave results that no rounding explains: no numbers at all, an error of percents, or one
value far off among right ones. It was compared with float64 on the processor.

## Why it happens
A library with a bug for this chip, kernels built for another architecture, an operator that was patched or
replaced, a mixture of versions of cuDNN or cuBLAS. If every GPU gives the same wrong bits it is software;
if one of several alike does, the finding is `gpu-results-wrong`.

## When it is not a fault
There is no such case: the inputs are ordinary numbers, and float64 knows the result.

## What to do
Run `codeblue trial numerics --against python:PATH` with an interpreter that has another torch, or on
another node: what differs is named. Look for what replaces operators, and for libraries that were put in
front of torch's own (`LD_LIBRARY_PATH`, `LD_PRELOAD`). If the same environment is right on another machine,
it is this GPU or processor.

## How safe the fix is
Looking changes nothing. Do not trust what was trained in this environment.
"""

from collections.abc import Iterator

from codeblue.model.facts import NumericsTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.peers import sick
from codeblue.model.numerics.precision import place, usable, wrong
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

LOOK = Remedy(
    message("find out whether it is the software or the chip", "查清是软件还是芯片的问题"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "compare with another interpreter: `codeblue trial numerics --against python:PATH`; then "
                "with another machine",
                "与另一个解释器比较：`codeblue trial numerics --against python:路径`；再与另一台机器比较",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "operation-results-wrong",
    title=Text("An operation of torch gives wrong results", "torch 的某个操作结果错误"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("training-canary-diverged", "environment-computes-differently"),
    references=(
        Reference(
            "PyTorch: numerical accuracy",
            "https://docs.pytorch.org/docs/stable/notes/numerical_accuracy.html",
            "2026-12-01",
        ),
    ),
    remedy=LOOK,
    next_command="codeblue trial numerics --against python:PATH",
)
def operation_results_wrong(numerics_trial: NumericsTrial) -> Iterator[Hit]:
    aside = sick(numerics_trial.devices)
    for index, device in numerics_trial.devices.items():
        names = [name for name, row in usable(device).items() if wrong(name, row)]
        if not names or index in aside:
            continue
        row = device.operations[names[0]]
        where = f"numerics_trial[{index}].operations[{names[0]}]"
        yield Hit(
            subject=place(index, device),
            certainty=Certainty.LIKELY,
            summary=message(
                "{where}: {names} gives wrong results (relative error {error}, the worst value {peak} times "
                "the usual error)",
                "{where}：{names} 结果错误（相对误差 {error}，最差的值是一般误差的 {peak} 倍）",
                where=place(index, device),
                names=", ".join(names),
                error=f"{row.relative_error:.1e}" if row.relative_error >= 0 else "NaN",
                peak=f"{row.peak:.0f}" if row.peak >= 0 else "–",
            ),
            because=cite(f"{where}.relative_error", f"{where}.peak"),
        )
