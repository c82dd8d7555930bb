"""
## What it means
The host has InfiniBand or RoCE adapters, but inside the container there is no `/dev/infiniband`. The verbs
library finds no device that it can open, so NCCL says `NET/IB : No device found` and goes on over TCP. The
job runs, many times slower between nodes.

## Why it happens
`--gpus all` hands in the GPUs only. The verbs devices (`uverbs*`, `rdma_cm`) must be passed separately, and
host networking does not do it. `/sys/class/infiniband` is visible in a container all the same, so that
tools list an adapter which then cannot be opened.

## When it is not a fault
A cluster without RDMA prints the same line, and on one node the network is not used at all. If the devices
are there and the line remains, look at `NCCL_IB_HCA`, at the state of the port, and whether the image has
libibverbs.

## What to do
Compare `ibv_devices` on the host and in the container. Start the container with `--device=/dev/infiniband`
(or `--privileged` for a test only), with an unlimited memlock limit. In Kubernetes install the RDMA shared
device plugin or the network operator and request its resource. Afterwards NCCL must print `Using network
IB` and channels `via NET/IB`.

## How safe the fix is
The devices give access to the RDMA network, past the container's own network. Give them to trusted jobs
only. Nothing on the host changes.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Container, Network, Pci
from codeblue.model.fault import (
    Certainty,
    Clue,
    Hit,
    Kind,
    Reference,
    Severity,
    cite,
    fault,
)
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

BY_HAND = (
    Step(
        Verb.INSTRUCT,
        message(
            "docker run --device=/dev/infiniband --ulimit memlock=-1 --cap-add=IPC_LOCK; "
            "with pyxis --container-mounts=/dev/infiniband:/dev/infiniband",
            "docker run --device=/dev/infiniband --ulimit memlock=-1 "
            "--cap-add=IPC_LOCK；pyxis 用 --container-mounts=/dev/infiniband:/dev/infiniband",
        ),
    ),
    Step(
        Verb.INSTRUCT,
        message(
            "in Kubernetes request the resource of the RDMA device plugin (rdma/…) in the pod, "
            "do not mount the folder by hand",
            "在 Kubernetes 里给 pod 申请 RDMA 设备插件的资源（rdma/…），不要手动挂载目录",
        ),
    ),
)
FLAGS = Step(
    Verb.CONTAINER_FLAGS,
    message("hands in the devices and lets memory be pinned", "传入设备，并允许锁定内存"),
    {"flags": "--device=/dev/infiniband --ulimit memlock=-1 --cap-add=IPC_LOCK"},
)


def hand_in(engine: str | None = None) -> Remedy:
    """Create the container again with the devices, by the options of its engine where that is known."""
    return Remedy(
        message("hand /dev/infiniband to the container", "把 /dev/infiniband 交给容器"),
        (BY_HAND[0], FLAGS) if engine in ("docker", "podman") else BY_HAND,
        Automation.HUMAN,
        Undo.NONE,
    )


@fault(
    "rdma-device-not-mounted-in-container",
    title=Text("The container was not given the RDMA devices", "容器里没有 RDMA 设备"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nccl-falls-back-to-socket",
        "rank-hung",
        "rank-raised-exception",
    ),
    references=(
        Reference(
            "NVIDIA networking: RDMA in Docker containers",
            "https://docs.nvidia.com/networking/display/mlnxenv582030lts/docker+containers",
            "2026-12-01",
        ),
        Reference(
            "pytorch/pytorch#111424: torchrun does not use the IB network",
            "https://github.com/pytorch/pytorch/issues/111424",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"NET/IB ?: No device found",
                (
                    r"docker|container|podman|kubernetes|k8s|kubectl|\bpods?\b|enroot|pyxis|singularity|"
                    r"apptainer|容器|镜像"
                ),
                (
                    r"infiniband|\bIB (?:network|fabric|cluster|NICs?|cards?|switch|ports?|device|link|"
                    r"HCA|bandwidth|speed)|(?:over|use|using|uses|via|the) IB(?:[^A-Za-z/_]|$)|RoCE|"
                    r"ConnectX|Mellanox|mlx[45]_|IB网|IB 网|RDMA (?:device|NIC|network|card|网)|走 IB|走IB"
                ),
            ),
            none=(
                r"single[- ](?:node|machine|host)|(?:one|1) (?:node|machine|host)\b|单机|单节点",
                (
                    r"/dev/infiniband[:/ ]?.*(?:uverbs|-v|--device)|--device[= ]/dev/infiniband|"
                    r"-v /dev/infiniband"
                ),
                r"NCCL_IB_DISABLE(?: set by environment to |\s*=\s*)1",
                r"(?:no|without|没有) ?(?:InfiniBand|IB )",
            ),
        ),
        Clue(
            all=(
                (
                    r"/dev/infiniband.{0,30}(?:No such file|missing|not (?:mounted|mapped|present|passed|"
                    r"there|visible|exposed)|does(?: not|n't) exist|absent|is empty|不存在|没有|未|缺)|"
                    r"(?:without|missing|lacks?|forgot|mount(?:ing|ed)?|mapp?(?:ing|ed)?|add(?:ing|ed)?|"
                    r"pass(?:ing|ed)?) (?:the )?(?:host's )?(?:-v |--device[= ])?/dev/infiniband|(?:没有|未|"
                    r"忘了|加上|挂载|映射).{0,6}/dev/infiniband"
                ),
                (
                    r"docker|container|podman|kubernetes|k8s|kubectl|\bpods?\b|enroot|pyxis|singularity|"
                    r"apptainer|容器|镜像"
                ),
            ),
        ),
        Clue(
            all=(
                (
                    r"No IB devices found|Failed to get IB devices list|ibv_get_device_list.{0,20}(?:fail|"
                    r"no|0)|(?:ibv_devices|ibv_devinfo|ibstat|show_gids).{0,40}(?:empty|nothing|"
                    r"no devices?|none|什么都没有|空|看不到|没有)"
                ),
                (
                    r"docker|container|podman|kubernetes|k8s|kubectl|\bpods?\b|enroot|pyxis|singularity|"
                    r"apptainer|容器|镜像"
                ),
                r"\bhost\b|bare metal|outside|on the node|宿主机|主机|物理机",
            ),
        ),
        Clue(
            all=(
                r"ibv_open_device.{0,12} failed|NET/IB : Unable to open device",
                r"NET/IB ?: No device found",
                (
                    r"docker|container|podman|kubernetes|k8s|kubectl|\bpods?\b|enroot|pyxis|singularity|"
                    r"apptainer|容器|镜像"
                ),
            ),
            none=(r"IGNORE_NET_MISMATCH|Operation not permitted",),
        ),
        Clue(
            all=(
                (
                    r"Using network Socket|NET/Socket|(?:uses?|using|over|falls? back to|走|用|"
                    r"回退到?) ?(?:TCP|sockets?|eth\d)"
                ),
                r"(?:in|inside|within) (?:the |a |my |our )?(?:docker|container|pod)|容器(?:里|内|中)",
                (
                    r"(?:outside|on the host|bare metal|host itself|宿主机|物理机).{0,60}(?:NET/IB|IB\b|"
                    r"InfiniBand|RDMA|RoCE|fast|fine|正常)|(?:NET/IB|IB\b|InfiniBand|RDMA|"
                    r"RoCE).{0,60}(?:outside|on the host|bare metal|宿主机|物理机)"
                ),
            ),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    remedy=hand_in(),
    next_command=(
        "ls -l /dev/infiniband; ls /sys/class/infiniband; ibv_devices   # inside the container, then "
        "on the host"
    ),
)
def rdma_device_not_mounted_in_container(network: Network, container: Container, pci: Pci) -> Iterator[Hit]:
    if network.rdma_nodes or not own_gpus(pci):
        return
    # On Ethernet every such adapter shows an RDMA port, also where it only carries ordinary traffic.
    active = (
        (name, number)
        for name, device in network.rdma.items()
        for number, port in device.ports.items()
        if (port.state, port.link_layer) == ("active", "infiniband")
    )
    for name, number in active:
        yield Hit(
            subject="folder:/dev/infiniband",
            summary=message(
                "{device} is active on InfiniBand, but the {kind} container has no node in /dev/infiniband",
                "{device} 的 InfiniBand 端口已激活，但 {kind} 容器里 /dev/infiniband 下没有节点",
                device=name,
                kind=container.engine,
            ),
            because=cite(
                f"network.rdma[{name}].ports[{number}].state", "network.rdma_nodes", "container.engine"
            ),
            kind=Kind.RISK,
            severity=Severity.WARNING,
            remedy=hand_in(container.engine),
        )
        return
