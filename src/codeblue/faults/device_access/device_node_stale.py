"""
## What it means
A file with the right name is under `/dev`, but it does not lead to the NVIDIA driver: its major number is
not the one that the kernel gives the driver now, or it is no device at all. Opening it fails with ENXIO
or ENODEV, or works and leads nowhere.

## Why it happens
The major number of `nvidia-uvm` is handed out when the module is loaded and can differ after the next
load or boot. Nodes that were made with fixed numbers keep the old one: in an LXC container, an image that
ships `/dev` nodes, a script with `mknod`, a container that was running while the module was reloaded. A
plain file appears when something writes to `/dev/nvidia0` before the node exists, or when an engine
bind-mounts a path that was missing on the host.

## When it is not a fault
Numbers are compared only for nodes that CUDA opens, and only when `/proc/devices` lists the driver.
`/dev/nvidia-uvm-tools` with an old number disturbs profilers only.

## What to do
Compare `ls -l /dev/nvidia*` with `grep nvidia /proc/devices`. On the host move the wrong node away and
let the driver's helper make a new one: `sudo nvidia-modprobe -u -c 0`. A container has to be created
again; take `mknod` out of its start script and the nodes out of the image.

## How safe the fix is
The old node leads nowhere, so nothing that works depends on it; the rename can be taken back.
"""

from collections.abc import Iterator

from codeblue.faults.device_access.access import needed
from codeblue.model.facts import Container, Node, Nodes
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


def replace_node(path: str) -> Remedy:
    """Move the wrong node away and have the right one made."""
    return Remedy(
        message("replace {path} by a node of the driver", "用驱动自己的节点替换 {path}", path=path),
        (
            Step(
                Verb.FILE_RENAME,
                message("it does not lead to the driver", "它并不通向驱动"),
                {"path": path},
            ),
            Step(
                Verb.NODES_CREATE,
                message("the helper uses the current numbers", "该工具会使用当前的设备号"),
            ),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )


NEW_CONTAINER = Remedy(
    message("create the container again", "重新创建容器"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "let the container toolkit or CDI pass the host's present nodes; make none in the image",
                "让容器工具包或 CDI 传入宿主机当前的节点，不要在镜像里自己创建",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "device-node-stale",
    title=Text("A GPU device node does not lead to the driver", "GPU 设备节点没有通向驱动"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "nvml-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "Linux: /proc/devices and device numbers",
            "https://man7.org/linux/man-pages/man5/proc_devices.5.html",
            "2026-11-30",
        ),
        Reference("nvidia-modprobe", "https://github.com/NVIDIA/nvidia-modprobe", "2026-11-30"),
    ),
    next_command="ls -l /dev/nvidia*; grep nvidia /proc/devices",
)
def device_node_stale(nodes: Nodes, container: Container | None) -> Iterator[Hit]:
    found = [(path, node) for path, node in nodes.nodes.items() if needed(path) and node.exists]
    for path in [path for path, node in found if not node.char]:
        yield Hit(
            subject=f"node:{path}",
            variant="plain-file",
            summary=message("{path} is no device node", "{path} 不是设备节点", path=path),
            because=cite(f"nodes[{path}].char"),
            remedy=NEW_CONTAINER if container else replace_node(path),
        )
    for path, node in [(path, node) for path, node in found if node.char and _other_major(node)]:
        yield Hit(
            subject=f"node:{path}",
            variant="other-major",
            summary=message(
                "{path} has major number {major}, the driver has {expected} ({result})",
                "{path} 的主设备号是 {major}，而驱动的是 {expected}（{result}）",
                path=path,
                major=node.major,
                expected=node.expected_major,
                result=node.open_rw,
            ),
            because=cite(f"nodes[{path}].major", f"nodes[{path}].expected_major", f"nodes[{path}].open_rw"),
            remedy=NEW_CONTAINER if container else replace_node(path),
        )


def _other_major(node: Node) -> bool:
    return node.expected_major is not None and node.major != node.expected_major and node.open_rw != "ok"
