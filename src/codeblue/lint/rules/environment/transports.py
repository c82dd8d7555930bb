"""Transports of NCCL that a variable forbids, and interfaces that lead nowhere."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.setting import Settings
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import Text, message

FORBIDDEN = {
    ("NCCL_P2P_DISABLE", "1"): Text("NVLink and PCIe copies between GPUs", "GPU 之间的 NVLink 和 PCIe 直传"),
    ("NCCL_P2P_LEVEL", "LOC"): Text("NVLink and PCIe copies between GPUs", "GPU 之间的 NVLink 和 PCIe 直传"),
    ("NCCL_SHM_DISABLE", "1"): Text("shared memory between ranks of a node", "同一节点内的共享内存传输"),
}
WITHOUT_ADAPTERS = {("NCCL_IB_DISABLE", "1"): Text("InfiniBand and RoCE", "InfiniBand 和 RoCE")}
"""Right on every cluster that has none."""


@rule("nccl-transport-disabled-by-env")
def transports_are_open(settings: Settings) -> Iterator[Problem]:
    """Right as a workaround; slow where the hardware works."""
    yield from _forbidden(settings, FORBIDDEN)


@rule("nccl-transport-disabled-by-env", pedantic=True)
def adapters_are_open(settings: Settings) -> Iterator[Problem]:
    """Slow between nodes that have adapters."""
    yield from _forbidden(settings, WITHOUT_ADAPTERS)


def _forbidden(settings: Settings, table: dict[tuple[str, str], Text]) -> Iterator[Problem]:
    for one in settings.settings:
        lost = table.get((one.name, one.value or ""))
        if lost is not None:
            yield Problem(
                place=one.place,
                message=message(
                    f"{{name}}={{value}} forbids {lost.en}; where the hardware has it, the job gets slow",
                    f"{{name}}={{value}} 禁用了{lost.zh}；硬件支持时任务会变慢",
                    name=one.name,
                    value=one.value,
                ),
                certainty=Certainty.POSSIBLE,
                kind=Kind.RISK,
                severity=Severity.NOTE,
            )


@rule("nccl-picked-loopback")
def interface_leaves_the_node(settings: Settings) -> Iterator[Problem]:
    """``lo`` reaches no other node; an exclusion without ``lo`` makes it a candidate."""
    for one in settings.settings:
        if one.name not in ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME") or one.value is None:
            continue
        names = [name.strip() for name in one.value.lstrip("^=").split(",")]
        excluded = one.value.startswith("^")
        if (not excluded and names == ["lo"]) or (
            excluded and one.name.startswith("NCCL") and not any("lo".startswith(name) for name in names)
        ):
            yield Problem(
                place=one.value_place or one.place,
                message=message(
                    "{name}={value} lets NCCL take the loopback interface: it reaches no other node",
                    "{name}={value} 让 NCCL 使用回环接口：连不上其他节点上的 rank",
                    name=one.name,
                    value=one.value,
                ),
                certainty=Certainty.POSSIBLE,
                kind=Kind.RISK,
                severity=Severity.WARNING if not excluded else Severity.NOTE,
            )


RULES = (transports_are_open, adapters_are_open, interface_leaves_the_node)
