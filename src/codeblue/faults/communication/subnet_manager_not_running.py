"""
## What it means
Cables and ports are fine (Physical state LinkUp), but the logical state stays Initializing and the SM lid
is 0. In InfiniBand a subnet manager must give addresses and routes to all ports; none is there. No RDMA, no
IPoIB, and NCCL leaves the port out.

## Why it happens
The package group "InfiniBand Support" and most driver bundles install no subnet manager. Unmanaged switches
and back-to-back cables have none. Or it ran on a host that was reinstalled or switched off: existing routes
keep working until a port goes down.

## When it is not a fault
On RoCE there is no subnet manager and none is needed (link layer Ethernet). Physical state Polling or
Disabled is a matter of cable or port. If opensm is started and ends at once, read its log for the reason.

## What to do
`sminfo` must name a master; `ibstat` must say Active. Start opensm on a host that is always on, bound to
the right port (`-g GUID`), and enable it at boot. With two fabrics run one for each. Virtual functions need
`virt_enabled 2` in its configuration.

## How safe the fix is
A second subnet manager stays in standby by priority. Starting the first one in a fabric without any does no
harm; replacing a running one can interrupt traffic for seconds.
"""

from collections.abc import Iterator

from codeblue.model.facts import Network
from codeblue.model.fault import (
    Certainty,
    Clue,
    Hit,
    Kind,
    Reference,
    Severity,
    Signature,
    cite,
    fault,
)
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "subnet-manager-not-running",
    title=Text("No subnet manager runs in the InfiniBand fabric", "InfiniBand 网络里没有子网管理器在运行"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nccl-falls-back-to-socket",
        "rank-raised-exception",
        "rank-hung",
    ),
    references=(
        Reference(
            "Red Hat: configuring InfiniBand and RDMA networks, subnet manager",
            "https://docs.redhat.com/en/documentation/red_hat_enterprise_linux/9/html/configuring_infiniband_and_rdma_networks/index",
            "2026-12-01",
        ),
        Reference(
            "opensm(8)",
            "https://manpages.debian.org/testing/opensm/opensm.8.en.html",
            "2026-12-01",
        ),
    ),
    signatures=(
        Signature(
            "sminfo:",
            r"sminfo: (?:iberror: )?(?:failed: )?(?:query|.*Connection timed out|.*can't)",
            Certainty.POSSIBLE,
        ),
    ),
    clues=(
        Clue(
            all=(
                (
                    r"State: +Initializing|state: +\d: INIT|PORT_INIT|state INIT\b|stat(?:e|us) (?:is |"
                    r"stays |remains |stuck (?:in|at) )?\W?INIT|(?:stay|remain|stuck|are|is)\w* (?:in|"
                    r"at) \W?INIT|Initializing.{0,20}(?:state|port|状态)|(?:状态|端口).{0,10}(?:Init|初始化)"
                ),
                (
                    r"ibstat\w*|ibv_devinfo|LinkUp|infiniband|\bHCA\b|mlx[45]|ConnectX|Link layer|IB port|"
                    r"IB 网|IB网|IB 端口"
                ),
            ),
            none=(r"VF\b|virtual function|SR-?IOV",),
        ),
        Clue(
            all=(
                r"opensm|subnet manager|子网管理",
                (
                    r"not (?:been )?(?:running|installed|started|found|active|enabled)|could not be found|"
                    r"inactive|\bdead\b|no (?:SM|subnet manager|opensm)|without (?:a |an |any )?(?:SM|"
                    r"subnet|opensm)|missing|doesn't install|does not install|not part of|not included|"
                    r"does not come|need(?:s|ed)? (?:a |an )?(?:SM|subnet|opensm|to)|install(?:ed|"
                    r"ing)? (?:and start\w* )?opensm|start(?:ed|ing)? opensm|"
                    r"没有|未安装|未启动|没启动|没运行|缺少|"
                    r"启动 ?opensm|安装 ?opensm"
                ),
            ),
            none=(
                (
                    r"Unable to register class|ERR 5426|bind failed|kernel (?:upgrade|update)|"
                    r"upgrad\w+ (?:the )?(?:Linux )?kernel|升级.{0,4}内核|内核.{0,6}升级|nvlsm|NVSwitch|"
                    r"fabric ?manager"
                ),
            ),
        ),
        Clue(
            all=(
                r"SM lid: +0\b|sm_lid[: ]+0\b|sm lid:\s+0x0\b",
                r"LinkUp|LINK_UP|Polling|ibstat\w*|ibv_devinfo",
            ),
        ),
    ),
    remedy=Remedy(
        message(
            "run a subnet manager, on a switch or on one or two hosts", "在交换机或一两台主机上运行子网管理器"
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    (
                        "install the package opensm on one host with an adapter in this fabric (two "
                        "for redundancy); managed switches have one built in: turn on either, not both "
                        "by accident"
                    ),
                    "在接入该网络的一台主机上安装 opensm（两台可互备）；"
                    "可管理交换机自带一个：开启其中之一，不要无意中两边都开",
                ),
            ),
            Step(
                Verb.SERVICE_START,
                message(
                    "gives every port its LID and its routes",
                    "给每个端口分配 LID 和路由",
                ),
                {"service": "opensm"},
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="ibstat | grep -E 'State|SM lid|Physical'; sminfo; systemctl status opensm",
)
def subnet_manager_not_running(network: Network) -> Iterator[Hit]:
    for name, device in network.rdma.items():
        for number, port in device.ports.items():
            if (port.state, port.link_layer) == ("init", "infiniband"):
                yield Hit(
                    subject=f"port:{name}/{number}",
                    summary=message(
                        "port {number} of {device} has a link, but no subnet manager has configured it",
                        "{device} 的端口 {number} 已有链路，但没有子网管理器配置它",
                        device=name,
                        number=number,
                    ),
                    because=cite(
                        f"network.rdma[{name}].ports[{number}].state",
                        f"network.rdma[{name}].ports[{number}].link_layer",
                    ),
                    certainty=Certainty.LIKELY,
                    kind=Kind.RISK,
                    severity=Severity.WARNING,
                )
