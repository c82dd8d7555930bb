"""The links of a machine as a picture: the way between each pair of GPUs, and what it carries."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text as Rich

from codeblue.diagnose.measures import pairs
from codeblue.model.facts import LinksTried, Pair
from codeblue.model.section import NotRead, State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import Text
from codeblue.report.escape import line
from codeblue.report.trial.rows import number

COLUMNS = 8
"""GPUs side by side: so many fit into 80 columns."""
SLOW = 0.7
"""Part of the best pair that takes the same way, below which a cell stands out."""

LEGEND = Text(
    "GB/s of copies from the GPU of the row to that of the column",
    "从行所在 GPU 拷贝到列所在 GPU 的速度，GB/s",
)
WORDS = {
    "NV": Text("NVLinks", "NVLink 条数"),
    "PIX": Text("one PCIe switch", "同一 PCIe 交换芯片"),
    "PXB": Text("several PCIe switches", "多级 PCIe 交换芯片"),
    "PHB": Text("the processor's host bridge", "CPU 主桥"),
    "NODE": Text("host bridges of one NUMA node", "同一 NUMA 节点的多个主桥"),
    "SYS": Text("between processors", "跨 CPU 插槽"),
}
HOST = Text("* no peer access: through main memory", "* 不能直接互访：绕行主内存")
WRONG = Text("! data arrived changed", "! 数据在传输中被改变")
NICS = Text("network", "网卡")


def picture(view: View, lang: str) -> RenderableType | None:
    """Return the matrix of all pairs with a legend; None if no pair was measured."""
    row = _row(view)
    if row is None:
        return None
    names = sorted({name for key in row.pairs for name in key.split("-")}, key=int)
    cells = {key: _cell(view, key, pair) for key, pair in row.pairs.items()}
    slow = set(_slow(view, row.pairs))
    blocks: list[RenderableType] = [
        _matrix(names, names[first : first + COLUMNS], cells, slow) for first in range(0, len(names), COLUMNS)
    ]
    near = Rich(
        "; ".join(f"NUMA {node}: gpu {', '.join(gpus)}" for node, gpus in _nodes(view, names).items())
    )
    return Group(
        *blocks, Rich(_legend(cells, lang), "dim"), *([near] if near else []), *_adapters(view, lang)
    )


def _row(view: View) -> LinksTried | None:
    trial = view.links_trial
    try:
        rows = list(trial.devices.values()) if trial.state is State.READ else []
    except (NotRead, AttributeError):
        return None
    return next((row for row in rows if was_read(row, "pairs") and row.pairs), None)


def _matrix(names: list[str], shown: list[str], cells: dict[str, str], slow: set[str]) -> Table:
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    grid.add_column("", no_wrap=True)
    for name in shown:
        grid.add_column(f"gpu:{name}", justify="right", no_wrap=True)
    for name in names:
        told = [
            Rich("-" if name == other else cells.get(f"{name}-{other}", "?"), _style(name, other, slow))
            for other in shown
        ]
        grid.add_row(Rich(name, "bold"), *told)
    return grid


def _style(one: str, other: str, slow: set[str]) -> str:
    return "yellow" if f"{one}-{other}" in slow else ""


def _cell(view: View, key: str, pair: Pair) -> str:
    one, other = key.split("-")
    way = pairs.path(view, one, other)
    if pair.error is not None or not was_read(pair, "gbs"):
        return f"{way} ?"
    sign = "!" if was_read(pair, "wrong") and pair.wrong else ""
    sign += "*" if was_read(pair, "access") and not pair.access else ""
    return f"{way} {number(pair.gbs)}{sign}"


def _slow(view: View, found: dict[str, Pair]) -> Iterator[str]:
    """Yield the pairs that stay behind the best one of the same way."""
    best: dict[str, float] = {}
    ways = {key: pairs.path(view, *key.split("-")) for key in found}
    speeds = {key: pair.gbs for key, pair in found.items() if was_read(pair, "gbs")}
    for key, speed in speeds.items():
        best[ways[key]] = max(best.get(ways[key], 0.0), speed)
    yield from (key for key, speed in speeds.items() if speed < SLOW * best[ways[key]])


def _legend(cells: dict[str, str], lang: str) -> str:
    ways = {cell.split()[0] for cell in cells.values()}
    known = [
        f"{short} {text.say(lang)}"
        for short, text in WORDS.items()
        if short in ways or (short == "NV" and any(way.startswith("NV") for way in ways))
    ]
    signs = [
        text.say(lang) for sign, text in (("*", HOST), ("!", WRONG)) if any(sign in c for c in cells.values())
    ]
    return "\n".join([LEGEND.say(lang), "; ".join([*known, *signs])]).strip()


def _nodes(view: View, names: list[str]) -> dict[int, list[str]]:
    """Return the GPUs of each NUMA node where the kernel tells."""
    found: dict[int, list[str]] = {}
    for name in names:
        try:
            node = view.pci.functions[view.cuda.devices[name].pci or ""].numa
        except (NotRead, AttributeError, KeyError):
            continue
        if node is not None:
            found.setdefault(node, []).append(name)
    return found


def _adapters(view: View, lang: str) -> Iterator[RenderableType]:
    """Yield a line for each RDMA device: its ports, and its NUMA node."""
    try:
        devices = view.network.rdma
    except (NotRead, AttributeError):
        return
    for name, device in devices.items():
        ports = ", ".join(
            " ".join(filter(None, (port.rate if was_read(port, "rate") else "", port.state)))
            for port in device.ports.values()
            if was_read(port, "state")
        )
        node = device.numa if was_read(device, "numa") else None
        near = f", NUMA {node}" if node is not None else ""
        yield Rich(line(f"{NICS.say(lang)} {name}: {ports}{near}"))
