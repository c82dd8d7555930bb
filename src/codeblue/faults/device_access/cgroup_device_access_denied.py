"""
## What it means
The mode of a GPU device node admits the user, yet `open()` is refused. EPERM comes from the device
control group of the process: the container or job was not allowed this device. EACCES in spite of the
mode comes from a mount with the option `nodev`, or from a security module such as SELinux.

## Why it happens
A container got the nodes by a bind mount (`-v /dev:/dev`) without the permission that `--gpus` or
`--device` adds; the toolkit was told `no-cgroups = true` under an engine that runs as root; systemd
rewrote the device rules of a running container (see `cgroup-device-access-lost`); Slurm confines a job
that asked for no GPU. `nodev` is the default for file systems made in a user namespace and for many
hand-written chroots.

## When it is not a fault
A Slurm job or a container that was given some GPUs is refused the others: as long as one GPU opens, the
rest is by design. Profilers' and NVSwitch nodes are not judged.

## What to do
Start the container again with `--gpus`, `--device nvidia.com/gpu=…` (CDI) or `--device /dev/nvidia0` and
so on, not with a bind mount. With Slurm ask for GPUs (`--gres=gpu:1`). For `nodev` mount `/dev` without
that option. For a security module read its log (`ausearch -m avc -ts boot`).

## How safe the fix is
The container or job has to be started again. Do not answer with `--privileged`: it opens every device of
the host.
"""

from collections.abc import Iterator

from codeblue.faults.device_access.access import is_gpu, mode_excludes, needed
from codeblue.model.facts import Container, Node, Nodes, User
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, Text, message


def told(what: Message) -> Remedy:
    """Make a remedy of one instruction."""
    return Remedy(what, (Step(Verb.INSTRUCT, what),), Automation.HUMAN, Undo.COMPENSATING)


ASK_FOR_THEM = told(
    message(
        "start the container with --gpus or --device, or the job with --gres=gpu:N",
        "用 --gpus 或 --device 启动容器，或用 --gres=gpu:N 提交作业",
    )
)
MOUNT_DEV = told(message("mount /dev without nodev", "去掉 nodev 选项后重新挂载 /dev"))
READ_ITS_LOG = told(
    message(
        "find the refusal with `sudo ausearch -m avc -ts boot` or in `journalctl -k`, "
        "and look for nodev with `findmnt -T` on the node",
        "用 `sudo ausearch -m avc -ts boot` 或 `journalctl -k` 查找拒绝记录，"
        "并对该节点用 `findmnt -T` 查看是否有 nodev",
    )
)


@fault(
    "cgroup-device-access-denied",
    title=Text(
        "A GPU device node is refused although its mode admits the user",
        "权限允许，但打开 GPU 设备节点仍被拒绝",
    ),
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
            "Linux: control group v2, device controller",
            "https://docs.kernel.org/admin-guide/cgroup-v2.html",
            "2026-11-30",
        ),
        Reference(
            "Linux: mount(2), MS_NODEV",
            "https://man7.org/linux/man-pages/man2/mount.2.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "peration not permitted", r"/dev/nvidia\S*.{0,30}[Oo]peration not permitted", Certainty.LIKELY
        ),
        Signature("EPERM", r"open\w*\([^)\n]*/dev/nvidia.*EPERM", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "Failed to initialize NVML: Unknown Error|NVML: Unknown Error|Operation not permitted|EPERM",
                r"devices\.allow|device cgroup|cgroup2?\.devices|--privileged|privileged ?[:=]"
                "|privileged (?:works|container|mode)|ConstrainDevices|bind[- ]?mount|-v /dev"
                r"|/dev:/dev|\bLXC\b|\blxc\.|Proxmox|nspawn|device filter|特权|设备 ?cgroup|nodev",
            ),
            none=(
                r"daemon-reload|after (?:a while|some|several|few|\d+|an? )|hours?|days?|suddenly"
                "|randomly|lost|no-cgroups|rootless|bpf_prog_query|SELinux|一段时间|突然|几小时"
                "|小时后|重载",
            ),
        ),
    ),
    next_command="ls -lZ /dev/nvidia*; findmnt -T /dev/nvidiactl; cat /proc/self/cgroup",
)
def cgroup_device_access_denied(
    nodes: Nodes, user: User, container: Container | None = None
) -> Iterator[Hit]:
    there = {path: node for path, node in nodes.nodes.items() if needed(path) and node.exists}
    some_gpu = any(is_gpu(path) and node.open_rw == "ok" for path, node in there.items())
    refused = [
        path for path, node in there.items() if node.open_rw == "EPERM" and not (is_gpu(path) and some_gpu)
    ]
    admitted = [
        path
        for path, node in there.items()
        if node.open_rw == "EACCES" and not mode_excludes(node.mode, node, user)
    ]
    yield from (_by_cgroup(path, there[path], container) for path in refused)
    by_mount = {path: there[path].nodev for path in admitted}
    yield from (
        _by_mount(path, there[path]) if by_mount[path] else _by_module(path, there[path]) for path in admitted
    )


def _by_cgroup(path: str, node: Node, container: Container | None) -> Hit:
    return Hit(
        subject=f"node:{path}",
        summary=message(
            "{path} has mode {mode}, but the device control group refuses it (EPERM)",
            "{path} 的权限是 {mode}，但设备 cgroup 拒绝打开（EPERM）",
            path=path,
            mode=node.mode,
        ),
        because=cite(
            f"nodes[{path}].open_rw",
            f"nodes[{path}].mode",
            *(("container.engine",) if container else ()),
        ),
        remedy=ASK_FOR_THEM,
    )


def _by_mount(path: str, node: Node) -> Hit:
    return Hit(
        subject=f"node:{path}",
        variant="mount-nodev",
        summary=message(
            "{path} has mode {mode}, but lies on a mount with nodev: no device opens there",
            "{path} 的权限是 {mode}，但所在的挂载带有 nodev 选项，其中的设备都打不开",
            path=path,
            mode=node.mode,
        ),
        because=cite(f"nodes[{path}].open_rw", f"nodes[{path}].nodev"),
        remedy=MOUNT_DEV,
    )


def _by_module(path: str, node: Node) -> Hit:
    return Hit(
        subject=f"node:{path}",
        variant="security-module",
        summary=message(
            "{path} has mode {mode} and gives EACCES: a security module refuses it",
            "{path} 的权限是 {mode}，打开却返回 EACCES：被安全模块拒绝",
            path=path,
            mode=node.mode,
        ),
        because=cite(f"nodes[{path}].open_rw", f"nodes[{path}].mode"),
        certainty=Certainty.LIKELY,
        remedy=READ_ITS_LOG,
    )
