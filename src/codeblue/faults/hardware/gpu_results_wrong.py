"""
## What it means
The same product of the same matrices came out with other bits the second time, one value in it is far from
what it must be, or one GPU of several alike computes other bits than the rest. The GPU computes wrongly and
reports no error. Training goes on with wrong numbers: a loss that jumps to NaN, runs that cannot be
repeated, a model that is worse for no reason.

## Why it happens
A defect of the chip or of its memory that no checksum covers, mostly at certain clocks, voltages and
temperatures; more rarely a power supply at its limit. Large fleets see a few such GPUs among thousands.

## When it is not a fault
Different kinds of GPUs, and different versions of the libraries, round differently: only equal GPUs in one
process environment are compared, and each with itself. Overclocked cards of players do this and work
again at normal clocks.

## What to do
Take the GPU out of work and run `codeblue trial gpu memory --gpus N` a few times, cold and warm. If it
happens again, have the board replaced; the vendor's own test (`dcgmi diag -r 4`) is what they ask for. Do
not trust checkpoints that this GPU took part in.

## How safe the fix is
Draining a GPU changes nothing on it.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.trial_devices import alike
from codeblue.model.facts import Cuda, GpuTrial, GpuTried, NumericsTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.peers import sick
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

FAR = 25.0
"""How far the worst row may be off against the typical one: of 8192 normal values about 6 by chance."""

DRAIN = Remedy(
    message("take the GPU out of work", "停用这块 GPU"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "drain the node, repeat `codeblue trial gpu memory` on it, then have the board replaced",
                "排空节点，在上面重复运行 `codeblue trial gpu memory`，然后更换板卡",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-results-wrong",
    title=Text("A GPU computes wrong results without an error", "GPU 在不报错的情况下算出错误结果"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "collective-results-wrong",
        "operation-results-wrong",
        "training-canary-diverged",
        "environment-computes-differently",
    ),
    references=(
        Reference(
            "Silent data corruptions at scale",
            "https://arxiv.org/abs/2102.11245",
            "2026-12-01",
        ),
    ),
    remedy=DRAIN,
    next_command="codeblue trial gpu memory",
)
def gpu_results_wrong(
    cuda: Cuda | None,
    gpu_trial: GpuTrial | Unread | None = UNREAD,
    *,
    numerics_trial: NumericsTrial | None = None,
) -> Iterator[Hit]:
    rows = gpu_trial.devices if isinstance(gpu_trial, GpuTrial) else {}
    computed = {index: row for index, row in rows.items() if was_read(row, "products")}
    hits = [hit for index, row in computed.items() for hit in _alone(index, row)]
    if cuda and not hits:
        gpus = {index: row for index, row in computed.items() if index in cuda.devices}
        hits = [hit for index in gpus for hit in _beside(index, gpus, cuda)]
    yield from hits
    if numerics_trial:
        told = {hit.subject for hit in hits}
        yield from (hit for hit in _fingerprints(numerics_trial) if hit.subject not in told)


def _fingerprints(trial: NumericsTrial) -> Iterator[Hit]:
    """Yield the GPUs whose fingerprint is not that of their kind."""
    for index, name in sick(trial.devices).items():
        device = trial.devices[index]
        table = "operations" if name in device.operations else "streams"
        yield Hit(
            subject=f"gpu:{index}",
            certainty=Certainty.LIKELY,
            summary=message(
                "GPU {gpu} computes {name} otherwise than its neighbours of the same kind",
                "GPU {gpu} 的 {name} 与同型号的其他 GPU 结果不同",
                gpu=index,
                name=name,
            ),
            because=cite(f"numerics_trial[{index}].{table}[{name}].digest"),
        )


def _alone(index: str, row: GpuTried) -> Iterator[Hit]:
    for kind, product in row.products.items():
        if product.error is not None:
            continue
        where = f"gpu_trial[{index}].products[{kind}]"
        if product.changed:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu}: {count} values of a {kind} product were different the second time",
                    "GPU {gpu}：同一个 {kind} 乘积第二次计算时有 {count} 个值不同",
                    gpu=index,
                    count=product.changed,
                    kind=kind,
                ),
                because=cite(f"{where}.changed", f"{where}.worst_row"),
            )
            return
        if product.worst_row > FAR or product.worst_row < 0:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu}: a value of a {kind} product is far from what it must be",
                    "GPU {gpu}：{kind} 乘积中有一个值与正确值相差很大",
                    gpu=index,
                    kind=kind,
                ),
                because=cite(f"{where}.worst_row", f"{where}.relative_error"),
            )
            return


def _beside(index: str, gpus: dict[str, GpuTried], cuda: Cuda) -> Iterator[Hit]:
    """Yield the GPU that differs from most of those that are like it."""
    for kind, product in gpus[index].products.items():
        others = [peer.products[kind] for peer in alike(index, gpus, cuda) if kind in peer.products]
        digests = [other.digest for other in others if other.error is None and other.size == product.size]
        if product.error is not None or len(digests) < 2 or len(set(digests)) > 1:
            continue
        if product.digest != digests[0]:
            yield Hit(
                subject=f"gpu:{index}",
                certainty=Certainty.LIKELY,
                summary=message(
                    "GPU {gpu} computes other bits in a {kind} product than {count} neighbours of its kind",
                    "GPU {gpu} 的 {kind} 乘积与 {count} 块同型号 GPU 的结果逐位不同",
                    gpu=index,
                    kind=kind,
                    count=len(digests),
                ),
                because=cite(f"gpu_trial[{index}].products[{kind}].digest"),
            )
            return
