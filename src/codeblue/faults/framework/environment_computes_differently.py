"""
## What it means
The same operations on the same inputs were measured here and in the environment of the base, and are not the
same. How much it matters is told with it: less exact (an error that is several times that of the base), other
random numbers for the same seed, or other bits within the rounding of the type.

## Why it happens
A flag of torch (TF32, matmul precision, cuDNN benchmark), an environment variable, another version of
torch, cuDNN or cuBLAS, another model of GPU, or a processor with other instructions: what is different
between both is listed, the likeliest first.

## When it is not a fault
Other bits within rounding are normal after any update and between models of GPUs: the note only says that
runs on both sides cannot be compared bit for bit. Random numbers may change between releases of torch.

## What to do
If numbers must agree, make the named settings equal, then the versions. To accept the new environment,
save its fingerprint as the base: `codeblue trial numerics --save FILE`.

## How safe the fix is
Settings change precision and speed of the job alone. Another version of a library concerns all who use the
environment.
"""

from collections.abc import Iterator

from codeblue.model.facts import NumericsBase, NumericsTrial
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.difference import Compared, Difference, Level, compared, worst
from codeblue.model.numerics.precision import place
from codeblue.model.numerics.reasons import Sort
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, Text, message

REASONS = 3
"""Reasons in one sentence; the comparison in the report has more."""

TOLD = {
    Level.LESS_EXACT: Text("{name} is less exact ({old} → {new})", "{name} 更不精确（{old} → {new}）"),
    Level.MORE_EXACT: Text("{name} is more exact ({old} → {new})", "{name} 更精确（{old} → {new}）"),
    Level.LACKING: Text("{name} cannot be computed", "{name} 无法计算"),
    Level.OTHER_RANDOM_NUMBERS: Text(
        "the same seed gives other random numbers ({name})", "同一种子得到不同的随机数（{name}）"
    ),
    Level.ROUNDING: Text(
        "the same within rounding, with other bits in {name}", "在舍入误差内相同，但 {name} 的比特不同"
    ),
}
ALIKE = Remedy(
    message("make both environments equal, or save a new base", "让两个环境一致，或保存新的基准"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "make the named settings and versions equal where numbers must agree; otherwise save the new "
                "base with `codeblue trial numerics --save FILE`",
                "数值必须一致时，把指出的设置和版本改成一样；否则用 `codeblue trial numerics --save 文件` "
                "保存新的基准",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "environment-computes-differently",
    title=Text("This environment computes differently from the base", "此环境的计算结果与基准不同"),
    layer=Layer.FRAMEWORK,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    symptom=True,
    references=(
        Reference(
            "PyTorch: reproducibility",
            "https://docs.pytorch.org/docs/stable/notes/randomness.html",
            "2026-12-01",
        ),
    ),
    remedy=ALIKE,
    next_command="codeblue trial numerics --against FILE -v",
)
def environment_computes_differently(
    numerics_trial: NumericsTrial, numerics_base: NumericsBase
) -> Iterator[Hit]:
    found = worst(compared(numerics_base, numerics_trial))
    if found is None or not found.differences or found.by_chance:
        return
    less = found.level is Level.LESS_EXACT
    unexplained = found.level is Level.ROUNDING and not found.reasons
    yield Hit(
        subject=place(found.index, numerics_trial.devices[found.index]),
        variant=found.level.value,
        kind=Kind.TROUBLE if less else Kind.RISK,
        severity=Severity.WARNING if less or unexplained else Severity.NOTE,
        summary=_summary(found, numerics_base.name),
        because=cite(*_paths(found)),
    )


def _summary(found: Compared, base: str) -> Message:
    """Return in one sentence what is different, in how many operations, and why."""
    first = found.differences[0]
    alike = sum(1 for one in found.differences if one.level is first.level)
    reasons = "; ".join(str(reason) for reason in found.reasons[:REASONS])
    told = TOLD[first.level]
    more = (" and {more} more", "，另有 {more} 个") if alike > 1 else ("", "")
    why = (
        ("because of {why}", "原因：{why}")
        if reasons
        else ("no setting or version is different", "设置和版本都没有差别")
    )
    return message(
        f"against {{base}}: {told.en}{more[0]}; {why[0]}",
        f"与 {{base}} 相比：{told.zh}{more[1]}；{why[1]}",
        base=base,
        name=first.name,
        old=_number(first.old),
        new=_number(first.new),
        more=alike - 1,
        why=reasons,
    )


def _number(error: float | None) -> str:
    if error is None:
        return "–"
    return f"{error:.1e}" if error >= 0 else "NaN"


def _paths(found: Compared) -> Iterator[str]:
    here, there = f"numerics_trial[{found.index}]", f"numerics_base[{found.base_index}]"
    yield from _of_difference(found.differences[0], here, there)
    tables = {Sort.FLAG: "flags", Sort.VARIABLE: "variables"}
    for reason in found.reasons[:REASONS]:
        table = tables.get(reason.sort, "versions")
        if reason.name.startswith("get_num"):
            table = "flags"
        for side, value in ((there, reason.old), (here, reason.new)):
            if value != "–":
                yield f"{side}.{table}[{reason.name}]"


def _of_difference(one: Difference, here: str, there: str) -> Iterator[str]:
    if one.level is Level.OTHER_RANDOM_NUMBERS:
        yield from (f"{side}.streams[{one.name}].digest" for side in (there, here))
        return
    field = "digest" if one.level is Level.ROUNDING else "relative_error"
    table = "streams" if one.old is None else "operations"
    yield f"{there}.{table}[{one.name}].{'digest' if table == 'streams' else field}"
    if one.level is not Level.LACKING:
        yield f"{here}.operations[{one.name}].{field}"
