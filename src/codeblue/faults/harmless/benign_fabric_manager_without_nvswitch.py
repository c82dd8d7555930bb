"""
## What it means
The service nvidia-fabricmanager failed, but this machine has no NVSwitch for it to manage, and CUDA
starts. Its own words are "Nothing to do".

## Why it happens
The package was installed along with the driver, or by a recipe that was written for HGX servers. GPUs
in PCIe slots, also those joined by NVLink bridges, need no fabric manager.

## When it is not a fault
As long as CUDA starts. On HGX and DGX systems with NVSwitch the same service is indispensable: without
it CUDA reports 802, and codeblue reports that as a fault. In a virtual machine the service may run on
the host instead.

## What to do
Nothing. To keep monitoring quiet, switch it off: `sudo systemctl disable --now nvidia-fabricmanager`.

## How safe the fix is
Switching off a service that never ran changes nothing. Do not do it on a machine with NVSwitch.
"""

from collections.abc import Iterator

from codeblue.model.facts import Cuda, Pci, Services
from codeblue.model.fault import Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.text import Text, message

SERVICE = "nvidia-fabricmanager"


@fault(
    "benign-fabric-manager-without-nvswitch",
    title=Text("Fabric manager has nothing to manage here", "这台机器没有需要 fabric manager 管理的设备"),
    layer=None,
    kind=Kind.HARMLESS,
    severity=Severity.NOTE,
    references=(
        Reference(
            "NVIDIA: fabric manager user guide",
            "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/index.html",
            "2026-11-30",
        ),
        Reference(
            "GPU operator issue 610",
            "https://github.com/NVIDIA/gpu-operator/issues/610",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "NV_WARN_NOTHING_TO_DO",
            r"query NVSwitch device information from NVSwitch driver failed.*\[NV_WARN_NOTHING_TO_DO\]",
        ),
    ),
)
def benign_fabric_manager_without_nvswitch(services: Services, pci: Pci, cuda: Cuda) -> Iterator[Hit]:
    service = services.services.get(SERVICE)
    if service and service.state == "failed" and pci.nvswitches == 0 and cuda.init == 0:
        yield Hit(
            subject=f"service:{SERVICE}",
            summary=message(
                "nvidia-fabricmanager failed, but there is no NVSwitch and CUDA starts without it",
                "nvidia-fabricmanager 启动失败，但这里没有 NVSwitch，CUDA 不需要它也能初始化",
            ),
            because=cite(f"services[{SERVICE}].state", "pci.nvswitches", "cuda.init"),
        )
