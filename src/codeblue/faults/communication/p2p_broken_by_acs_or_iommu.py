"""
## What it means
GPUs that talk to each other directly over PCIe (P2P) send their packets through the IOMMU, or are sent a
detour by access control (ACS) in the bridges between them. The driver offers P2P all the same. Copies
between GPUs then fail, hang or return wrong data, and NCCL's first collective never ends.

## Why it happens
The firmware has VT-d or AMD-Vi on, the kernel translates addresses (the default of many distributions),
and the packets of one GPU to the memory of another go where nobody answers. NVIDIA does not support P2P
over PCIe on bare metal with a translating IOMMU. With ACS, request redirection in a PCIe switch sends
every packet up to the processor and back.

## When it is not a fault
NVLink does not pass the IOMMU. Virtual machines need both IOMMU and ACS on the host. Where the driver
offers no P2P (most GeForce cards), NCCL copies through main memory and nothing breaks. Some machines work
in spite of it: without an IOMMU fault in the kernel log, or copies that were seen to arrive changed, it is
only a risk.

## What to do
Try `NCCL_P2P_DISABLE=1`: if the hang is gone, this is it. For good: the kernel parameter `iommu=pt` (or
IOMMU off in the firmware), `update-grub`, reboot. For ACS: switch it off in the firmware, or with
`setpci` on the switch ports at every boot. `codeblue trial links` proves it: it copies random patterns
between all pairs and compares every bit.

## How safe the fix is
`iommu=pt` keeps virtual machines working and takes away protection against faulty devices. Do not switch
ACS off on a host that gives devices to guests. Keep the old boot entry.
"""

from collections.abc import Iterator
from itertools import combinations

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.hardware.xids import gpus, slot
from codeblue.model.facts import Cuda, Fabric, Host, KernelLog, LinksTrial, Nvml, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

TRANSLATING = ("DMA", "DMA-FQ")
"""Types of an IOMMU group in which addresses are translated."""

HANGS = (
    r"hangs?\b|\bhung|hanging|stuck|deadlock|freez|frozen|never (?:returns|finish)"
    r"|卡住|卡死|挂起|挂住|死锁|无响应"
)
"""Somebody says that it stands still."""

REDIRECT = "request-redirect"
BETWEEN = {
    "iommu": (
        "GPUs {pair} are to talk directly over PCIe, through an IOMMU that translates addresses",
        "GPU {pair} 将通过 PCIe 直接通信，而 IOMMU 在其间转换地址",
    ),
    "acs": (
        "GPUs {pair} are to talk directly over PCIe, and ACS redirects their requests",
        "GPU {pair} 将通过 PCIe 直接通信，而 ACS 会重定向它们的请求",
    ),
}
SPOILT = {
    "iommu": (
        "copies between GPUs {pair} arrive changed; an IOMMU that translates addresses stands between them",
        "GPU {pair} 之间拷贝的数据被改变；它们之间隔着会转换地址的 IOMMU",
    ),
    "acs": (
        "copies between GPUs {pair} arrive changed; ACS redirects what they send to each other",
        "GPU {pair} 之间拷贝的数据被改变；ACS 会重定向它们之间的请求",
    ),
}
PASS_THROUGH = Remedy(
    message("let the IOMMU pass addresses through (iommu=pt)", "让 IOMMU 直通地址（iommu=pt）"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "test with NCCL_P2P_DISABLE=1; then add iommu=pt to the kernel parameters and reboot",
                "先用 NCCL_P2P_DISABLE=1 验证；再把 iommu=pt 加入内核参数并重启",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "p2p-broken-by-acs-or-iommu",
    title=Text("IOMMU or ACS stands between the GPUs", "GPU 之间隔着 IOMMU 或 ACS"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=("rank-hung", "collective-results-wrong"),
    references=(
        Reference(
            "CUDA C++ programming guide, IOMMU on Linux",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#iommu-on-linux",
            "2026-11-30",
        ),
        Reference(
            "NCCL: troubleshooting, GPU direct",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "IO_PAGE_FAULT",
            r"nvidia (?P<pci>[0-9a-fA-F:.]+): AMD-Vi: Event logged \[IO_PAGE_FAULT",
            Certainty.POSSIBLE,
        ),
        Signature("ACSCtl:", r"ACSCtl:.*\bReqRedir\+", Certainty.POSSIBLE),
    ),
    clues=(
        Clue(
            all=(
                HANGS,
                r"NCCL_P2P_DISABLE|P2P|peer|all-?reduce|NCCL|multi-?GPU|多卡|互访",
                r"iommu|DMAR|VT-d|AMD-Vi|\bACS\b|ACSCtl|ReqRedir|setpci|\bPLX\b|\bPHB\b"
                r"|CAN Access Peer|CANNOT Access Peer",
            ),
            none=(
                r"tinygrad|patched|-p2p\b|driver.{0,12}\b560\b|NVLink bridge",
                r"ACS (?:is )?(?:already )?(?:off|disabled)|iommu=off|IOMMU (?:is )?(?:off|disabled)",
            ),
        ),
        Clue(
            all=(
                r"iommu|DMAR|VT-d|AMD-Vi|\bACS\b|ACSCtl",
                r"P2P|peer|NCCL|all-?reduce",
                HANGS + r"|wrong (?:data|result)|corrupt|garbage|works?\b|fix|solv|数据错|结果错|解决|正常",
                r"off\b|disabl|iommu=pt|passthrough|关闭|禁用|关掉",
            ),
        ),
    ),
    remedy=PASS_THROUGH,
    next_command="NCCL_P2P_DISABLE=1 YOUR-JOB; cat /sys/bus/pci/devices/*/iommu_group/type | sort | uniq -c",
)
def p2p_broken_by_acs_or_iommu(
    host: Host,
    pci: Pci,
    kernel_log: KernelLog | None = None,
    fabric: Fabric | None = None,
    nvml: Nvml | None = None,
    *,
    cuda: Cuda | None = None,
    links_trial: LinksTrial | Unread | None = UNREAD,
) -> Iterator[Hit]:
    boards = own_gpus(pci)
    if host.hypervisor is not None or host.wsl or len(boards) < 2:
        return
    faults = _faults(kernel_log, boards)
    spoilt = _spoilt(links_trial, cuda, pci) if isinstance(links_trial, LinksTrial) and cuda else None
    if spoilt:
        yield spoilt
    elif faults:
        yield Hit(
            subject="gpus",
            certainty=Certainty.LIKELY,
            variant="iommu-fault",
            summary=message(
                "the IOMMU refused an access of the GPU at {gpu}; this machine has {count} GPUs",
                "IOMMU 拒绝了位于 {gpu} 的 GPU 的一次访问；这台机器有 {count} 块 GPU",
                gpu=slot(faults[0][1]),
                count=len(boards),
            ),
            because=cite(*(f"kernel_log.lines[{position}].text" for position, _ in faults[:3])),
        )
    elif fabric and nvml:
        yield from _risk(pci, fabric, nvml)


def _spoilt(links: LinksTrial, cuda: Cuda, pci: Pci) -> Hit | None:
    """Judge copies that arrived changed, if something stands between the two GPUs."""
    for index, row in links.devices.items():
        for key, pair in row.pairs.items() if was_read(row, "pairs") else ():
            if not (was_read(pair, "wrong") and pair.wrong):
                continue
            ends = [cuda.devices[gpu].pci for gpu in key.split("-") if gpu in cuda.devices]
            found = _between(pci, *ends) if len(ends) == 2 and all(ends) else None
            if found:
                variant, path = found
                return Hit(
                    subject="gpus",
                    certainty=Certainty.CERTAIN,
                    severity=Severity.ERROR,
                    variant=variant,
                    summary=message(*SPOILT[variant], pair=key),
                    because=cite(f"links_trial[{index}].pairs[{key}].wrong", path),
                )
    return None


def _between(pci: Pci, first: str | None, second: str | None) -> tuple[str, str] | None:
    """Return what stands between two GPUs, and the path of the fact that says so."""
    if first not in pci.functions or second not in pci.functions:
        return None
    if pci.functions[first].iommu in TRANSLATING:
        return "iommu", f"pci[{first}].iommu"
    port = _redirecting(pci, first, second)
    return ("acs", f"pci.ports[{port}].access_control") if port else None


def _faults(log: KernelLog | None, boards: list[str]) -> list[tuple[int, str]]:
    """Return position and GPU of the messages in which the IOMMU names one."""
    lines = [
        (position, line) for position, line in enumerate(log.lines if log else []) if line.kind == "iommu"
    ]
    return [
        (position, board)
        for position, line in lines
        for board in boards
        if board in line.text.lower() or f"[{board[5:]}]" in line.text.lower()
    ]


def _risk(pci: Pci, fabric: Fabric, nvml: Nvml) -> Iterator[Hit]:
    """Judge the first two GPUs that would talk over PCIe."""
    known = {index: gpu.pci for index, gpu in gpus(nvml).items() if gpu.pci in pci.functions}
    for one, other in combinations(sorted(known, key=int), 2):
        key = f"{one}-{other}"
        if key not in fabric.peers or not _over_pcie(fabric, key):
            continue
        found = _between(pci, known[one], known[other])
        if found:
            yield _stands(key, *found)
            return


def _over_pcie(fabric: Fabric, key: str) -> bool:
    peer = fabric.peers[key]
    return peer.read == "ok" and peer.nvlink != "ok"


def _redirecting(pci: Pci, one: str, other: str) -> str | None:
    """Return a port of the switch above both GPUs that sends their packets up to the processor."""
    ways = [pci.functions[address].upstream for address in (one, other)]
    common = set(ways[0]) & set(ways[1])
    if not common:
        return None
    below = [port for way in ways for port in way if port not in common]
    return next((port for port in below if REDIRECT in (pci.ports[port].access_control or ())), None)


def _stands(key: str, variant: str, path: str) -> Hit:
    return Hit(
        subject="gpus",
        kind=Kind.RISK,
        certainty=Certainty.POSSIBLE,
        variant=variant,
        summary=message(*BETWEEN[variant], pair=key),
        because=cite(f"fabric.peers[{key}].read", path),
    )
