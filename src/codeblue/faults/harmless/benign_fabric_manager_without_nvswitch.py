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
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
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
    clues=(
        Clue(
            all=(
                r"NV_WARN_NOTHING_TO_DO",
                r"Failed with result|Failed to start|Active: failed|process exited|failed! Exit code|"
                r"code=exited",
            )
        ),
        Clue(
            all=(
                r"fabric ?-?manager",
                r"NV_WARN_NOTHING_TO_DO|no NVSwitch|without (?:an )?NVSwitch|no NVLink|not an? (?:HGX|"
                r"DGX|NVSwitch)|does ?n[o']t have (?:an? )?(?:NVSwitch|NVLink)|没有 ?NVSwitch|"
                r"无 ?NVSwitch|PCIe (?:cards?|version|A100|H100|GPU)|GeForce|RTX ?(?:A\d|\d{4}|PRO|"
                r"\d000)|\bL40S?\b|\bA10\b|\bA6000\b|Tesla T4|\bA40\b|workstation",
                r"fail|exit(?:ed| code|-code)|inactive|error|not running|could not|失败|未运行|起不来",
            ),
            none=(
                r"\bHGX|\bDGX|SXM|NVL72",
                r"Error 802|not yet initialized",
                r"version.{0,30}(?:mismatch|does ?n[o']t match)",
                r"no NVSwitch.{0,20}\?",
            ),
        ),
    ),
    signatures=(
        Signature(
            "NV_WARN_NOTHING_TO_DO",
            r"query NVSwitch device information from NVSwitch driver failed.*\[NV_WARN_NOTHING_TO_DO\]",
        ),
        Signature("NV_WARN_NOTHING_TO_DO", r"NV_WARN_NOTHING_TO_DO"),
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
