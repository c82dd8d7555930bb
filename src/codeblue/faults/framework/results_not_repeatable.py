"""
## What it means
The same operation with the same inputs gave other bits when it was run again in the same process. Two runs
of one training with one seed then part, slowly at first.

## Why it happens
Sums whose order is left to chance: atomic additions on the GPU, split reductions. cuDNN has such algorithms
for the gradients of convolutions, fused attention for its gradients. With `torch.backends.cudnn.benchmark`
the clock chooses among them. A matrix product, a sum or a normalisation repeats its bits in every library
in use: if one does not, something replaces the operator, or the chip computes wrongly.

## When it is not a fault
Without `cudnn.benchmark` and without a promise (`cudnn.deterministic`, `use_deterministic_algorithms`)
gradients of convolutions and of attention may vary on a GPU; that is torch's default and is only counted.
Training tolerates it, comparing bits does not.

## What to do
If runs are to be repeated: `torch.use_deterministic_algorithms(True)`, `torch.backends.cudnn.benchmark =
False`, `CUBLAS_WORKSPACE_CONFIG=:4096:8`. If a product or a sum varies, run `codeblue trial gpu memory`
and look at what patches torch.

## How safe the fix is
Deterministic algorithms cost some speed and refuse a few operators.
"""

from collections.abc import Iterator

from codeblue.model.facts import NumericsTrial, NumericsTried
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.peers import sick
from codeblue.model.numerics.precision import place
from codeblue.model.numerics.repeats import Why, unrepeated
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

WHYS = {
    Why.PROMISED: Text("although deterministic algorithms were asked for", "尽管已要求使用确定性算法"),
    Why.TIMED: Text(
        "cudnn.benchmark lets the clock choose the algorithm", "cudnn.benchmark 由计时决定所用算法"
    ),
    Why.NEVER: Text("no library in use does that", "正常的库不会这样"),
}
REPEAT = Remedy(
    message("ask for deterministic algorithms", "要求使用确定性算法"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "torch.use_deterministic_algorithms(True), torch.backends.cudnn.benchmark = False and "
                "CUBLAS_WORKSPACE_CONFIG=:4096:8 make runs repeatable",
                "使用 torch.use_deterministic_algorithms(True)、torch.backends.cudnn.benchmark = False "
                "和 CUBLAS_WORKSPACE_CONFIG=:4096:8，运行即可重复",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "results-not-repeatable",
    title=Text("The same operation gives other bits when repeated", "同一操作重复运行时比特不同"),
    layer=Layer.FRAMEWORK,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=("environment-computes-differently", "training-canary-diverged"),
    references=(
        Reference(
            "PyTorch: reproducibility",
            "https://docs.pytorch.org/docs/stable/notes/randomness.html",
            "2026-12-01",
        ),
    ),
    remedy=REPEAT,
    next_command="codeblue trial gpu memory",
)
def results_not_repeatable(numerics_trial: NumericsTrial) -> Iterator[Hit]:
    aside = sick(numerics_trial.devices)
    for index, device in numerics_trial.devices.items():
        if index not in aside:
            yield from _of(index, device)


def _of(index: str, device: NumericsTried) -> Iterator[Hit]:
    for why, names in unrepeated(device).items():
        if why is Why.USUAL:
            continue
        never = why is Why.NEVER
        reason = WHYS[why]
        yield Hit(
            subject=place(index, device),
            variant=why.value,
            kind=Kind.TROUBLE if never and "gpu" in device.versions else Kind.RISK,
            severity=Severity.NOTE if why is Why.TIMED else Severity.WARNING,
            certainty=Certainty.LIKELY if never else Certainty.CERTAIN,
            summary=message(
                f"{{where}}: {{names}} gave other bits when repeated; {reason.en}",
                f"{{where}}：{{names}} 重复运行时比特不同；{reason.zh}",
                where=place(index, device),
                names=", ".join(names),
            ),
            because=cite(*(_path(index, name, device) for name in names[:3])),
        )


def _path(index: str, name: str, device: NumericsTried) -> str:
    table = "operations" if name in device.operations else "streams"
    return f"numerics_trial[{index}].{table}[{name}].changed"
