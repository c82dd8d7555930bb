"""
## What it means
`NCCL_P2P_DISABLE`, `NCCL_SHM_DISABLE`, `NCCL_IB_DISABLE`, `NCCL_NET=Socket` or a low `NCCL_P2P_LEVEL`
forbid a way that the hardware offers. NCCL obeys and takes the next one: shared memory instead of NVLink,
TCP instead of InfiniBand. If none is left it stops with "No transport found".

## Why it happens
These are workarounds from the internet for a hang on somebody else's machine. They stay in a `.bashrc`, an
image, a launcher script or `/etc/nccl.conf` and travel on to machines with NVLink and InfiniBand.

## When it is not a fault
As a workaround on a machine whose peer transfers are broken the variable is right until the cause is
mended. On cards without P2P it changes nothing. A value of 0 does not disable.

## What to do
NCCL prints what it read: `NCCL_P2P_DISABLE set by environment to 1`. Remove it on every node and measure
`all_reduce_perf` before and after; channels must say `via P2P` inside the node and `via NET/IB` between
nodes. If the job then hangs, the variable hid a real fault: look at ACS and IOMMU, the driver, the GID.

## How safe the fix is
Removing it concerns only new jobs. Try it with a short job before the long one.
"""

from collections.abc import Iterator

from codeblue.faults.communication import collective_trial
from codeblue.model.facts import Fabric, LinksTrial, NcclTrial, Network, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

OFF = {"NCCL_P2P_DISABLE": "1", "NCCL_SHM_DISABLE": "1", "NCCL_IB_DISABLE": "1"}
LOW_LEVELS = ("LOC", "0")
"""Values of NCCL_P2P_LEVEL that allow no peer-to-peer transfers at all."""
SOCKETS = "socket"


@fault(
    "nccl-transport-disabled-by-env",
    title=Text("An environment variable turns a fast NCCL transport off", "环境变量关掉了 NCCL 的高速传输"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("nccl-falls-back-to-socket", "nccl-slower-than-nvlink"),
    references=(
        Reference(
            "NCCL: environment variables",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html",
            "2026-12-01",
        ),
    ),
    signatures=(Signature("No transport found", "NCCL WARN No transport found for rank", Certainty.LIKELY),),
    clues=(
        Clue(
            all=(
                "NCCL_(?:P2P|SHM|IB)_DISABLE(?: set by environment to|\\s*[=:]\\s*[\\\"']?| "
                "is) ?1|NCCL_NET\\s*=\\s*[\\\"']?Socket|NCCL_P2P_LEVEL\\s*=\\s*[\\\"']?(?:LOC|0)",
                (
                    "slow|busbw|bandwidth|GB/s|Gb/s|Gbps|throughput|很慢|变慢|太慢|速度慢|缓慢|带宽|性能|"
                    r"(?:not us\w+ |instead of |never us\w+ |no longer us\w+ )(?:the )?(?:NVLink|P2P|"
                    "InfiniBand|RDMA)|没有走|没走|没用上"
                ),
            ),
            none=(
                (
                    r"hangs?\b|\bhung|hanging|stuck|deadlock|freez|frozen|blocks? forever|"
                    "never (?:returns|finish|complet|come)|no progress|spins|卡住|卡死|挂起|"
                    "挂住|死锁|无响应|一直等|"
                    "wrong (?:data|result|output)|corrupt|garbage|illegal|segfault|crash|"
                    r"work ?around|makes? it (?:run|work)|(?:it|which|that) (?:runs|works)\b|"
                    r"runs with it|works? (?:if|when|with|after|fine)|helps?\b|solves?|fix(?:es|ed)|"
                    "能跑|就好|崩溃|规避"
                ),
            ),
        ),
        Clue(
            all=(
                "NCCL_P2P_DISABLE(?: set by environment to|\\s*[=:]\\s*[\\\"']?| is) ?1",
                "via SHM|SHM/direct|via NET/Socket",
                "NVLink|NVSwitch|SXM",
            ),
            none=(
                (
                    r"hangs?\b|\bhung|hanging|stuck|deadlock|freez|frozen|blocks? forever|"
                    "never (?:returns|finish|complet|come)|no progress|spins|卡住|卡死|挂起|"
                    "挂住|死锁|无响应|一直等|"
                    "wrong (?:data|result|output)|corrupt|garbage|illegal|segfault|crash|"
                    r"work ?around|makes? it (?:run|work)|(?:it|which|that) (?:runs|works)\b|"
                    r"runs with it|works? (?:if|when|with|after|fine)|helps?\b|solves?|fix(?:es|ed)|"
                    "能跑|就好|崩溃|规避"
                ),
            ),
        ),
        Clue(
            all=(
                "NCCL_IB_DISABLE(?: set by environment to|\\s*[=:]\\s*[\\\"']?| is) ?1|"
                "NCCL_NET\\s*=\\s*[\\\"']?Socket",
                r"Using network Socket|NET/Socket|sockets?\b|TCP|eth\d",
                (
                    r"infiniband|\bIB (?:network|fabric|cluster|NICs?|cards?|switch|ports?|device|"
                    "link|HCA|bandwidth|speed)|(?:over|use|using|uses|via|the) IB(?:[^A-Za-z/_]|$)|"
                    "RoCE|ConnectX|Mellanox|mlx[45]_|IB网|IB 网|RDMA (?:device|NIC|network|card|网)|"
                    "走 IB|走IB"
                ),
            ),
            none=(
                (
                    r"hangs?\b|\bhung|hanging|stuck|deadlock|freez|frozen|blocks? forever|"
                    "never (?:returns|finish|complet|come)|no progress|spins|卡住|卡死|挂起|"
                    "挂住|死锁|无响应|一直等"
                ),
            ),
        ),
        Clue(
            all=(
                r"NCCL_(?:P2P|SHM|IB)_DISABLE|NCCL_NET\b|NCCL_P2P_LEVEL",
                (
                    r"left(?:over| over| in| behind)|forgot|still set|was set|copied|\.bashrc|"
                    r"nccl\.conf|Dockerfile|template|script set|忘了|遗留|残留|一直设着|模板|复制"
                ),
                "slow|bandwidth|socket|SHM|NVLink|InfiniBand|GB/s|变慢|很慢|带宽",
            ),
        ),
        Clue(
            all=(
                (
                    r"(?:unset|unsetting|remov\w+|without|delet\w+|去掉|取消|删掉|不设).{0,16}NCCL_(?:P2P|SHM|"
                    "IB)_DISABLE"
                ),
                "fast|full (?:speed|bandwidth)|GB/s|speed|NVLink|InfiniBand|works?|恢复|正常|变快|带宽",
            ),
        ),
    ),
    remedy=Remedy(
        message("remove the variable", "去掉该变量"),
        (
            Step(
                Verb.ENV_UNSET,
                message("lets NCCL use peer-to-peer transfers again", "让 NCCL 重新使用 P2P"),
                {"name": "NCCL_P2P_DISABLE"},
            ),
            Step(
                Verb.ENV_UNSET,
                message("lets NCCL use InfiniBand or RoCE again", "让 NCCL 重新使用 InfiniBand 或 RoCE"),
                {"name": "NCCL_IB_DISABLE"},
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "the variable can also stand in /etc/nccl.conf, ~/.nccl.conf, the image, "
                    "the launcher's script or the pod's manifest",
                    "该变量也可能写在 /etc/nccl.conf、~/.nccl.conf、镜像、启动脚本或 pod 清单里",
                ),
            ),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    ),
    next_command="env | grep ^NCCL_; cat /etc/nccl.conf ~/.nccl.conf 2>/dev/null; grep -h 'set "
    "by environment' train.log | sort -u",
)
def nccl_transport_disabled_by_env(
    sightings: Sightings,
    *,
    nccl_trial: NcclTrial | Unread | None = UNREAD,
    fabric: Fabric | None = None,
    links_trial: LinksTrial | Unread | None = UNREAD,
    network: Network | None = None,
) -> Iterator[Hit]:
    if not isinstance(nccl_trial, NcclTrial) or not collective_trial.ranks(nccl_trial):
        return
    here = collective_trial.one_machine(nccl_trial)
    if here and not collective_trial.takes(nccl_trial, "P2P", "NVLS"):
        for name in _against_peers(nccl_trial):
            if _nvlink(fabric):
                yield _costs(nccl_trial, name, Kind.TROUBLE)
            elif _reach(fabric, links_trial):
                yield _costs(nccl_trial, name, Kind.RISK)
    if here and collective_trial.takes(nccl_trial, "NET/"):
        for name in _set(nccl_trial, "NCCL_SHM_DISABLE"):
            yield _costs(nccl_trial, name, Kind.TROUBLE)
    if not here and collective_trial.takes(nccl_trial, "NET/Socket") and _infiniband(network):
        for name in _against_rdma(nccl_trial):
            yield _costs(nccl_trial, name, Kind.TROUBLE)


def _set(trial: NcclTrial, *names: str) -> list[str]:
    """Return those of the variables that are set to turn their transport off."""
    known = collective_trial.variables(trial)
    return [name for name in names if known.get(name) == OFF[name]]


def _against_peers(trial: NcclTrial) -> list[str]:
    known = collective_trial.variables(trial)
    low = known.get("NCCL_P2P_LEVEL", "").upper() in LOW_LEVELS
    return [*_set(trial, "NCCL_P2P_DISABLE"), *(["NCCL_P2P_LEVEL"] if low else [])]


def _against_rdma(trial: NcclTrial) -> list[str]:
    sockets = collective_trial.variables(trial).get("NCCL_NET", "").lower() == SOCKETS
    return [*_set(trial, "NCCL_IB_DISABLE"), *(["NCCL_NET"] if sockets else [])]


def _nvlink(fabric: Fabric | None) -> bool:
    peers = fabric.peers.values() if fabric and was_read(fabric, "peers") else ()
    return any(was_read(peer, "nvlink") and peer.nvlink == "ok" for peer in peers)


def _reach(fabric: Fabric | None, links: LinksTrial | Unread | None) -> bool:
    """True if the GPUs reach each other over PCIe, by the driver's word or by measured copies."""
    peers = fabric.peers.values() if fabric and was_read(fabric, "peers") else ()
    if any(was_read(peer, "read") and peer.read == "ok" for peer in peers):
        return True
    rows = links.devices.values() if isinstance(links, LinksTrial) and was_read(links, "devices") else ()
    pairs = (pair for row in rows if was_read(row, "pairs") for pair in row.pairs.values())
    return any(was_read(pair, "access") and pair.access for pair in pairs)


def _infiniband(network: Network | None) -> bool:
    devices = network.rdma.values() if network and was_read(network, "rdma") else ()
    ports = (port for device in devices for port in device.ports.values())
    return any((port.state, port.link_layer) == ("active", "infiniband") for port in ports)


def _costs(trial: NcclTrial, name: str, kind: Kind) -> Hit:
    """Say which way is taken instead, and how fast it is."""
    way = collective_trial.slowest(trial) or ""
    best = collective_trial.reached(trial)
    text = collective_trial.in_words(way)
    value = collective_trial.variables(trial)[name]
    return Hit(
        subject=f"env:{name}",
        kind=kind,
        certainty=Certainty.CERTAIN,
        summary=message(
            f"{{name}}={{value}}: the data goes {text.en}, all_reduce at {{speed}} GB/s",
            f"{{name}}={{value}}：数据{text.zh}传输，all_reduce 为 {{speed}} GB/s",
            name=name,
            value=value,
            speed=f"{best.busbw:.3g}" if best else "?",
        ),
        because=cite(
            f"nccl_trial.log.variables[{name}]",
            *([f"nccl_trial.log.transports[{way}]"] if way else []),
            *([best.path] if best else []),
        ),
        remedy=_remove(name),
    )


def _remove(name: str) -> Remedy:
    return Remedy(
        message("remove {name}", "去掉 {name}", name=name),
        (
            Step(
                Verb.ENV_UNSET,
                message("lets NCCL use the faster way again", "让 NCCL 重新使用更快的通路"),
                {"name": name},
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "see the gain first: codeblue trial nccl --without {name}; if the variable is not in the "
                    "environment, look into /etc/nccl.conf and ~/.nccl.conf",
                    "先看收益：codeblue trial nccl --without {name}；如果环境里没有这个变量，"
                    "查看 /etc/nccl.conf 和 ~/.nccl.conf",
                    name=name,
                ),
            ),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
