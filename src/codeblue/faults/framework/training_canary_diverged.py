"""
## What it means
A short training with a known start and known data did not go as it must: its final loss is no number, or
outside of what other orders of the same batches give by chance. Real trainings in this environment end
worse, or in NaN.

## Why it happens
An operation computes wrongly or with far too little precision, an optimiser or a layer was patched, or the
chip makes mistakes. The same training is computed in float64 on the processor, in five orders of the
batches; the band is the prediction interval for one more such run.

## When it is not a fault
One healthy run of a thousand is outside by chance: run it again. TF32 and other algorithms stay well within.

## What to do
The other findings name the operation, if one is wrong by itself. If none is, compare the environment with
one that works: `codeblue trial numerics --against python:PATH` or a saved fingerprint.

## How safe the fix is
Looking changes nothing.
"""

from collections.abc import Iterator

from codeblue.model.facts import NumericsBase, NumericsTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.band import Band, band
from codeblue.model.numerics.difference import compared
from codeblue.model.numerics.precision import place
from codeblue.model.section import was_read
from codeblue.model.text import Text, message


@fault(
    "training-canary-diverged",
    title=Text("A short training does not go as it must", "短训练的走势不正常"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    symptom=True,
    references=(
        Reference(
            "NIST: critical values of Student's t distribution",
            "https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm",
            "2026-12-01",
        ),
    ),
    next_command="codeblue trial numerics --against python:PATH",
)
def training_canary_diverged(
    numerics_trial: NumericsTrial, *, numerics_base: NumericsBase | None = None
) -> Iterator[Hit]:
    outside: dict[str, Band] = {}
    for one in compared(numerics_base, numerics_trial) if numerics_base else ():
        if one.canary is not None and one.canary.left:
            outside[one.index] = one.canary
    for index, device in numerics_trial.devices.items():
        if was_read(device, "canary"):
            here = band(device.canary.losses, device.canary)
            if here.left:
                outside[index] = here
    for index, found in outside.items():
        yield _hit(index, place(index, numerics_trial.devices[index]), found)


def _hit(index: str, where: str, found: Band) -> Hit:
    return Hit(
        subject=where,
        certainty=Certainty.LIKELY,
        summary=message(
            "{where}: the loss of a short training ends at {loss}; by chance it is between {low} and {high}",
            "{where}：短训练的损失最终为 {loss}，而随机波动只在 {low} 与 {high} 之间",
            where=where,
            loss=f"{found.loss:.3g}" if found.loss >= 0 else "NaN",
            low=f"{found.low:.3g}",
            high=f"{found.high:.3g}",
        ),
        because=cite(f"numerics_trial[{index}].canary.losses", f"numerics_trial[{index}].canary.exact"),
    )
