"""
## What it means
A device node that the NVIDIA driver needs exists, but its mode, owner and group keep the user who runs
the job from opening it for reading and writing. Depending on the node the symptoms differ: without
`/dev/nvidiactl` CUDA reports 100 and NVML "Unknown Error" or "Insufficient Permissions"; without
`/dev/nvidia-uvm` `nvidia-smi` looks fine and CUDA reports 999; without `/dev/nvidiaN` that one GPU is
missing.

## Why it happens
The nodes were made or changed by hand, by a playbook, a udev rule or a container image, or the driver's
options `NVreg_DeviceFileMode`, `NVreg_DeviceFileUID` and `NVreg_DeviceFileGID` give them to a group that
the user is not in. A login that is older than the group membership does not have it yet. A rootless
container loses the host's supplementary groups unless the engine is told to keep them.

## When it is not a fault
A site may reserve GPUs for a group on purpose. `nvidia-cap1` and `nvidia-uvm-tools` may be closed to
ordinary users: CUDA does not need them. Root never sees this fault, so judge with `--as-user`. A node
whose mode admits the user and that still refuses is another fault: `cgroup-device-access-denied`.

## What to do
Give the node back the mode that the driver wants (`DeviceFileMode` in `/proc/driver/nvidia/params`), or
add the user to the group that owns it and log in again. Where the driver's options
themselves shut the user out and the group is root's, set `NVreg_DeviceFileMode=0666` in a file of
`/etc/modprobe.d`: the driver's own helper makes the nodes at every boot by the module's options, so a mode
that was set by hand or by a udev rule does not last. With rootless podman keep the
groups: `--group-add keep-groups`.

## How safe the fix is
Changing a mode touches no running job and can be taken back exactly, and so can the file of options, which
counts from the next load of the module. It widens access to the GPU: on a
shared machine ask its owner first.
"""

from collections.abc import Iterator

from msgspec import structs

from codeblue.faults.device_access.access import mode_excludes, needed
from codeblue.faults.told import symptoms
from codeblue.model.facts import Container, Driver, Node, Nodes, Sightings, User
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

SYMPTOMS = ("cuda-init-failed", "nvml-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable")
OPEN = "0666"
"""The driver's own default."""
OPTIONS = "/etc/modprobe.d/zz-nvidia-device-files.conf"
"""Of several files that set an option of a module the last one counts, by name."""
UNKNOWN_GROUP = (1 << 32) - 1
"""The number that stands for no group."""
ANYBODY = User(uid=UNKNOWN_GROUP - 1, gid=UNKNOWN_GROUP - 1, groups={})
"""A user of whom nothing is known but that it is neither root nor in a group of the driver."""


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


def open_for_good(path: str) -> Remedy:
    """Open the node now, and have the driver make it so after every boot."""
    now = Step(
        Verb.NODE_MODE,
        message("opens the node until the next boot", "在下次启动之前开放该节点"),
        {"path": path, "mode": OPEN},
    )
    later = Step(
        Verb.FILE_WRITE,
        message(
            "at every boot the driver makes its nodes with the mode of this option; udev rules do not count",
            "驱动每次启动时按这个选项的权限创建节点；udev 规则不起作用",
        ),
        {"path": OPTIONS, "content": f"options nvidia NVreg_DeviceFileMode={OPEN}\n"},
    )
    return Remedy(
        message(
            "give {path} mode {mode}, now and after every boot",
            "把 {path} 的权限改为 {mode}，现在和每次启动之后都有效",
            path=path,
            mode=OPEN,
        ),
        (now, later),
        Automation.APPROVAL,
        Undo.EXACT,
    )


def join_group(path: str, group: int, who: str) -> Remedy:
    """Let the user into the group that the driver gives its nodes to."""
    step = Step(
        Verb.GROUP_JOIN,
        message(
            "the driver is set to give {path} to this group; log in again afterwards",
            "驱动被设置为把 {path} 交给这个组；之后需要重新登录",
            path=path,
        ),
        {"group": str(group), "user": who},
    )
    return Remedy(
        message("add {who} to group {group}", "把 {who} 加入组 {group}", who=who, group=group),
        (step,),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )


@fault(
    "device-node-permissions",
    title=Text("The user may not open a GPU device node", "用户无权打开 GPU 设备节点"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "cgroup-device-access-lost",
    ),
    references=(
        Reference(
            "NVIDIA driver README: frequently asked questions, device files",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/faq.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "Insufficient Permissions",
            r"Failed to initialize NVML: Insufficient Permissions",
            Certainty.POSSIBLE,
        ),
        Signature("nsufficient permissions", r"nvml error: [Ii]nsufficient permissions", Certainty.POSSIBLE),
        Signature("/dev/nvidia", r"/dev/nvidia\S*.{0,40}Permission denied", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "Insufficient Permissions|Permission denied|EACCES|NVreg_DeviceFile|无权"
                "|权限(?:不足|不够|被拒)|is_available.{0,30}False|No CUDA GPUs|no CUDA-capable",
                r"\bvideo group|group video|groups?\b.{0,20}\b(?:video|render)\b|usermod|gpasswd"
                "|--group-add|keep-groups|as root.{0,25}(?:works|fine|ok)|(?:works|fine|ok"
                r"|True)\b.{0,25}(?:as root|with sudo|under sudo|for root)|sudo.{0,25}(?:works|fine"
                r"|ok\b)|only root|(?:normal|ordinary|unprivileged|non-?root|other) users?"
                "|DeviceFile(?:GID|Mode|UID)|0660|root 用户|用 ?root|sudo.{0,8}(?:可以"
                "|正常|能)|普通用户|video ?组|udev rule",
                "/dev/nvidia|NVML|nvidia|GPU|CUDA|gpu|cuda",
            ),
            none=(
                r"docker\.sock|Docker daemon socket|SELinux|avc:|no-cgroups|/dev/shm|\.cache|ncu"
                "|ERR_NVGPUCTRPERM|performance counter|infiniband|pip install|profil|LD_LIBRARY_PATH"
                "|sudo drops|sudo.{0,30}(?:fails|not found|no module)|device filter|BPF"
                r"|devices\.allow",
            ),
        ),
    ),
    next_command="ls -lZ /dev/nvidia*; id; grep DeviceFile /proc/driver/nvidia/params",
)
def device_node_permissions(
    nodes: Nodes,
    user: User | Unread = UNREAD,
    driver: Driver | Unread | None = UNREAD,
    *,
    container: Container | Unread | None = UNREAD,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if any(was_read(node, "open_rw") for node in nodes.nodes.values()):
        if isinstance(user, User):
            yield from _tried(nodes, user, driver, container)
    else:
        yield from _listed(nodes, user, driver, symptoms(sightings, *SYMPTOMS))


def _tried(
    nodes: Nodes, user: User, driver: Driver | Unread | None, container: Container | Unread | None
) -> Iterator[Hit]:
    """Judge what happened when the nodes were opened as the user."""
    wanted = driver_mode(driver)
    who = user.name or str(user.uid)
    closed = [
        (path, node)
        for path, node in nodes.nodes.items()
        if needed(path) and node.exists and node.open_rw == "EACCES" and mode_excludes(node.mode, node, user)
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
            remedy=open_for_good(path)
            if container is None and shuts_out(driver, node, user)
            else admit(path, node, user, wanted),
        )


def _listed(
    nodes: Nodes, user: User | Unread, driver: Driver | Unread | None, seen: list[str]
) -> Iterator[Hit]:
    """Judge the modes of a listing, where something did not work that they would explain."""
    who = user if isinstance(user, User) else ANYBODY
    for path, node in nodes.nodes.items() if seen else ():
        mode = node.mode if node.exists and was_read(node, "mode") else None
        if mode is None or not needed(path) or not was_read(node, "owner"):
            continue
        by_group = int(mode, 8) & 0o060 == 0o060 and not (was_read(node, "group") and node.group == 0)
        unsure = by_group and not isinstance(user, User)  # the user may be in that group
        if not mode_excludes(mode, _with_group(node), who):
            continue
        yield Hit(
            subject=f"node:{path}",
            certainty=Certainty.POSSIBLE if unsure else Certainty.LIKELY,
            summary=message(
                "{path} has mode {mode}: users other than its owner and group may not open it",
                "{path} 的权限是 {mode}：除属主和属组以外的用户无法打开",
                path=path,
                mode=mode,
            ),
            because=cite(f"nodes[{path}].mode", *seen),
            remedy=open_node(path, driver_mode(driver)),
        )


def _with_group(node: Node) -> Node:
    """Return the node with a group that nobody is in, where the listing names one without its number."""
    return node if was_read(node, "group") else structs.replace(node, group=UNKNOWN_GROUP)


def admit(path: str, node: Node, user: User, wanted: str) -> Remedy:
    """Choose the group where the driver's own mode would keep the user out, else the mode."""
    if mode_excludes(wanted, node, user) and node.group != 0:
        return join_group(path, node.group, user.name or str(user.uid))
    return open_node(path, wanted)


def shuts_out(driver: Driver | Unread | None, node: Node, user: User) -> bool:
    """Return whether the driver's options keep the user out by a mode, with no group that could be joined."""
    if not isinstance(driver, Driver) or not was_read(driver, "params"):
        return False
    makes = driver.params.get("ModifyDeviceFiles") == "1" and "DeviceFileMode" in driver.params
    return makes and node.group == 0 and mode_excludes(driver_mode(driver), node, user)


def driver_mode(driver: Driver | Unread | None) -> str:
    """Return the mode the driver gives its nodes, in octal; 0666 is its default."""
    if not isinstance(driver, Driver) or not was_read(driver, "params"):
        return "0666"
    return f"{int(driver.params.get('DeviceFileMode', '438')):04o}"
