"""
## What it means
NCCL decided at start for its TCP transport. The job runs, but data between GPUs goes through host memory
and the kernel's network stack: one to three GB/s where InfiniBand or EFA gives twenty to four hundred.

## Why it happens
It takes what it finds. Usual reasons: no libibverbs in the image, `/dev/infiniband` not in the container, a
port that is not active, `NCCL_IB_DISABLE=1` or `NCCL_NET=Socket` left over in a script or in
`/etc/nccl.conf`, a filter in `NCCL_IB_HCA` that matches nothing, or a cloud network that needs a plugin
(AWS OFI for EFA) which is missing or built for another NCCL. Inside a node: P2P and shared memory both
turned off.

## When it is not a fault
In a cluster without such a network "Using network Socket" is right. On one node the line is printed too and
means nothing, as long as channels say `via P2P` or `via SHM`.

## What to do
Look for `NET/Plugin`, `NET/IB`, `Failed to open libibverbs` and `set by environment` in the log, in this
order. Check the hardware beside NCCL: `ibstat` or `fi_info -p efa`, then `ib_write_bw`. After the repair
the log must say `Using network IB` (or `AWS Libfabric`); measure with `all_reduce_perf`.

## How safe the fix is
Looking changes nothing. `NCCL_NET=IB` makes NCCL stop instead of falling back, which is useful in
production.
"""

from collections.abc import Iterator

from codeblue.faults.communication import collective_trial
from codeblue.model.facts import NcclTrial, Network, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message


@fault(
    "nccl-falls-back-to-socket",
    title=Text(
        "NCCL sends over TCP although a faster way should be there", "本应有更快的通路，NCCL 却走了 TCP"
    ),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("nccl-slower-than-nvlink", "rank-hung"),
    references=(
        Reference(
            "NCCL: environment variables",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html",
            "2026-12-01",
        ),
        Reference(
            "NCCL: troubleshooting",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                "Using network Socket|NET/Socket",
                (
                    r"infiniband|\bIB (?:network|fabric|cluster|NICs?|cards?|switch|ports?|device|"
                    "link|HCA|bandwidth|speed)|(?:over|use|using|uses|via|the) IB(?:[^A-Za-z/_]|$)|"
                    "RoCE|ConnectX|Mellanox|mlx[45]_|IB网|IB 网|RDMA (?:device|NIC|network|card|网)|"
                    "走 IB|走IB"
                ),
            ),
            none=(
                r"single[- ](?:node|machine|host)|(?:one|1) (?:node|machine|host)\b|单机|单节点",
                r"(?:no|without|没有) ?(?:InfiniBand|IB\b|RDMA|RoCE)",
            ),
            certainty=Certainty.POSSIBLE,
        ),
        Clue(
            all=(
                r"(?:send|receive)\] via NET/Socket|via NET/Socket",
                (
                    "NVLink|NVSwitch|single[- ](?:node|machine|host)|(?:one|1) (?:node|machine|"
                    r"host)\b|单机|单节点"
                ),
            ),
            certainty=Certainty.POSSIBLE,
        ),
        Clue(
            all=(
                "Using network Socket|NET/Socket|Could not find: libnccl-net|No plugin found",
                r"\bEFA\b|aws-ofi-nccl|libfabric|NET/OFI|GPUDirect-TCPX|TCPX|gIB\b|p4d|p5\.|p5e",
            ),
            none=(r"single[- ](?:node|machine|host)|(?:one|1) (?:node|machine|host)\b|单机|单节点",),
        ),
        Clue(
            all=(
                "NCCL",
                (
                    "(?:us(?:es|ing)|over|via|falls? back (?:to|on)|fell back to|走|用|回退到?|"
                    r"退回).{0,12}(?:sockets?|TCP|ethernet|eth\d|以太网)"
                ),
                (
                    r"(?:instead of|rather than|not us\w+|not over|not via|doesn't use|does not use|"
                    r"but not|without|没有走|没走|没用|而不是|不走|未使用).{0,16}(?:IB\b|"
                    r"InfiniBand|RDMA|RoCE|EFA|"
                    "NVLink|P2P|IB ?网)"
                ),
            ),
        ),
        Clue(
            all=(
                (
                    r"(?:does not|doesn't|not|never) us(?:e|ing) (?:the )?(?:IB\b|InfiniBand|RDMA|"
                    "RoCE|EFA)|(?:没有走|没走|没有用|没用|未使用|不走).{0,4}(?:IB|InfiniBand|RDMA|RoCE|EFA)"
                ),
                "NCCL|torchrun|deepspeed|Megatron|horovod|训练",
            ),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    remedy=Remedy(
        message("find out why NCCL passed the faster transport over", "查清 NCCL 为什么没有用更快的传输"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "read the first lines of NCCL_DEBUG=INFO on one rank of each node: which "
                    "library, which devices, which variables",
                    "看每个节点上一个 rank 的 NCCL_DEBUG=INFO 开头：加载了哪些库、看到哪些设备、读了哪些变量",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,ENV python train.py 2>&1 | grep "
    "-E 'NET/|Using network|set by environment|via '",
)
def nccl_falls_back_to_socket(
    sightings: Sightings, *, nccl_trial: NcclTrial | Unread | None = UNREAD, network: Network | None = None
) -> Iterator[Hit]:
    if not isinstance(nccl_trial, NcclTrial) or not collective_trial.ranks(nccl_trial):
        return
    if not collective_trial.takes(nccl_trial, "NET/Socket"):
        return
    here = collective_trial.one_machine(nccl_trial)
    port = None if here else _infiniband(network)
    best = collective_trial.reached(nccl_trial)
    if not here and port is None:
        return
    speed = f"{best.busbw:.3g}" if best else "?"
    paths = [best.path] if best else []
    yield Hit(
        subject="gpus" if here else "network",
        certainty=Certainty.CERTAIN if here else Certainty.LIKELY,
        variant="inside" if here else "between",
        summary=message(
            "GPUs of one machine talk over TCP at {speed} GB/s",
            "同一台机器上的 GPU 经 TCP 通信，速度 {speed} GB/s",
            speed=speed,
        )
        if here
        else message(
            "the hosts talk over TCP at {speed} GB/s, although {device} is active on InfiniBand",
            "{device} 的 InfiniBand 端口已激活，但各主机经 TCP 通信，速度 {speed} GB/s",
            speed=speed,
            device=port,
        ),
        because=cite("nccl_trial.log.transports[NET/Socket]", *paths),
    )


def _infiniband(network: Network | None) -> str | None:
    """Return a device with an active InfiniBand port; Ethernet ports may not be meant for it."""
    for name, device in network.rdma.items() if network and was_read(network, "rdma") else ():
        if any((port.state, port.link_layer) == ("active", "infiniband") for port in device.ports.values()):
            return name
    return None
