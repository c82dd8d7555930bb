"""
## What it means
The container has the control node and the GPU nodes of the NVIDIA driver but not `/dev/nvidia-uvm`.
`nvidia-smi` does not need that node and looks perfect; CUDA needs it for every allocation and does not
start (usually error 999, in PyTorch "CUDA unknown error").

## Why it happens
The devices were passed one by one (`--device /dev/nvidia0 --device /dev/nvidiactl`) and the two UVM nodes
were forgotten; or they did not exist on the host when the container was created, because after a reboot
nobody had used CUDA there yet. That is why it often appears after a reboot, with podman and LXC more than
with docker.

## When it is not a fault
A container that only monitors GPUs (`nvidia-smi`, DCGM) does not need the node. A node that is missing
before the first CUDA call and is there afterwards was created in passing.

## What to do
On the host run `sudo nvidia-modprobe -u -c 0`, which loads `nvidia_uvm` and makes its nodes, and create
the container again with `/dev/nvidia-uvm` and `/dev/nvidia-uvm-tools`, best through the container toolkit
or a CDI description (`nvidia-ctk cdi generate`) and not node by node. For LXC the major number must be
allowed too, and it can change with every load of the module. To have the nodes at boot load `nvidia-uvm`
from `/etc/modules-load.d`.

## How safe the fix is
The host's part changes nothing for running jobs. The container has to be created again: what lives only
inside it is lost.
"""

from collections.abc import Iterator

from codeblue.faults.device_access.access import NODE_CODES, UVM, lasting_gaps, unmasked_init
from codeblue.faults.words import CONTAINER
from codeblue.model.facts import Container, Cuda, Environment, KernelModules, Nodes
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Message, Text, message

PASS_IT_IN = Remedy(
    message(
        "make the node on the host and create the container again with it",
        "在宿主机上创建该节点，再带上它重新创建容器",
    ),
    (
        Step(
            Verb.INSTRUCT,
            message("on the host: sudo nvidia-modprobe -u -c 0", "在宿主机上：sudo nvidia-modprobe -u -c 0"),
        ),
        Step(
            Verb.INSTRUCT,
            message(
                "create the container again through the container toolkit or CDI, "
                "or with --device /dev/nvidia-uvm --device /dev/nvidia-uvm-tools",
                "通过容器工具包或 CDI 重新创建容器，"
                "或加上 --device /dev/nvidia-uvm --device /dev/nvidia-uvm-tools",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "uvm-device-node-missing-in-container",
    title=Text("The container was not given /dev/nvidia-uvm", "容器里没有 /dev/nvidia-uvm"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "device-node-missing",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: support for the Container Device Interface",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html",
            "2026-11-30",
        ),
        Reference("nvidia-modprobe", "https://github.com/NVIDIA/nvidia-modprobe", "2026-11-30"),
    ),
    clues=(
        Clue(
            all=(
                "nvidia-uvm.{0,60}(?:missing|[Nn]o such file|not (?:passed|there|mounted|exist|given"
                r"|mapped|present|visible)|absent|does not|不存在|没有|缺)|(?:\bno\b|without|missing"
                "|lacks?|lacking|not|没有|缺少|没) .{0,16}/dev/nvidia-uvm"
                r"|/dev/nvidia-uvm.{0,12}(?:没有|缺|不)|(?:nvidia0|nvidiactl) only\b"
                "|only .{0,40}(?:nvidia0|nvidiactl)",
                CONTAINER + r"|\bLXC\b|lxc\.|nspawn|--device",
            ),
            none=(
                "suspend|daemon-reload|CDI specification|nvidia_uvm.{0,20}not loaded"
                "|modprobe nvidia[_-]uvm|[Pp]ermission denied|Operation not permitted",
            ),
        ),
        Clue(
            all=(
                "--device[= ]/dev/nvidia(?:0|ctl)|devices:.{0,20}/dev/nvidia|- /dev/nvidia(?:0|ctl)"
                r"|lxc\.mount\.entry.{0,30}/dev/nvidia",
                "cuInit|unknown error|999|is_available|No CUDA GPUs|no CUDA-capable"
                "|CUDA_ERROR_UNKNOWN|CUDA unknown",
            ),
            none=("/dev/nvidia-uvm[ :,=]|nvidia-uvm:",),
        ),
    ),
    remedy=PASS_IT_IN,
    next_command="ls -l /dev/nvidia*",
)
def uvm_device_node_missing_in_container(
    nodes: Nodes,
    modules: KernelModules,
    container: Container,
    environment: Environment,
    cuda: Cuda | Unread | None = UNREAD,
) -> Iterator[Hit]:
    if cuda is None:
        return
    code = None if isinstance(cuda, Unread) else unmasked_init(cuda, environment)
    others = [path for path, node in nodes.nodes.items() if node.exists]
    if code not in (*NODE_CODES, None) or not others or UVM not in lasting_gaps(nodes, modules):
        return
    seen = (f"nodes[{UVM}].exists", f"nodes[{others[0]}].exists", "container.engine")
    yield Hit(
        subject=f"node:{UVM}",
        # A container that only watches its GPUs may lack the node on purpose.
        certainty=Certainty.POSSIBLE if code is None else Certainty.CERTAIN,
        summary=_summary(others[0], code),
        because=cite(*seen) if code is None else cite(*seen, "cuda.init"),
    )


def _summary(other: str, code: int | None) -> Message:
    if code is None:
        return message(
            "the container has {other} but not {uvm}", "容器里有 {other} 却没有 {uvm}", other=other, uvm=UVM
        )
    return message(
        "the container has {other} but not {uvm}, and cuInit returned {code}",
        "容器里有 {other} 却没有 {uvm}，cuInit 返回 {code}",
        other=other,
        uvm=UVM,
        code=code,
    )
