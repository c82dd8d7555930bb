"""
## What it means
The machine has NVIDIA GPUs and an active InfiniBand port, but neither of the two ways in which the adapter
can reach GPU memory is there: `nvidia_peermem` is not loaded, and driver or kernel are too old for
DMA-BUF. NCCL then copies through host memory (no `/GDRDMA` behind its channels). Jobs run, but slower.

## Why it happens
Nothing loads `nvidia_peermem` by itself: it comes with the driver since R470, but needs an entry in
`/etc/modules-load.d`. It only builds against the peer-memory interface of NVIDIA's network driver
(DOCA-OFED, formerly MLNX_OFED); with the distribution's own drivers loading fails with "Invalid
argument". Up to R465 the module was the separate `nv_peer_mem`, which an upgrade leaves behind.

## When it is not a fault
With the open kernel modules on kernel 5.12 or newer NCCL uses DMA-BUF and needs no module. A machine that
works alone, or whose InfiniBand serves only storage, loses nothing. On integrated chips such as GB10 the
module cannot be loaded, and need not be.

## What to do
Prefer DMA-BUF: install the open flavour of the driver. Otherwise `sudo modprobe nvidia_peermem` and put the
name into `/etc/modules-load.d/nvidia-peermem.conf`; if it refuses, install DOCA-OFED, then reinstall the
driver so that the module is built against it. With the gpu-operator set `driver.rdma.enabled=true`. Check
with `NCCL_DEBUG=INFO`: channels must say `NET/IB/0/GDRDMA`.

## How safe the fix is
Loading the module changes nothing for running jobs; they use it after a restart. It can be unloaded when
no job uses it.
"""

from collections.abc import Iterator

from codeblue.faults.communication import collective_trial
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.knowledge.versions import parts
from codeblue.model.facts import Driver, Environment, Host, NcclTrial, Network, Pci
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

DMA_BUF_KERNEL = (5, 12)
"""The first kernel whose RDMA core takes DMA-BUF memory; the driver must be the open flavour."""

NVIDIA_ADAPTERS = ("mlx4_core", "mlx5_core")
"""Others, such as EFA, bring a module of their own."""


@fault(
    "peermem-module-not-loaded",
    title=Text("The network adapter cannot reach GPU memory", "网卡无法直接访问 GPU 显存"),
    layer=Layer.COMMUNICATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA gpu-operator: GPUDirect RDMA, DMA-BUF and nvidia-peermem",
            "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-rdma.html",
            "2026-11-30",
        ),
        Reference(
            "CUDA: GPUDirect RDMA, using nvidia-peermem",
            "https://docs.nvidia.com/cuda/gpudirect-rdma/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"GDRDMA|GPU ?Direct|GDR\b|nvidia[-_]peermem|nv_peer_mem|peer[- ]?mem",
                r"not loaded|no GDRDMA|without|missing|disabled|GDR 0|modprobe|lsmod|not (?:used|"
                r"enabled|found)|未加载|没有加载|没加载|未启用",
                r"\bbusbw|bandwidth|slow|GB/s|throughput|perf|only \d|2 nodes|two nodes|nodes|带宽|"
                r"很慢|性能",
            ),
            none=(
                r"single[- ]node|within one node",
                r"fail(?:ed)? to (?:load|insert)",
            ),
        ),
    ),
    remedy=Remedy(
        message("load nvidia_peermem, now and at boot", "加载 nvidia_peermem，并设为开机加载"),
        (
            Step(
                Verb.MODULE_LOAD,
                message("lets the adapter register GPU memory", "让网卡能够注册 GPU 显存"),
                {"module": "nvidia_peermem"},
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "put the name into /etc/modules-load.d/nvidia-peermem.conf",
                    "把模块名写入 /etc/modules-load.d/nvidia-peermem.conf",
                ),
            ),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    ),
    next_command="lsmod | grep -E 'peermem|peer_mem'; ibstat | grep -E 'State|Link'; dmesg | grep -i peermem",
)
def peermem_module_not_loaded(
    network: Network,
    driver: Driver,
    host: Host,
    pci: Pci,
    environment: Environment | None = None,
    *,
    nccl_trial: NcclTrial | Unread | None = UNREAD,
) -> Iterator[Hit]:
    port = _active_port(network)
    if port is None or not network.rdma_nodes or network.peermem or not own_gpus(pci):
        return
    if _has_dma_buf(driver, host) or (environment and _unwanted(environment)):
        return
    device, number = port
    detour = isinstance(nccl_trial, NcclTrial) and _through_main_memory(nccl_trial)
    yield Hit(
        kind=Kind.TROUBLE if detour else Kind.RISK,
        subject="module:nvidia_peermem",
        summary=message(
            "{device} is active on InfiniBand, but without nvidia_peermem it cannot reach GPU memory",
            "{device} 的 InfiniBand 端口已激活，但没有 nvidia_peermem，无法直接访问 GPU 显存",
            device=device,
        ),
        because=cite(
            f"network.rdma[{device}].ports[{number}].state",
            "network.peermem",
            "driver.flavour",
            "host.kernel",
            *(["nccl_trial.log.transports"] if detour else []),
        ),
    )


def _through_main_memory(trial: NcclTrial) -> bool:
    """True if NCCL was seen to send over RDMA, and never from the GPU itself."""
    ways = [way for way in collective_trial.transports(trial) if way.startswith("NET/IB")]
    return bool(ways) and not any("GDRDMA" in way for way in ways)


def _active_port(network: Network) -> tuple[str, str] | None:
    """Return device and number of an active InfiniBand port.

    On Ethernet every such adapter shows an RDMA port, also where it only carries ordinary traffic.
    """
    for name, device in network.rdma.items():
        if device.driver in NVIDIA_ADAPTERS:
            for number, port in device.ports.items():
                if (port.state, port.link_layer) == ("active", "infiniband"):
                    return name, number
    return None


def _has_dma_buf(driver: Driver, host: Host) -> bool:
    return driver.flavour == "open" and parts(host.kernel)[:2] >= DMA_BUF_KERNEL


def _unwanted(environment: Environment) -> bool:
    variables = environment.variables
    return variables.get("NCCL_IB_DISABLE") == "1" or variables.get("NCCL_NET_GDR_LEVEL") in ("0", "LOC")
