"""
## What it means
On machines with NVSwitches (DGX, HGX) the fabric manager programs the switches and registers the GPUs.
Until it has done so, CUDA refuses to start: error 802, "system not yet initialized". `nvidia-smi` works
and shows all GPUs, which makes this confusing.

## Why it happens
The package nvidia-fabricmanager is not installed, its service is not enabled or has failed, most often
because its version is not exactly the driver's. After boot it needs some seconds, on big boards a
minute. On boards with fifth-generation NVLink (B200 and newer) it also needs the InfiniBand modules and
the subnet manager nvlsm.

## When it is not a fault
Machines without NVSwitches do not need it: there it may be installed, fail to start and say so, which is
harmless. In a virtual machine or a container the fabric manager may run outside and cannot be seen. A
GPU in confidential-computing mode also says 802 until `nvidia-smi conf-compute -srs 1` declares it
ready.

## What to do
`systemctl status nvidia-fabricmanager` and `journalctl -u nvidia-fabricmanager` say what is wrong.
Install the package in exactly the driver's version, then `systemctl enable --now nvidia-fabricmanager`.
`nvidia-smi -q` shows the fabric state of each GPU: it must become "Completed".

## How safe the fix is
Starting it while CUDA refuses anyway disturbs nothing. Restarting it while jobs use NVLink ends those
jobs.
"""

from collections.abc import Iterator

from codeblue.faults.words import NO_GPU
from codeblue.model.facts import Container, Cuda, Host, Pci, Services
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, Text, message

NOT_READY = 802
SERVICE = "nvidia-fabricmanager"

START = Remedy(
    message("start the fabric manager", "启动 fabric manager"),
    (
        Step(
            Verb.SERVICE_START,
            message("CUDA waits for the switches", "CUDA 在等待交换机就绪"),
            {"service": SERVICE},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)
INSTALL = Remedy(
    message(
        "install the fabric manager of the driver's exact version", "安装与驱动版本完全相同的 fabric manager"
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "on the host install nvidia-fabricmanager in the driver's version, then enable its service",
                "在宿主机上安装与驱动同版本的 nvidia-fabricmanager，然后启用其服务",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "fabric-manager-not-running",
    title=Text("The NVSwitch fabric is not initialised", "NVSwitch 互联没有初始化"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "gpu-kernel-failed",
    ),
    references=(
        Reference(
            "NVIDIA fabric manager user guide",
            "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("system not yet initialized", r"system not yet initialized", Certainty.LIKELY),
        Signature("SYSTEM_NOT_READY", r"CUDA_ERROR_SYSTEM_NOT_READY", Certainty.LIKELY),
        Signature("cudaErrorSystemNotReady", r"cudaErrorSystemNotReady", Certainty.LIKELY),
        Signature("code=802", r"code=802\b", Certainty.LIKELY),
        Signature("returned 802", r"returned 802\b", Certainty.LIKELY),
        Signature("error 802", r"error 802\b", Certainty.LIKELY),
        Signature("error (802)", r"error \(802\)", Certainty.LIKELY),
        Signature("Fabric", "GPU Fabric State *: *(?:In Progress|Not Started)", Certainty.POSSIBLE),
    ),
    clues=(
        Clue(
            all=(
                "fabric ?-?manager.{0,60}(?:not (?:running|installed|started|active|found)|inactive"
                "|dead|disabled|missing|stopp|fail|could not be found|isn't)|(?:no|without|missing"
                r"|start|install)\w* .{0,20}fabric ?-?manager|fabric ?-?manager.{0,10}(?:没|未|挂|停"
                "|失败|不在)|(?:没|未)(?:有)?(?:安装|启动|装|起).{0,6}fabric|nv-hostengine"
                "|data-?center[- ]gpu[- ]manager",
                NO_GPU + "|802|not yet initialized|NVSwitch|NVLink|HGX|DGX|SXM|H100|A100|H200|B200",
            ),
            none=(
                r"version.{0,30}(?:mismatch|match|differ)|版本不|RTX|GeForce|\bL40S?\b|\bL4\b|\bA10\b"
                r"|\bA40\b|\bA30\b|no NVLink|no NVSwitch|PCIe card|training works"
                r"|without (?:an? )?NVSwitch|PCIe (?:A100|H100|server)|GPUs? works?\b|没有 ?NVSwitch"
                "|NV_WARN_NOTHING_TO_DO|NVLSM|nvlsm|mlx5|ib_umad|confidential|conf-compute|机密",
            ),
        ),
        Clue(
            all=(
                r"\b(?:HGX|DGX|SXM\d?|NVSwitch)\b|8 ?x ?(?:A100|H100|H200|A800|H800|B200)|(?:8"
                "|八) ?(?:块|张|卡) ?(?:A100|H100|H200|A800|H800|B200)",
                "is_available.{0,20}False|CUDA initialization|cuInit|initialization error"
                "|not yet initialized|CUDA_ERROR_NOT_INIT|can't use CUDA|CUDA unknown error",
            ),
            none=(
                "version.{0,30}mismatch|suspend|too old|insufficient|insufficient|NVLSM|CUDA_VISIBLE"
                r"|confidential|MIG\b",
            ),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    remedy=INSTALL,
    next_command="systemctl status nvidia-fabricmanager; nvidia-smi -q | grep -A3 Fabric",
)
def fabric_manager_not_running(
    cuda: Cuda, pci: Pci, container: Container | None, host: Host, services: Services | None = None
) -> Iterator[Hit]:
    manager = services.services.get(SERVICE) if services else None
    if cuda.init != NOT_READY or (manager is not None and manager.running):
        return
    outside = container is not None or host.hypervisor is not None
    if pci.nvswitches and container is None and services:
        certainty = Certainty.CERTAIN
    else:
        certainty = Certainty.POSSIBLE if outside and not pci.nvswitches else Certainty.LIKELY
    yield Hit(
        subject="driver",
        certainty=certainty,
        variant=None if manager is not None or services is None else "not-seen",
        summary=_summary(pci.nvswitches, seen=services is not None),
        because=cite("cuda.init", "pci.nvswitches", *(("services.services",) if services else ())),
        remedy=START if manager is not None or services is None else INSTALL,
    )


def _summary(switches: int, seen: bool) -> Message:
    if seen:
        return message(
            "cuInit returned 802 and no fabric manager is running ({switches} NVSwitches on the bus)",
            "cuInit 返回 802，而没有 fabric manager 在运行（总线上有 {switches} 个 NVSwitch）",
            switches=switches,
        )
    return message(
        "cuInit returned 802: the fabric is not ready ({switches} NVSwitches on the bus)",
        "cuInit 返回 802：NVSwitch 网络尚未就绪（总线上有 {switches} 个 NVSwitch）",
        switches=switches,
    )
