"""
## What it means
A node under `/dev` through which programs talk to the NVIDIA driver does not exist, the driver's own
libraries did not create it when they were called, and CUDA does not start. `/dev/nvidiactl` is the
control node, `/dev/nvidia-uvm` belongs to unified memory and is needed by every CUDA program,
`/dev/nvidiaN` is one GPU.

## Why it happens
Nothing on Linux makes these nodes by itself: the driver registers only its numbers. They are made by the
setuid helper `nvidia-modprobe` when a library is first used, by `nvidia-persistenced`, or by a udev rule
of the distribution. The helper is missing or lost its setuid bit, `NVreg_ModifyDeviceFiles=0` forbids it,
`/dev` is read-only or belongs to a sandbox, or somebody removed a node to hide a GPU.

## When it is not a fault
On a freshly booted headless server the nodes do not exist until somebody uses the GPU; the first CUDA
program creates them. So a missing node counts only if it is still missing afterwards. A container that
was given some GPUs lacks the nodes of the others. WSL2 has `/dev/dxg` in their place. If `nvidia_uvm` is
not loaded, that is the cause and the missing node its consequence.

## What to do
As root run `nvidia-modprobe -u -c 0`, with `-c N` for GPU N, and look whether the nodes appear. If they
are gone again after a reboot, enable `nvidia-persistenced` or give `nvidia-modprobe` its setuid bit back
by reinstalling its package. In a container pass the devices when you create it.

## How safe the fix is
Making a node touches no running job; removing it takes the change back.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.device_access.access import (
    CONTROL,
    NODE_CODES,
    is_gpu,
    lasting_gaps,
    needed,
    unmasked_init,
)
from codeblue.faults.told import symptoms
from codeblue.faults.words import NO_GPU
from codeblue.model.facts import Container, Cuda, Driver, Environment, KernelModules, Nodes, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

SYMPTOMS = ("cuda-init-failed", "nvml-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable")

CREATE = Remedy(
    message("create the device nodes", "创建设备节点"),
    (
        Step(
            Verb.NODES_CREATE,
            message(
                "the driver's helper makes the nodes with the right numbers",
                "由驱动自带的工具创建，设备号才是对的",
            ),
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)

RECREATE = Remedy(
    message("create the container again with its GPUs", "带上 GPU 重新创建容器"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "start it with --gpus (docker) or --device nvidia.com/gpu=all (podman, CDI)",
                "用 --gpus（docker）或 --device nvidia.com/gpu=all（podman，CDI）启动",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "device-node-missing",
    title=Text("A device node that the driver needs does not exist", "缺少驱动所需的设备节点"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "nvml-init-failed", "nvidia-smi-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "NVIDIA driver README: how and when are the device files created?",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/faq.html",
            "2026-11-30",
        ),
        Reference("nvidia-modprobe", "https://github.com/NVIDIA/nvidia-modprobe", "2026-11-30"),
    ),
    signatures=(
        Signature(
            "/dev/nvidia",
            (
                r"(?:cannot access|could not open|[Ff]ailed to open) .{0,30}/dev/nvidia(?:ctl|\d+|\*"
                r"|-modeset)?\W{0,3}.{0,30}[Nn]o such file"
            ),
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"/dev/nvidia(?:ctl|\d|\*|-modeset|-uvm|X)?|device (?:nodes?|files?)|设备(?:节点|文件)",
                "(?:no|without|lacks?|missing) .{0,12}/dev/nvidia|(?:does not exist|do not exist"
                "|not exist|doesn't exist|missing|no such file|not created|never created|absent"
                "|not there|empty|不存在|没有|缺少|缺失|未创建)",
                NO_GPU + "|nvidia-modprobe|mknod|udev|headless|CUDA",
            ),
            none=(
                r"docker|podman|container|容器|\bpod\b|/dev/nvidia-uvm.{0,40}(?:missing|not|no such)"
                r"|slurm|gres|nvidia-uvm|nvidia_uvm.{0,30}(?:not|n't|missing|load|没)|operation not permitted"
                r"|CDI\b|WSL|wsl|LXC|nouveau"
                "|kernel.{0,15}(?:upgrad|updat)|Module nvidia not found|secure ?boot",
            ),
        ),
    ),
    next_command="sudo nvidia-modprobe -u -c 0; ls -l /dev/nvidia*",
)
def device_node_missing(
    nodes: Nodes,
    modules: KernelModules | Unread = UNREAD,
    driver: Driver | Unread = UNREAD,
    container: Container | Unread | None = UNREAD,
    environment: Environment | Unread = UNREAD,
    cuda: Cuda | Unread | None = UNREAD,
    *,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if cuda is None:
        return
    if isinstance(container, UnsetType) and isinstance(environment, UnsetType):
        yield from _by_listing(nodes, symptoms(sightings, *SYMPTOMS))
        return
    if isinstance(modules, UnsetType) or isinstance(driver, UnsetType):
        return
    if isinstance(container, UnsetType) or isinstance(environment, UnsetType):
        return
    code = None if isinstance(cuda, Unread) else unmasked_init(cuda, environment)
    gaps = lasting_gaps(nodes, modules)
    if container is not None:
        gaps = _not_left_out_on_purpose(gaps, nodes, environment)
    if code == 0:
        yield from (_one_gpu(path) for path in gaps if is_gpu(path))
    elif code is None or code in NODE_CODES:
        yield from (_gone(path, code, container is not None) for path in gaps)


def _by_listing(nodes: Nodes, seen: list[str]) -> Iterator[Hit]:
    """Judge a whole listing that shows some nodes, where something did not work."""
    if not seen or not any(node.exists for node in nodes.nodes.values()):
        return  # without any node the driver is not there, or not handed in
    for path, node in nodes.nodes.items():
        if not node.exists and needed(path):
            yield Hit(
                subject=f"node:{path}",
                certainty=Certainty.LIKELY,
                summary=message("{path} does not exist", "{path} 不存在", path=path),
                because=cite(f"nodes[{path}].exists", *seen),
                remedy=CREATE,
            )


def _not_left_out_on_purpose(gaps: list[str], nodes: Nodes, environment: Environment) -> list[str]:
    there = [path for path, node in nodes.nodes.items() if node.exists]
    if not there:
        return []  # container-started-without-nvidia-runtime
    some_gpu = any(is_gpu(path) for path in there)
    none_wanted = environment.variables.get("NVIDIA_VISIBLE_DEVICES") in ("none", "void", "")
    return [path for path in gaps if path == CONTROL or (is_gpu(path) and not some_gpu and not none_wanted)]


def _one_gpu(path: str) -> Hit:
    return Hit(
        subject=f"node:{path}",
        summary=message(
            "{path} does not exist: CUDA works, but without this GPU",
            "{path} 不存在：CUDA 可用，但用不到这块 GPU",
            path=path,
        ),
        because=cite(f"nodes[{path}].exists", "driver.gpus", "cuda.init"),
        certainty=Certainty.LIKELY,
        severity=Severity.WARNING,
        remedy=CREATE,
    )


def _gone(path: str, code: int | None, contained: bool) -> Hit:
    if code is None:
        return Hit(
            subject=f"node:{path}",
            certainty=Certainty.LIKELY,
            summary=message("{path} does not exist", "{path} 不存在", path=path),
            because=cite(f"nodes[{path}].exists", "driver.module_version"),
            remedy=RECREATE if contained else CREATE,
        )
    return Hit(
        subject=f"node:{path}",
        summary=message(
            "{path} does not exist and cuInit returned {code}",
            "{path} 不存在，cuInit 返回 {code}",
            path=path,
            code=code,
        ),
        because=cite(f"nodes[{path}].exists", "cuda.init"),
        remedy=RECREATE if contained else CREATE,
    )
