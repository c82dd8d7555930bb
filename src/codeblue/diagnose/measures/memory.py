"""How fast memory is, and whether it keeps its values."""

from collections.abc import Iterator

from codeblue.diagnose.measures.gpu import device_name, subject
from codeblue.knowledge import ceilings
from codeblue.model.facts.trials.memory import HostTransfers, MemoryTried
from codeblue.model.measure import Better, Measure
from codeblue.model.section import State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

COPY = message("copy within the device", "设备内拷贝")
TRIAD = message("triad within the device", "设备内 triad")
WRONG = message("wrong values in the pattern test", "写读测试中的错误值")


def measures(view: View) -> Iterator[Measure]:
    """Yield speeds of each device, and how many values its memory lost."""
    trial = view.memory_trial
    for index, device in trial.devices.items() if trial.state is State.READ else ():
        name, about = device_name(view, index), subject(view, index)
        yield from _own(about, device, ceilings.memory_gbs(name) if name else None)
        if was_read(device, "host") and device.host.error is None:
            yield from _host(about, device.host, ceilings.pcie_gbs(name) if name else None)


def _own(about: str, device: MemoryTried, ceiling: float | None) -> Iterator[Measure]:
    if was_read(device, "device") and device.device.error is None:
        yield _speed(about, "copy", COPY, device.device.copy_gbs, ceiling)
        yield _speed(about, "triad", TRIAD, device.device.triad_gbs, ceiling)
    if was_read(device, "pattern") and device.pattern.error is None:
        yield Measure(
            trial="memory",
            subject=about,
            key="pattern-wrong",
            name=WRONG,
            value=float(device.pattern.wrong),
            unit="",
            better=Better.LOWER,
            note=message("{mib} MiB tested", "测试了 {mib} MiB", mib=device.pattern.bytes >> 20),
        )


def _host(about: str, host: HostTransfers, ceiling: float | None) -> Iterator[Measure]:
    for node, row in host.nodes.items():
        to = message(
            "host to device, pinned, NUMA node {node}", "主机到设备，锁页，NUMA 节点 {node}", node=node
        )
        back = message(
            "device to host, pinned, NUMA node {node}", "设备到主机，锁页，NUMA 节点 {node}", node=node
        )
        yield _speed(about, f"to-device-node{node}", to, row.to_gbs, ceiling)
        yield _speed(about, f"from-device-node{node}", back, row.from_gbs, ceiling)
    to = message("host to device, pageable", "主机到设备，非锁页")
    back = message("device to host, pageable", "设备到主机，非锁页")
    yield _speed(about, "to-device-pageable", to, host.pageable_to_gbs, ceiling)
    yield _speed(about, "from-device-pageable", back, host.pageable_from_gbs, ceiling)


def _speed(about: str, key: str, name: Message, value: float, ceiling: float | None) -> Measure:
    return Measure(
        trial="memory", subject=about, key=f"{key}-gbs", name=name, value=value, unit="GB/s", ceiling=ceiling
    )
