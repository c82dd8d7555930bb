"""
## What it means
A GPU is of another model than the site's codeblue.toml allows. Jobs may run, but slower, with less memory
or without a number format that they were tuned for. Where the expectation comes from is in the evidence:
the file behind `expectations`. Without a codeblue.toml nothing is expected and this is never said.

## Why it happens
The cloud gave an instance of another type, a GPU was replaced by a similar one, a node joined the wrong
partition, or the file was written for other machines.

## When it is not a fault
A mixed cluster: list all models that are allowed, or give each kind of machine a `[[host]]` table. The
words of the expectation must follow each other in the name, in any case: `H100` allows every H100, `A100
SXM4 80GB` only that one, and `L4` does not allow an L40.

## What to do
`nvidia-smi -L` prints the names. Move the job or the node to where it belongs, or correct the file.

## How safe the fix is
Looking changes nothing. The expectation is only compared; codeblue changes no hardware.
"""

import re
from collections.abc import Iterator

from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Expectations, Nvml
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

MOVE = Remedy(
    message("use a machine of the expected kind, or correct the expectation", "换用期望的机型，或改正期望值"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "`nvidia-smi -L` prints the names; check instance type, partition and recent repairs",
                "`nvidia-smi -L` 打印名称；检查实例类型、分区和最近的维修",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-model-unexpected",
    title=Text("A GPU is of a model that the site does not expect", "GPU 型号与站点的期望不符"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    remedy=MOVE,
    next_command="nvidia-smi -L",
)
def gpu_model_unexpected(expectations: Expectations, nvml: Nvml) -> Iterator[Hit]:
    allowed = expectations.gpu
    if allowed is None:
        return
    other = {i: gpu.name for i, gpu in gpus(nvml).items() if not any(_is(gpu.name, a) for a in allowed)}
    if other:
        yield Hit(
            subject=f"gpu:{next(iter(other))}" if len(other) == 1 else "host",
            summary=message(
                "GPU {gpus}: {names}; the site expects {allowed}",
                "GPU {gpus} 是 {names}，站点期望 {allowed}",
                gpus=", ".join(other),
                names=", ".join(dict.fromkeys(other.values())),
                allowed=" / ".join(allowed),
            ),
            because=cite(*(f"nvml.gpus[{index}].name" for index in list(other)[:3]), "expectations.gpu"),
        )


def _is(name: str, allowed: str) -> bool:
    """True if the allowed words follow each other in the name."""
    return f" {_words(allowed)} " in f" {_words(name)} "


def _words(name: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))
