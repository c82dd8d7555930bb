"""
## What it means
A test of collective operations (nccl-tests, or `codeblue trial nccl`) ran on one machine whose GPUs are
joined by NVLink, and even its large messages reached only a small part of what the links carry. The
data takes another way: PCIe, main memory or sockets. Training works, but each step waits for
communication.

## Why it happens
NCCL was told not to use peer-to-peer transfers (`NCCL_P2P_DISABLE`, `NCCL_P2P_LEVEL`, a line in
/etc/nccl.conf), the links are down, the container or the virtual machine keeps the GPUs apart, or the
ranks cannot see each other's GPUs (one GPU a container). Measured between two H200: 312 GB/s over NVLink,
29 GB/s over shared memory, 3.4 GB/s over sockets.

## When it is not a fault
Several machines are limited by the network, and boards in PCIe slots by their slots: neither is judged
here, nor is a run with a chosen algorithm, protocol or number of channels. In confidential computing mode
a GPU may have no peer-to-peer transfers. Another job on the same GPUs takes its share of the links.

## What to do
Run one test with `NCCL_DEBUG=INFO` and look at the channels: `via P2P` is NVLink or PCIe, `via SHM` is
main memory, `via NET/Socket` is TCP. Lines with `set by environment` name variables that forbid a way.
`codeblue trial nccl --without NCCL_P2P_DISABLE` runs a trial twice and shows the gain.
`nvidia-smi topo -m` must show `NV` between the GPUs, `nvidia-smi nvlink -s` must show active links.

## How safe the fix is
Looking changes nothing. Removing a variable concerns only new jobs.
"""

from collections.abc import Iterator
from typing import NamedTuple

from codeblue.faults.communication import collective_trial
from codeblue.faults.hardware.server_gpus import nvlink_of_socketed
from codeblue.model.facts import CollectiveTest, CollectiveTests, Fabric, NcclTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

LARGE = 256_000_000
"""Bytes of a message from which the time to start it no longer counts."""
PART = 1 / 8
"""Part of one direction of the links. Over NVLink a run reaches two thirds of it (312 of 450 GB/s between
two H200), and a third where a board of four joins each pair by a third of the links; shared memory 6 %."""
HELD = ("NCCL_ALGO", "NCCL_PROTO", "NCCL_MAX_NCHANNELS", "NCCL_MAX_CTAS", "NCCL_NCHANNELS_PER_PEER")
"""Variables that hold NCCL to an algorithm, a protocol or a few channels."""
PURE_MOVES = ("all_gather_perf", "broadcast_perf")
"""Operations without a reduction whose bus bandwidth is comparable to that of the links."""

LOOK = Remedy(
    message("find out which way NCCL takes between the GPUs", "查清 NCCL 在 GPU 之间走的是哪条通路"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run one test with NCCL_DEBUG=INFO, read the channel lines (via P2P, SHM or NET/Socket) and "
                "the variables that are set by environment; then look at nvidia-smi topo -m and nvlink -s",
                "用 NCCL_DEBUG=INFO 跑一次测试，看通道行（via P2P、SHM 还是 NET/Socket）"
                "和 set by environment 列出的变量；再看 nvidia-smi topo -m 和 nvidia-smi nvlink -s",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "nccl-slower-than-nvlink",
    title=Text("NCCL is far slower than the NVLinks of these GPUs", "NCCL 远慢于这些 GPU 的 NVLink"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    symptom=True,
    references=(
        Reference(
            "NCCL tests: performance reported",
            "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
            "2026-12-01",
        ),
        Reference(
            "NCCL: environment variables",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html",
            "2026-12-01",
        ),
    ),
    remedy=LOOK,
    next_command="NCCL_DEBUG=INFO ./all_reduce_perf -b 256M -e 1G -f 2 -g 2 2>&1 | grep -E ' via |set by'; "
    "nvidia-smi topo -m; nvidia-smi nvlink -s",
)
def nccl_slower_than_nvlink(
    collective_tests: CollectiveTests | Unread = UNREAD,
    *,
    nccl_trial: NcclTrial | Unread | None = UNREAD,
    fabric: Fabric | None = None,
) -> Iterator[Hit]:
    if isinstance(collective_tests, CollectiveTests):
        yield from _pasted(collective_tests)
    if isinstance(nccl_trial, NcclTrial):
        yield from _tried(nccl_trial, fabric)


def _tried(trial: NcclTrial, fabric: Fabric | None) -> Iterator[Hit]:
    """Judge a trial on this machine; the slowest way that NCCL took says where the time goes."""
    rows = collective_trial.ranks(trial)
    names = {row.gpu for row in rows.values() if row.gpu}
    best = collective_trial.reached(trial)
    if len(names) != 1 or best is None or not collective_trial.one_machine(trial):
        return
    total = nvlink_of_socketed(names.pop())
    if total is None or best.size < collective_trial.LARGE or best.busbw >= total / 2 * PART:
        return
    if any(name in collective_trial.variables(trial) for name in HELD) or _without_links(fabric):
        return
    way = collective_trial.slowest(trial)
    text = collective_trial.in_words(way) if way else Text("", "")
    yield Hit(
        subject="gpus",
        certainty=Certainty.CERTAIN if way else Certainty.LIKELY,
        variant=way.split("/")[0].lower() if way else None,
        summary=message(
            f"all_reduce of {{count}} × {{gpu}} reaches {{speed}} GB/s {text.en}; "
            "NVLink carries {links} GB/s each way",
            f"{{count}} × {{gpu}} 的 all_reduce {text.zh}，只达到 {{speed}} GB/s；"
            "NVLink 每个方向可达 {links} GB/s",
            count=len(rows),
            gpu=rows[best.row].gpu,
            speed=f"{best.busbw:.3g}",
            links=f"{total / 2:g}",
        ),
        because=cite(best.path, *([f"nccl_trial.log.transports[{way}]"] if way else [])),
    )


def _without_links(fabric: Fabric | None) -> bool:
    """True if the driver offers no NVLink between any two GPUs: a virtual machine may be given them so."""
    if fabric is None or not was_read(fabric, "peers") or not fabric.peers:
        return False
    return not any(was_read(peer, "nvlink") and peer.nvlink == "ok" for peer in fabric.peers.values())


def _pasted(collective_tests: CollectiveTests) -> Iterator[Hit]:
    best = max(_measured(collective_tests), default=None)
    if best is None or collective_tests.tuned or best.speed >= best.links * PART:
        return
    test = collective_tests.tests[best.test]
    rank, gpu = next(iter(test.gpus.items()))
    where = f"collective_tests.tests[{best.test}]"
    yield Hit(
        subject="gpus",
        certainty=Certainty.LIKELY,
        summary=message(
            "{count} × {gpu} on one machine reach {speed} GB/s; their NVLinks carry {links} GB/s each way",
            "同一台机器上的 {count} 块 {gpu} 只达到 {speed} GB/s，而其 NVLink 每个方向可达 {links} GB/s",
            count=len(test.gpus),
            gpu=gpu.name,
            speed=f"{best.speed:g}",
            links=f"{best.links:g}",
        ),
        because=cite(
            f"{where}.transfers[{best.transfer}].bus_bandwidth",
            f"{where}.transfers[{best.transfer}].size_bytes",
            f"{where}.gpus[{rank}].name",
        ),
    )


class _Measured(NamedTuple):
    """One large transfer between GPUs that NVLink joins: both speeds in GB/s, and where it stands."""

    speed: float
    links: float
    test: int
    transfer: int


def _measured(section: CollectiveTests) -> Iterator[_Measured]:
    """Yield the transfers that can be compared to the links. The fastest of all runs counts."""
    for number, test in enumerate(section.tests):
        links = _links(test)
        for place, transfer in enumerate(test.transfers if links else ()):
            comparable = transfer.reduction is not None or test.program in PURE_MOVES
            if links and comparable and transfer.size_bytes >= LARGE and transfer.bus_bandwidth > 0:
                yield _Measured(transfer.bus_bandwidth, links, number, place)


def _links(test: CollectiveTest) -> float | None:
    """Return what the NVLinks of the GPUs carry in one direction, GB/s.

    None unless at least two GPUs of one machine, each with one rank, are all of a kind that is always
    joined by NVLink.
    """
    if not was_read(test, "gpus") or len(test.gpus) < 2:
        return None
    gpus = list(test.gpus.values())
    if len({gpu.machine for gpu in gpus}) > 1 or len({gpu.device for gpu in gpus}) < len(gpus):
        return None
    total = nvlink_of_socketed(gpus[0].name) if len({gpu.name for gpu in gpus}) == 1 else None
    return total / 2 if total else None
