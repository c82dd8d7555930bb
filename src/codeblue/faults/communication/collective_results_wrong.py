"""
## What it means
The test (nccl-tests, or `codeblue trial links nccl`) compared what the GPUs got with what they should
have got, and they differ. Training over this path gives wrong gradients: a loss that does not fall, or
NaN, without any error.

## Why it happens
Peer-to-peer copies over PCIe are turned aside by the IOMMU or by access control services (ACS) of a PCIe
switch. Less often a damaged link, memory without ECC, or a release of NCCL or of the driver with a defect.

## When it is not a fault
Tests without verification (`-c 0`) print N/A and say nothing. Values that are wrong with one data type only
may be a limit of the test for that type. `hypercube_perf` counts wrong values on healthy machines as well.

## What to do
`codeblue trial links` copies a random pattern between every pair and names the pairs that change it.
Run it again with `NCCL_P2P_DISABLE=1`. If that cures it, the peer path is to blame: on bare metal boot with
the IOMMU off or in pass-through mode and turn ACS off. If not, use two GPUs at a time to find the one that
all wrong pairs have in common, and look for Xids and PCIe errors of it.

## How safe the fix is
`NCCL_P2P_DISABLE=1` costs speed and nothing else. Turning off the IOMMU needs a reboot and takes away the
protection between virtual machines. Results that were computed over this path are not to be trusted.
"""

from collections.abc import Iterator

from codeblue.faults.communication import collective_trial
from codeblue.model.facts import LinksTrial, NcclTrial, Sightings
from codeblue.model.fault import Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message


@fault(
    "collective-results-wrong",
    title=Text("A collective operation returned wrong values", "集合通信返回了错误的数值"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    symptom=True,
    explains=(),
    references=(
        Reference(
            "NCCL tests: arguments and verification of results",
            "https://github.com/NVIDIA/nccl-tests",
            "2026-11-30",
        ),
        Reference(
            "NCCL: troubleshooting, PCI access control services",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
            "2026-11-30",
        ),
    ),
    signatures=(Signature("Out of bounds values", r"^# *Out of bounds values *: *[1-9]\d* FAILED"),),
    clues=(),
    remedy=Remedy(
        message(
            "find the path that corrupts data, then repair or avoid it",
            "找出破坏数据的通路，然后修复或避开它",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "run the test again with NCCL_P2P_DISABLE=1: if the values are right then, "
                    "turn off the IOMMU or ACS on bare metal; else test pairs of GPUs until one remains",
                    "加上 NCCL_P2P_DISABLE=1 重新测试：若数值变对，则在物理机上关闭 IOMMU 或 "
                    "ACS；否则逐对测试 GPU，直到找出有问题的一块",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="NCCL_P2P_DISABLE=1 ./all_reduce_perf -b 8 -e 128M -f 2 -g 2 -c 1; cat "
    "/proc/cmdline; sudo dmesg | grep -iE 'Xid|AER|IO_PAGE_FAULT'",
)
def collective_results_wrong(
    sightings: Sightings,
    *,
    nccl_trial: NcclTrial | Unread | None = UNREAD,
    links_trial: LinksTrial | Unread | None = UNREAD,
) -> Iterator[Hit]:
    if isinstance(nccl_trial, NcclTrial):
        yield from _collectives(nccl_trial)
    if isinstance(links_trial, LinksTrial):
        yield from _copies(links_trial)


def _collectives(trial: NcclTrial) -> Iterator[Hit]:
    """Judge each operation once: by the rank and size with the most wrong values."""
    worst: dict[str, tuple[int, str, str]] = {}
    for index, row in trial.devices.items():
        for operation, sizes in row.collectives.items() if was_read(row, "collectives") else ():
            for size, one in sizes.items():
                if one.wrong > worst.get(operation, (0, "", ""))[0]:
                    worst[operation] = (one.wrong, index, size)
    for operation, (wrong, index, size) in worst.items():
        way = collective_trial.slowest(trial)
        yield Hit(
            subject="gpus" if collective_trial.ranks(trial) else "job",
            variant=operation,
            summary=message(
                "{operation} of {size} bytes gave rank {rank} {count} wrong values",
                "{size} 字节的 {operation} 让 rank {rank} 得到 {count} 个错误的数值",
                operation=operation,
                size=size,
                rank=trial.devices[index].rank,
                count=wrong,
            ),
            because=cite(
                f"nccl_trial[{index}].collectives[{operation}][{size}].wrong",
                *([f"nccl_trial.log.transports[{way}]"] if way else []),
            ),
        )


def _copies(trial: LinksTrial) -> Iterator[Hit]:
    """Judge the copies between two GPUs; both directions count as one path."""
    for index, row in trial.devices.items():
        spoilt = [
            key
            for key, pair in (row.pairs.items() if was_read(row, "pairs") else ())
            if pair.error is None and was_read(pair, "wrong") and pair.wrong
        ]
        if spoilt:
            first = row.pairs[spoilt[0]]
            how, count = next(iter(first.wrong.items()))
            yield Hit(
                subject="gpus",
                variant="copy",
                summary=message(
                    "copies between GPUs {pairs} arrive changed: {count} words in a {how}",
                    "GPU {pairs} 之间拷贝的数据被改变：{how} 中有 {count} 个字不同",
                    pairs=", ".join(spoilt[:4]),
                    count=count,
                    how=how,
                ),
                because=cite(*(f"links_trial[{index}].pairs[{key}].wrong" for key in spoilt[:4])),
            )
