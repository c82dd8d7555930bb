"""How exact the devices compute, and whether they do it again."""

from collections.abc import Iterator, Mapping

from codeblue.model.facts import Canary, Computed
from codeblue.model.measure import Better, Measure
from codeblue.model.numerics.band import Band, band, deviation
from codeblue.model.numerics.precision import place, split, streams, usable, used
from codeblue.model.section import State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text, message

FAMILIES = {
    "matmul": Text("matrix product", "矩阵乘"),
    "convolution": Text("convolution and its gradients", "卷积及其梯度"),
    "attention": Text("attention and its gradients", "注意力及其梯度"),
    "sums": Text("sums, norms and functions", "求和、归一化与函数"),
    "optimiser": Text("optimiser", "优化器"),
}
MEMBERS = {"adamw": "optimiser", "sgd": "optimiser", "matmul": "matmul"}
"""Family of an operation; convolution and attention are told by the first word, all others are sums."""


def measures(view: View) -> Iterator[Measure]:
    """Yield the worst error of each family and type, what did not repeat, and the loss of the training."""
    trial = view.numerics_trial
    for index, device in trial.devices.items() if trial.state is State.READ else ():
        about = place(index, device)
        rows = usable(device)
        yield from _errors(about, rows)
        if rows:
            yield _repeated(about, {**rows, **streams(device)})
        if was_read(device, "canary"):
            yield from _training(about, device.canary)


def _errors(about: str, rows: Mapping[str, Computed]) -> Iterator[Measure]:
    worst: dict[tuple[str, str], str] = {}
    for name, row in rows.items():
        operation, kind = split(name)
        family = MEMBERS.get(operation, operation.split("-")[0])
        key = (family if family in FAMILIES else "sums", kind)
        if key not in worst or _badness(row) > _badness(rows[worst[key]]):
            worst[key] = name
    order = list(FAMILIES)
    for (family, kind), name in sorted(worst.items(), key=lambda one: (order.index(one[0][0]), one[0][1])):
        row = rows[name]
        narrower = used(name, row) if kind == "fp32" and family in ("matmul", "convolution") else None
        yield Measure(
            trial="numerics",
            subject=about,
            key=f"{family}-{kind}-error",
            name=_named(FAMILIES[family], kind),
            value=row.relative_error,
            unit="",
            better=Better.LOWER,
            note=message("as exact as {kind}", "精度相当于 {kind}", kind=narrower) if narrower else None,
        )


def _named(family: Text, kind: str) -> Message:
    return message(f"error of {{kind}} {family.en}", f"{{kind}} {family.zh}的误差", kind=kind)


def _badness(row: Computed) -> float:
    return row.relative_error if row.relative_error >= 0 else float("inf")


def _repeated(about: str, rows: Mapping[str, Computed]) -> Measure:
    other = sorted(name for name, row in rows.items() if row.changed)
    return Measure(
        trial="numerics",
        subject=about,
        key="not-repeatable",
        name=message("operations with other bits when repeated", "重复运行时比特不同的操作"),
        value=float(len(other)),
        unit="",
        better=Better.LOWER,
        note=message("{names}", "{names}", names=", ".join(other))
        if other
        else message("of {count}", "共 {count} 个", count=len(rows)),
    )


def _training(about: str, canary: Canary) -> Iterator[Measure]:
    where = band(canary.losses, canary)
    yield Measure(
        trial="numerics",
        subject=about,
        key="training-loss",
        name=message("final loss of the short training", "短训练的最终损失"),
        value=where.loss,
        unit="",
        better=Better.LOWER,
        note=_usual(where),
    )
    yield Measure(
        trial="numerics",
        subject=about,
        key="training-deviation",
        name=message("its loss curve against float64", "其损失曲线相对 float64 的偏差"),
        value=deviation(canary),
        unit="",
        better=Better.LOWER,
    )


def _usual(where: Band) -> Message:
    return message(
        "by chance {low} to {high}",
        "随机波动范围 {low} 至 {high}",
        low=f"{where.low:.3g}",
        high=f"{where.high:.3g}",
    )
