"""
## What it means
This server with data-centre GPUs has the NVIDIA driver from Ubuntu's archive, and APT installs upgrades by
itself. One night it will replace the driver's libraries while the old kernel module stays loaded: from
then on every new CUDA program fails with a version mismatch, until the next reboot.

## Why it happens
Ubuntu switches unattended-upgrades on by default, and driver releases with security fixes come through its
security pocket, which is allowed by default. Running jobs go on with what they have mapped, so the trouble
shows only when the next one starts.

## When it is not a fault
On a laptop, or where the machine reboots after upgrades anyway (`Unattended-Upgrade::Automatic-Reboot`) and
no long jobs run. Packages that are held or on the list of exceptions are left alone, and packages of NVIDIA's
own repository are not among the origins that Ubuntu allows: neither is reported.

## What to do
Hold the driver: `sudo apt-mark hold` with the names of the installed driver packages, or add `"nvidia"` and
`"libnvidia"` to `Unattended-Upgrade::Package-Blacklist` in
`/etc/apt/apt.conf.d/50unattended-upgrades`. Then upgrade in a maintenance window, followed by a reboot.
Do not switch off the rest: kernel fixes are wanted.

## How safe the fix is
A hold is a mark, taken back with `apt-mark unhold`. It also keeps security fixes of the driver away: put the
upgrade into the calendar.
"""

import re
from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.hardware.server_gpus import is_server_device
from codeblue.model.facts import Container, Host, Packages, Pci
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

LIBRARIES = re.compile(r"libnvidia-compute-\d+(?:-server)?$")
ARCHIVE = re.compile(r"-0ubuntu\d+(?:\.\d+)*\.\d\d\.\d\d(?:\.\d+)*$")
"""Versions of Ubuntu's own builds name the release; NVIDIA's repository writes ``-1ubuntu1``."""


FAMILY = re.compile(r"(?:lib|xserver-xorg-video-)?nvidia-")


def hold(names: list[str]) -> Remedy:
    """Hold these packages at their version."""
    why = message("APT then leaves it at its version", "此后 APT 会让它保持当前版本")
    return Remedy(
        message(
            "hold {count} packages of the driver", "锁定（hold）驱动的 {count} 个软件包", count=len(names)
        ),
        tuple(Step(Verb.PACKAGE_HOLD, why, {"package": name}) for name in names),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )


@fault(
    "driver-packages-upgrade-unattended",
    title=Text("The driver may be upgraded under running jobs", "驱动可能在作业运行时被自动升级"),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    references=(
        Reference(
            "Ubuntu Server: automatic updates",
            "https://documentation.ubuntu.com/server/how-to/software/automatic-updates/",
            "2026-11-30",
        ),
    ),
    remedy=Remedy(
        message("hold the driver packages", "锁定（hold）驱动软件包"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "sudo apt-mark hold the installed driver packages; upgrade in a window, with a reboot",
                    "对已安装的驱动软件包执行 sudo apt-mark hold；在维护窗口内升级并重启",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="apt-mark showhold; apt-config dump | grep -i unattended",
)
def driver_packages_upgrade_unattended(
    packages: Packages, pci: Pci, host: Host, container: Container | None
) -> Iterator[Hit]:
    if container is not None or host.distribution != "ubuntu" or not packages.unattended:
        return
    servers = [a for a in own_gpus(pci) if a in pci.functions and is_server_device(pci.functions[a].device)]
    excluded = packages.unattended_excluded
    for name, package in packages.installed.items():
        if not servers or not LIBRARIES.match(name) or not ARCHIVE.search(package.version):
            continue
        if package.held or any(_covers(pattern, name) for pattern in excluded):
            continue
        yield Hit(
            subject="driver",
            summary=message(
                "APT upgrades {name} {version} by itself, also while jobs run",
                "APT 会自动升级 {name} {version}，作业运行时也不例外",
                name=name,
                version=package.version,
            ),
            because=cite(f"packages[{name}].version", "packages.unattended", f"packages[{name}].held"),
            remedy=hold(_free(packages, package.version)),
        )
        return


def _free(packages: Packages, version: str) -> list[str]:
    """Return the packages of this release of the driver that are not held."""
    return [
        name
        for name, one in packages.installed.items()
        if FAMILY.match(name) and one.version == version and was_read(one, "held") and not one.held
    ]


def _covers(pattern: str, name: str) -> bool:
    """Return whether unattended-upgrades leaves the package alone: patterns match from the beginning."""
    try:
        return re.match(pattern, name) is not None
    except re.error:
        return name.startswith(pattern)
