"""
## What it means
A device node that the NVIDIA driver needs exists, but the user who runs the job may not open it
for reading and writing. Depending on the node the symptoms differ: without `/dev/nvidiactl` CUDA
reports 100 and NVML "Unknown Error"; without `/dev/nvidia-uvm` `nvidia-smi` looks fine and CUDA
reports 999; without `/dev/nvidiaN` that one GPU is missing.

## Why it happens
The nodes were made or changed by hand, by a playbook, a udev rule or a container image, or the
driver's options `NVreg_DeviceFileMode`, `NVreg_DeviceFileUID` and `NVreg_DeviceFileGID` give them to
a group that the user is not in. A login that is older than the group membership does not have it yet.

## When it is not a fault
A site may reserve GPUs for a group on purpose. `nvidia-cap1` and `nvidia-uvm-tools` may be closed to
ordinary users: CUDA does not need them. Root never sees this fault, so judge with `--as-user`.

## What to do
Give the node back the mode that the driver wants (`DeviceFileMode` in
`/proc/driver/nvidia/params`), or add the user to the group that owns it and log in again. To keep
the mode across reboots set it in the driver's module options, since the driver's own helper makes the nodes.

## How safe the fix is
Changing a mode touches no running job and can be taken back exactly. It widens access to the GPU:
on a shared machine ask its owner first.
"""

from collections.abc import Iterator

from codeblue.model.facts import Driver, Nodes, User
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

OPTIONAL = ("/dev/nvidia-uvm-tools", "/dev/nvidia-modeset", "/dev/nvidia-nvswitchctl")


def open_node(path: str, mode: str) -> Remedy:
    """Give the node the mode that the driver itself would give it."""
    step = Step(
        Verb.NODE_MODE,
        message("the driver makes its nodes with this mode", "驱动创建节点时使用的就是这个权限"),
        {"path": path, "mode": mode},
    )
    return Remedy(
        message("give {path} mode {mode}", "把 {path} 的权限改为 {mode}", path=path, mode=mode),
        (step,),
        Automation.APPROVAL,
        Undo.EXACT,
    )


@fault(
    "device-node-permissions",
    title=Text("The user may not open a GPU device node", "用户无权打开 GPU 设备节点"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "nvml-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "NVIDIA driver README, chapter 6: NVreg_DeviceFile options",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/faq.html",
            "2026-11-30",
        ),
    ),
)
def device_node_permissions(nodes: Nodes, user: User, driver: Driver | None) -> Iterator[Hit]:
    wanted = driver_mode(driver)
    who = user.name or str(user.uid)
    closed = [
        (path, node)
        for path, node in nodes.nodes.items()
        if node.exists and path not in OPTIONAL and node.open_rw == "EACCES"
    ]
    for path, node in closed:
        yield Hit(
            subject=f"node:{path}",
            summary=message(
                "{path} has mode {mode}, owner {owner}:{group}; {who} may not open it",
                "{path} 的权限是 {mode}，属主 {owner}:{group}，{who} 无法打开",
                path=path,
                mode=node.mode,
                owner=node.owner,
                group=node.group,
                who=who,
            ),
            because=cite(f"nodes[{path}].open_rw", f"nodes[{path}].mode", "user.uid"),
            remedy=open_node(path, wanted),
        )


def driver_mode(driver: Driver | None) -> str:
    """Return the mode the driver gives its nodes, in octal; 0666 is its default."""
    if driver is None:
        return "0666"
    return f"{int(driver.params.get('DeviceFileMode', '438')):04o}"
