"""
## What it means
The GPUs of this board are joined by NVLink of the fifth generation (HGX and DGX B200, B300). Its switches
are programmed by the fabric manager together with the NVLink subnet manager, nvlsm, and nvlsm does not
run. The GPUs never finish their registration ("In Progress"), and CUDA refuses with error 802, "system
not yet initialized", while `nvidia-smi` shows all GPUs.

## Why it happens
On older boards the fabric manager was enough, so images and playbooks install only that. Its start
script then finds no switches (NV_WARN_NOTHING_TO_DO) or waits for a socket that nvlsm should open. Or
nvlsm is installed and failed, often because the InfiniBand modules mlx5_ib and ib_umad are not loaded.

## When it is not a fault
Boards before B200 have no use for it, nor have single GPUs and PCIe cards. In GB200 and GB300 racks it
runs on the switch trays, in virtual machines and containers on the host: nothing is said there.

## What to do
Install the package nvlsm beside nvidia-fabricmanager, the latter in exactly the driver's version. Then
`sudo modprobe -a mlx5_ib ib_umad` and `sudo systemctl restart nvidia-fabricmanager`, whose start script
starts nvlsm. `nvidia-smi -q | grep -A2 Fabric` must become "Completed".

## How safe the fix is
CUDA does not work before, so nothing is disturbed. Packages can be removed again; a restart cannot be taken
back. codeblue installs only from repositories that the machine already knows.
"""

from collections.abc import Iterator

from codeblue.faults.driver.fabric_manager_not_running import NOT_READY
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.knowledge.gpus import gpu_of_device
from codeblue.model.facts import Container, Cuda, Host, Pci, Services
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

SERVICE = "nvlsm"
GENERATION = 5
"""Of NVLink, from which on the switches need a subnet manager."""

MANAGER = "nvidia-fabricmanager"
NAMED = frozenset(["almalinux", "debian", "ol", "rhel", "rocky", "ubuntu"])
"""Distributions for which NVIDIA's repository has the package under the name of the program."""
PACKAGE = Step(
    Verb.PACKAGE_INSTALL,
    message("the subnet manager; it comes from NVIDIA's repository", "子网管理器，来自 NVIDIA 的软件源"),
    {"package": SERVICE},
)
MODULES = tuple(
    Step(
        Verb.MODULE_LOAD,
        message("nvlsm reaches the switches through it", "nvlsm 通过它访问交换机"),
        {"module": module},
    )
    for module in ("mlx5_ib", "ib_umad")
)
RESTART = Step(
    Verb.SERVICE_RESTART,
    message("its start script starts nvlsm", "它的启动脚本会启动 nvlsm"),
    {"service": MANAGER},
)
INSTALL = Remedy(
    message(
        "install nvlsm beside the fabric manager and restart it", "在 fabric manager 旁安装 nvlsm 并重启服务"
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "install the package nvlsm, load mlx5_ib and ib_umad, restart nvidia-fabricmanager",
                "安装软件包 nvlsm，加载 mlx5_ib 和 ib_umad，再重启 nvidia-fabricmanager",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "nvlsm-missing-on-nvlink5",
    title=Text("The NVLink subnet manager (nvlsm) does not run", "NVLink 子网管理器（nvlsm）没有运行"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("fabric-manager-not-running", "cuda-init-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "NVIDIA fabric manager user guide: NVLink subnet manager",
            "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"nvlsm\S*:? .{0,20}(?:no such file|not found|not installed|missing|inactive|failed)"
                r"|(?:no|without|missing|install(?:ing)?|lacks?|unable to locate|cannot find|can't find)"
                r"(?: the)?(?: package)? nvlsm|nvlsm.{0,8}(?:没有?安装|未安装|没装|缺失|没有运行|不存在)"
                r"|(?:没有?安装|未安装|没装|缺少|装上|安装) ?nvlsm",
                r"fabric ?-?manager|system not yet initialized|\b802\b|\bNVL5|NVLink ?5"
                r"|\bB100\b|\bB200\b|\bB300\b|\bGB200\b|\bGB300\b|fabric.{0,30}In Progress",
            ),
        ),
    ),
    remedy=INSTALL,
    next_command="ls /opt/nvidia/nvlsm/sbin; pgrep -a nvlsm; nvidia-smi -q | grep -A2 Fabric",
)
def nvlsm_missing_on_nvlink5(
    cuda: Cuda, pci: Pci, services: Services, host: Host, container: Container | None
) -> Iterator[Hit]:
    if cuda.init != NOT_READY or container is not None or host.hypervisor is not None:
        return
    boards = [address for address in own_gpus(pci) if _needs_it(pci.functions[address].device)]
    if not boards or not services.processes_visible:
        return
    installed = SERVICE in services.services
    if installed and services.services[SERVICE].running:
        return
    seen = f"services[{SERVICE}].running" if installed else "services.services"
    yield Hit(
        subject="driver",
        certainty=Certainty.LIKELY if installed else Certainty.CERTAIN,
        variant="not-running" if installed else "not-installed",
        summary=message(
            "cuInit returned 802 and no nvlsm is running, which these {count} GPUs with NVLink 5 need",
            "cuInit 返回 802，而没有 nvlsm 在运行；这 {count} 块 NVLink 5 的 GPU 需要它",
            count=len(boards),
        ),
        because=cite("cuda.init", f"pci[{boards[0]}].device", seen),
        remedy=_start(installed, services, host),
    )


def _start(installed: bool, services: Services, host: Host) -> Remedy | None:
    """Return what starts it; None where the fabric manager is no service, or the package not certain."""
    manager = services.services.get(MANAGER)
    if manager is None or not was_read(manager, "state"):
        return None
    if installed:
        summary = message(
            "load the InfiniBand modules and restart the fabric manager",
            "加载 InfiniBand 模块并重启 fabric manager",
        )
        return Remedy(summary, (*MODULES, RESTART), Automation.APPROVAL, Undo.NONE)
    if not was_read(host, "distribution") or host.distribution not in NAMED:
        return None
    return Remedy(INSTALL.summary, (PACKAGE, *MODULES, RESTART), Automation.APPROVAL, Undo.NONE)


def _needs_it(device: str) -> bool:
    gpu = gpu_of_device(device)
    return gpu is not None and gpu["class"] == "datacenter" and (gpu.get("nvlink_gen") or 0) >= GENERATION
