"""
## What it means
The NVIDIA module is on disk, but the kernel refused to load it because its signature is missing or made
with a key that this machine does not trust. That is what Secure Boot, or a kernel in lockdown, is for.

## Why it happens
DKMS builds the module on the machine and signs it with a machine-owner key (MOK) of the machine itself.
The firmware must be told to trust that key, once, at the boot console; who missed the blue screen after
installing has an unknown key. A newly made key after a reinstallation, a switch from the distribution's
signed module to a DKMS build, and a virtual machine type that switched Secure Boot on have the same
effect.

## When it is not a fault
The line "module verification failed: signature and/or required key missing - tainting kernel" is
harmless: there the module was loaded. A rejected module of somebody else (a file system, a virtual
machine driver) says nothing about NVIDIA's.

## What to do
Either enrol the key: `sudo mokutil --import /var/lib/shim-signed/mok/MOK.der` (or
/var/lib/dkms/mok.pub), choose a password, reboot, and confirm on the console in the MOK manager. Or
install the distribution's modules that are signed already (on Ubuntu
`linux-modules-nvidia-<branch>-$(uname -r)`). Or switch Secure Boot off in the firmware or in the
settings of the virtual machine.

## How safe the fix is
Enrolling a key needs somebody at the console, also a remote one, within seconds of the reboot. Switching
Secure Boot off weakens the machine and may be against the rules of the site; it can also lock disks that
are sealed to the TPM.
"""

import re
from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.words import NO_GPU
from codeblue.model.facts import Driver, Host, KernelLog, KernelModules, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

REJECTED = re.compile(
    r"Loading of (unsigned module|module with unavailable key|module with unsupported crypto) is rejected"
    r"|Lockdown: \S+: unsigned module loading is restricted"
)

LOADED = (
    r"tainting kernel|NVRM: loading|Nvlink Core is being initialized|Initialized nvidia-drm"
    r"|NVIDIA-SMI \d|NVRM version: |^nvidia +\d+ +\d"
)
"""A kernel that does not insist on signatures says first whose is unknown, and then loads the module."""

ENROL = Remedy(
    message("let the firmware trust the key that signed the module", "让固件信任为该模块签名的密钥"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "mokutil --import the certificate, reboot, confirm at the console; or use signed packages",
                "用 mokutil --import 导入 MOK 证书，重启并在控制台确认；或改用已签名的软件包",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "secure-boot-rejects-module",
    title=Text("Secure Boot refuses the NVIDIA kernel module", "Secure Boot 拒绝加载 NVIDIA 内核模块"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nvidia-module-not-loaded",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "driver-module-missing-for-running-kernel",
    ),
    references=(
        Reference(
            "The Linux kernel: module signing",
            "https://docs.kernel.org/admin-guide/module-signing.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA driver installation guide, kernel modules",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/kernel-modules.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("Key was rejected by service", r"nvidia\S*:? .*Key was rejected by service"),
        Signature("Required key not available", r"nvidia\S*:? .*Required key not available"),
        Signature(
            "Secure boot is enabled on this system",
            r"kernel module failed to load\. +Secure boot is enabled on this system",
            Certainty.LIKELY,
        ),
        Signature(
            "Key was rejected by service",
            "(?:nvidia.*Key was rejected by service|Key was rejected by service.*nvidia)",
        ),
        Signature("Lockdown", "Lockdown: modprobe: unsigned module loading is restricted", Certainty.LIKELY),
        Signature(
            " is rejected",
            "Loading of (?:unsigned )?module(?: with unavailable key)? is rejected",
            Certainty.LIKELY,
        ),
        Signature("unavailable key", "Loading of module with unavailable key is rejected", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"secure ?boot|SecureBoot|\bMOK\b|mokutil|安全启动|machine[- ]owner key|enroll",
                NO_GPU + r"|insmod|modprobe|reject|unsigned|not signed|\bsignature|refus|拒绝|签名",
            ),
            none=(
                r"secure ?boot.{0,25}(?:disabled|off\b|is not enabled)|(?:disabled|turned off"
                "|no) secure ?boot|(?:关闭|关掉|禁用)了? ?(?:安全启动|secure ?boot)"
                "|安全启动.{0,4}(?:已)?关",
            ),
        ),
        Clue(
            all=("PKCS#7 signature not signed with a trusted key", NO_GPU + r"|nvidia|NVRM"), none=(LOADED,)
        ),
    ),
    remedy=ENROL,
    next_command="mokutil --sb-state; modinfo -F signer nvidia; sudo modprobe nvidia",
)
def secure_boot_rejects_module(
    driver: Driver | None,
    modules: KernelModules,
    pci: Pci,
    host: Host | None = None,
    kernel_log: KernelLog | None = None,
) -> Iterator[Hit]:
    if driver is not None or not modules.on_disk or not own_gpus(pci):
        return
    if kernel_log is None:
        if host and host.secure_boot and not _other_reason(modules, pci):
            yield _perhaps(modules)
        return
    rejected = [n for n, line in enumerate(kernel_log.lines) if REJECTED.search(line.text)]
    if not rejected:
        return
    named = any("nvidia" in kernel_log.lines[n].text.lower() for n in rejected)
    yield Hit(
        subject="driver",
        certainty=Certainty.CERTAIN if named else Certainty.LIKELY,
        summary=message(
            "the kernel rejected a module: {line}",
            "内核拒绝了一个模块：{line}",
            line=kernel_log.lines[rejected[0]].text.strip()[:160],
        ),
        because=cite(
            *(f"kernel_log.lines[{n}].text" for n in rejected[:3]), "modules.on_disk", "modules.loaded"
        ),
    )


def _other_reason(modules: KernelModules, pci: Pci) -> bool:
    """Return whether something else keeps a module from loading that the bus would have called for."""
    bound = any(pci.functions[a].driver for a in pci.nvidia_gpus if a in pci.functions)
    return bound or "nvidia" in modules.loaded or "nvidia" in modules.blacklisted


def _perhaps(modules: KernelModules) -> Hit:
    return Hit(
        subject="driver",
        variant="log-unread",
        certainty=Certainty.POSSIBLE,
        summary=message(
            "Secure Boot is on, and {path} did not load although nothing else forbids it",
            "Secure Boot 已开启，而 {path} 没有加载，也没有别的东西禁止它",
            path=modules.on_disk[0],
        ),
        because=cite("host.secure_boot", "modules.on_disk", "modules.loaded"),
    )
