"""How fast GPUs copy to each other."""

from collections.abc import Iterator

from codeblue.diagnose.measures import pairs
from codeblue.diagnose.measures.gpu import device_name
from codeblue.knowledge import ceilings
from codeblue.model.facts import Pair
from codeblue.model.measure import Better, Measure
from codeblue.model.section import NotRead, State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

ONE_WAY = message("copy", "拷贝")
BOTH_WAYS = message("copies both ways at once", "双向同时拷贝")
LATENCY = message("small copy", "小块拷贝")


def measures(view: View) -> Iterator[Measure]:
    """Yield bandwidths and latency of each ordered pair."""
    trial = view.links_trial
    for row in trial.devices.values() if trial.state is State.READ else ():
        for key, pair in row.pairs.items() if was_read(row, "pairs") else ():
            yield from _of_pair(view, key, pair)


def _of_pair(view: View, key: str, pair: Pair) -> Iterator[Measure]:
    one, other = key.split("-")
    most = _ceiling(view, one, other)
    if was_read(pair, "gbs"):
        yield _speed(key, "gbs", ONE_WAY, pair.gbs, most)
    if was_read(pair, "both_gbs") and int(one) < int(other):
        yield _speed(key, "both-gbs", BOTH_WAYS, pair.both_gbs, 2 * most if most else None)
    if was_read(pair, "latency_us"):
        yield Measure(
            trial="links",
            subject=_subject(key),
            key="latency",
            name=LATENCY,
            value=pair.latency_us,
            unit="µs",
            better=Better.LOWER,
        )


def _speed(key: str, name: str, words: Message, value: float, ceiling: float | None) -> Measure:
    return Measure(
        trial="links",
        subject=_subject(key),
        key=name,
        name=words,
        value=value,
        unit="GB/s",
        ceiling=ceiling,
    )


def _subject(key: str) -> str:
    one, other = key.split("-")
    return f"gpu:{one}-gpu:{other}"


def _ceiling(view: View, one: str, other: str) -> float | None:
    """Return what the way between two GPUs carries in one direction, GB/s; None if it is not known."""
    name, between = device_name(view, one), pairs.peer(view, one, other)
    if name is None or between is None or name != device_name(view, other):
        return None
    if was_read(between, "nvlink") and between.nvlink == "ok":
        return _over_nvlink(view, name, one, other)
    reach = was_read(between, "read") and between.read == "ok"
    return ceilings.pcie_gbs(name) if reach else None


def _over_nvlink(view: View, name: str, one: str, other: str) -> float | None:
    whole, number = ceilings.nvlink_gbs(name), pairs.nvml_number(view, one)
    try:
        every = len(view.fabric.gpus[number or ""].links)
    except (NotRead, AttributeError, KeyError):
        return None
    count = pairs.nvlinks(view, one, other)
    return whole * count / every if whole and every and count else None
