"""
## What it means
The main module `nvidia` is loaded, so `nvidia-smi` shows the GPUs, but its companion `nvidia_uvm` is
not. CUDA cannot start without it: `cuInit` returns 999 (30 in old drivers), torch says "CUDA unknown
error".

## Why it happens
Normally nobody loads it by hand. The first CUDA program of a machine calls the setuid helper
`nvidia-modprobe`, which loads the module and makes `/dev/nvidia-uvm`. That fails where the helper is
missing (a package without it, a removed setuid bit, hardened mounts with nosuid) or forbidden (a
container, an unprivileged service), or where `nvidia_uvm` is blacklisted or not built. In a container
the module must be loaded on the host.

## When it is not a fault
Before the first CUDA program the module is not there, and that is normal: if `cuInit` works, nothing is
wrong.

## What to do
As root on the host: `nvidia-modprobe -u -c=0`, which loads the module and makes the nodes. For every
boot, list `nvidia_uvm` in /etc/modules-load.d or enable nvidia-persistenced with its UVM option. If
loading is refused, the kernel log says why.

## How safe the fix is
Loading the module disturbs nothing that runs and can be taken back with `modprobe -r nvidia_uvm` while
it is unused.
"""

from collections.abc import Iterator

from codeblue.faults.told import symptoms
from codeblue.faults.words import CUDA_FAILS
from codeblue.model.facts import Cuda, KernelModules, Node, Nodes, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

UNKNOWN_ERROR = 999
NODE = "/dev/nvidia-uvm"
NOTHING_BEHIND = ("ENOENT", "ENXIO", "ENODEV")

LOAD = Remedy(
    message("load nvidia_uvm and make its device nodes", "加载 nvidia_uvm 并创建它的设备节点"),
    (
        Step(
            Verb.MODULE_LOAD,
            message("CUDA needs it and may not load it itself", "CUDA 需要它，但自己无权加载"),
            {"module": "nvidia_uvm"},
        ),
        Step(Verb.NODES_CREATE, message("the nodes follow the module", "节点随模块而来")),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


@fault(
    "nvidia-uvm-not-loaded",
    title=Text("The module nvidia_uvm is not loaded", "模块 nvidia_uvm 没有加载"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "device-node-missing",
        "uvm-device-node-missing-in-container",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "gpu-kernel-failed",
    ),
    references=(
        Reference("nvidia-modprobe", "https://github.com/NVIDIA/nvidia-modprobe", "2026-11-30"),
        Reference(
            "CUDA installation guide for Linux, device node verification",
            "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "could not find module by name='nvidia",
            r"could not find module by name='nvidia[_0-9a-z]*uvm'",
            Certainty.LIKELY,
        ),
        Signature("Module nvidia", r"modprobe: FATAL: Module nvidia[-_]uvm not found", Certainty.LIKELY),
        Signature("nvidia", r"modprobe: (?:FATAL|ERROR): .*nvidia[_-]?\w*uvm", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"nvidia[-_]uvm|nvidia-modprobe -[cu]|\buvm\b.{0,20}(?:module|模块)",
                r"unknown error|UNKNOWN|\b999\b|cuInit|"
                + CUDA_FAILS
                + "|error 30|code=30|not loaded|missing|no such file|没有加载|未加载|没加载",
            ),
            none=(
                r"docker|podman|container|容器|\bpod\b|suspend|hibernat|resume|asleep|sleep|standby"
                r"|\blid\b|挂起|休眠|睡眠|合盖|HMM|request_free_mem|KASLR|nouveau|LXC|lxc"
                r"|^nvidia_uvm +\d+|nvidia-uvm: Loaded|wsl|WSL",
            ),
        ),
        Clue(
            all=(
                "cuInit|cudaGetDeviceCount|CUDA unknown|CUDA_ERROR_UNKNOWN|-> unknown error",
                r"\b999\b|UNKNOWN|unknown error",
            ),
            none=(
                r"docker|podman|container|容器|\bpod\b|suspend|hibernat|resume|asleep|sleep|standby"
                r"|\blid\b|挂起|休眠|睡眠|合盖|HMM|stubs|LXC|WSL|wsl|MIG|no CUDA-capable"
                r"|^c[rwx-]{9}.*/dev/nvidia|^nvidia_uvm +\d+",
            ),
            certainty=Certainty.POSSIBLE,
        ),
        Clue(
            all=(
                "modprobe nvidia[-_]uvm|nvidia-modprobe -[cu]|modprobe.{0,12}uvm",
                r"(?:then|after|afterwards|and) .{0,25}(?:works|fine|True|ok\b|fix)|fix\w*|solve"
                "|helps?|之后.{0,6}(?:正常|好|可以)|就好了|就可以|就正常|cuInit|999|unknown",
            ),
            none=(
                r"suspend|resume|hibernat|asleep|sleep|standby|\blid\b|挂起|休眠|睡眠|合盖|container"
                "|docker|podman|容器|HMM",
            ),
        ),
    ),
    remedy=LOAD,
    next_command="sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm; sudo dmesg | grep -i uvm",
)
def nvidia_uvm_not_loaded(
    modules: KernelModules,
    cuda: Cuda | Unread = UNREAD,
    nodes: Nodes | None = None,
    *,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    seen = symptoms(sightings, "cuda-init-failed")
    if not isinstance(cuda, Cuda) or (seen and not was_read(cuda, "init")):
        yield from _by_words(modules, seen)
        return
    if "nvidia" not in modules.loaded or "nvidia_uvm" in modules.loaded or cuda.init != UNKNOWN_ERROR:
        return
    dead = nodes is not None and _dead(nodes.nodes.get(NODE))
    forbidden = next((name for name in ("nvidia_uvm", "nvidia-uvm") if name in modules.blacklisted), None)
    yield Hit(
        subject="driver",
        variant="blacklisted" if forbidden else None,
        certainty=Certainty.CERTAIN if dead else Certainty.LIKELY,
        summary=message(
            "nvidia is loaded, nvidia_uvm is not, and cuInit returned {code}",
            "nvidia 已加载而 nvidia_uvm 没有，cuInit 返回 {code}",
            code=cuda.init,
        ),
        because=cite(
            "modules.loaded", "cuda.init", *([f"modules.blacklisted[{forbidden}]"] if forbidden else [])
        ),
    )


def _by_words(modules: KernelModules, seen: list[str]) -> Iterator[Hit]:
    """Judge a list of modules, where CUDA did not start."""
    if seen and "nvidia" in modules.loaded and "nvidia_uvm" not in modules.loaded:
        yield Hit(
            subject="driver",
            certainty=Certainty.LIKELY,
            summary=message(
                "nvidia is loaded, nvidia_uvm is not, and CUDA does not start",
                "nvidia 已加载而 nvidia_uvm 没有，CUDA 无法启动",
            ),
            because=cite("modules.loaded", *seen),
        )


def _dead(node: Node | None) -> bool:
    return node is None or not node.exists or node.open_rw in NOTHING_BEHIND
