"""
## What it means
Secure Boot is on, and the NVIDIA module of the kernel that will boot carries no signature. Kernels that
enforce Secure Boot refuse such a module, so the driver will be missing after the reboot.

## Why it happens
Secure Boot was switched on after the installation, DKMS has no key to sign with, or its signing failed
when it built for the new kernel. The module that is loaded now may be another file: a signed one from
the distribution, or one for the previous kernel.

## When it is not a fault
Some distributions do not enforce signatures under Secure Boot. If the running kernel is the one that
will boot and has loaded a module of this very version, that has been proved, and nothing is claimed. A
signature that is there is not judged: whether its key is enrolled cannot be read from the files.

## What to do
Sign the module: give DKMS a machine-owner key (`sudo mokutil --import /var/lib/dkms/mok.pub` or
/var/lib/shim-signed/mok/MOK.der), build again with `sudo dkms build --force` and `sudo dkms install --force`,
and confirm the key at the console at the next boot. Or install the distribution's signed modules.
`modinfo -F signer -k KERNEL nvidia` must then name a signer.

## How safe the fix is
Signing changes no running driver. Enrolling a key needs somebody at the console within seconds of the
reboot, also a remote one: without that the reboot ends without a driver.
"""

from collections.abc import Iterator

from codeblue.faults.driver.boot_start import boots_from_here
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.driver.secure_boot_rejects_module import ENROL
from codeblue.model.facts import Driver, Host, NextBoot, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.section import was_read
from codeblue.model.text import Text, message


@fault(
    "secure-boot-rejects-next-module",
    title=Text(
        "Secure Boot will refuse the NVIDIA module of the next boot",
        "Secure Boot 将拒绝下次启动的 NVIDIA 模块",
    ),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.ERROR,
    references=(
        Reference(
            "The Linux kernel: module signing",
            "https://docs.kernel.org/admin-guide/module-signing.html",
            "2026-11-30",
        ),
    ),
    remedy=ENROL,
    next_command="mokutil --sb-state; modinfo -F signer nvidia",
)
def secure_boot_rejects_next_module(
    next_boot: NextBoot, host: Host, pci: Pci, driver: Driver | None
) -> Iterator[Hit]:
    if not host.secure_boot or not own_gpus(pci) or not boots_from_here(host, next_boot):
        return
    if not next_boot.modules or next_boot.module_signed:
        return
    if was_read(host, "mok_validation") and host.mok_validation is False:
        return  # shim was told not to check signatures, and tells the kernel
    if next_boot.kernel == host.kernel and driver and driver.module_version == next_boot.module_version:
        return
    yield Hit(
        subject="driver",
        certainty=Certainty.LIKELY,
        summary=message(
            "Secure Boot is on, and {path} for kernel {kernel} is not signed",
            "Secure Boot 已开启，而内核 {kernel} 的 {path} 没有签名",
            path=next_boot.modules[0],
            kernel=next_boot.kernel,
        ),
        because=cite("host.secure_boot", "next_boot.module_signed", "next_boot.modules", "next_boot.kernel"),
    )
