"""What the collectives of a trial reached and which way they took, for the faults that judge them."""

from collections.abc import Iterator
from typing import NamedTuple

from codeblue.model.facts import NcclTrial, NcclTried
from codeblue.model.section import was_read
from codeblue.model.text import Text

LARGE = 32 << 20
"""Bytes of a message from which a trial is compared to the links. The trial leaves larger ones out only
where the way is slow; 64 MB already run at more than half of the final speed between two H200."""

WAYS = {
    "P2P": Text("directly between the GPUs", "GPU 之间直连"),
    "SHM": Text("through shared memory", "经共享内存"),
    "NET/Socket": Text("over TCP", "经 TCP"),
    "NET/IB/GDRDMA": Text("over RDMA, from GPU to adapter", "经 RDMA，GPU 与网卡直通"),
    "NET/IB": Text("over RDMA, through main memory", "经 RDMA，绕行主内存"),
    "NET": Text("over a network plugin", "经网络插件"),
    "NVLS": Text("through the NVSwitches", "经 NVSwitch"),
}
"""By how the name of a transport begins; the longer ones count first."""


class Reached(NamedTuple):
    """One operation at one size, and where it stands."""

    row: str
    operation: str
    size: int
    busbw: float

    @property
    def path(self) -> str:
        """The path of its bandwidth."""
        return f"nccl_trial[{self.row}].collectives[{self.operation}][{self.size}].busbw"


def ranks(trial: NcclTrial) -> dict[str, NcclTried]:
    """Return the rows of the ranks that met others over NCCL."""
    return {
        index: row
        for index, row in trial.devices.items()
        if not row.alone and was_read(row, "backend") and row.backend == "nccl"
    }


def one_machine(trial: NcclTrial) -> bool:
    """True if all ranks ran on the same host."""
    return len({row.host for row in trial.devices.values()}) < 2


def reached(trial: NcclTrial, operation: str = "all_reduce") -> Reached | None:
    """Return the largest message of an operation whose speed was measured; None if none was."""
    return max(_measured(trial, operation), key=lambda one: one.size, default=None)


def _measured(trial: NcclTrial, operation: str) -> Iterator[Reached]:
    for index, row in ranks(trial).items():
        found = row.collectives.get(operation, {}) if was_read(row, "collectives") else {}
        for size, one in found.items():
            if was_read(one, "busbw"):
                yield Reached(index, operation, int(size), one.busbw)


def transports(trial: NcclTrial) -> dict[str, int]:
    """Return the connections by way; empty if NCCL told of none."""
    return trial.log.transports if was_read(trial, "log") else {}


def variables(trial: NcclTrial) -> dict[str, str]:
    """Return the variables that NCCL read."""
    return trial.log.variables if was_read(trial, "log") else {}


def takes(trial: NcclTrial, *ways: str) -> bool:
    """True if some connection takes one of these ways."""
    return any(one.startswith(ways) for one in transports(trial))


def slowest(trial: NcclTrial) -> str | None:
    """Return the transport of the slowest kind that is in use; the others wait for it."""
    for way in ("NET/Socket", "NET", "SHM", "P2P"):
        for one in transports(trial):
            if one.startswith(way):
                return one
    return None


def in_words(transport: str) -> Text:
    """Return a transport in words; its own name if it is not known."""
    known = [way for way in WAYS if transport.startswith(way)]
    if "GDRDMA" in transport and transport.startswith("NET/IB"):
        return WAYS["NET/IB/GDRDMA"]
    return WAYS[max(known, key=len)] if known else Text(transport, transport)
