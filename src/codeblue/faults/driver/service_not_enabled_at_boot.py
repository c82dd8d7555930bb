"""
## What it means
The fabric manager runs now, but it is not enabled: nothing will start it at the next boot. On a machine
with NVSwitches CUDA then refuses with error 802, "system not yet initialized", although `nvidia-smi`
shows all GPUs.

## Why it happens
Somebody started it by hand with `systemctl start`, or an upgrade of the package disabled it. `start` is
for now, `enable` is for every boot.

## When it is not a fault
If something else starts it (configuration management at boot, a container of an operator, a unit of your
own), it need not be enabled. Machines without NVSwitches do not need it.

## What to do
`sudo systemctl enable nvidia-fabricmanager`. It changes nothing that runs now.

## How safe the fix is
Enabling makes a link in /etc/systemd/system; `systemctl disable` takes it away again. The running
service is not touched.
"""

from collections.abc import Iterator

from codeblue.model.facts import NextBoot, Pci, Services
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SERVICE = "nvidia-fabricmanager"

ENABLE = Remedy(
    message("enable the fabric manager", "启用 fabric manager"),
    (
        Step(
            Verb.SERVICE_ENABLE,
            message(
                "every boot then starts it; the running service is not touched",
                "此后每次开机都会启动它；正在运行的服务不受影响",
            ),
            {"service": SERVICE},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


@fault(
    "service-not-enabled-at-boot",
    title=Text(
        "The fabric manager runs but will not start at boot", "fabric manager 正在运行，但开机不会启动"
    ),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA fabric manager user guide",
            "https://docs.nvidia.com/datacenter/tesla/fabric-manager-user-guide/",
            "2026-11-30",
        ),
    ),
    remedy=ENABLE,
    next_command="systemctl is-enabled nvidia-fabricmanager",
)
def service_not_enabled_at_boot(next_boot: NextBoot, pci: Pci, services: Services) -> Iterator[Hit]:
    if not pci.nvswitches or SERVICE in next_boot.enabled or SERVICE not in services.services:
        return
    row = services.services[SERVICE]
    if row.state != "active" or row.enabled != "disabled":
        return
    yield Hit(
        subject=f"service:{SERVICE}",
        certainty=Certainty.LIKELY,
        summary=message(
            "{service} is active but disabled; this machine has {count} NVSwitches",
            "{service} 正在运行但未启用；这台机器有 {count} 个 NVSwitch",
            service=SERVICE,
            count=pci.nvswitches,
        ),
        because=cite(f"services[{SERVICE}].enabled", "next_boot.enabled", "pci.nvswitches"),
    )
