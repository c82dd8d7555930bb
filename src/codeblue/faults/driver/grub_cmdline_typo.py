"""
## What it means
The kernel and modprobe take no notice of parameters that they do not know: there is no warning. The
line looks right at a glance and has no effect, so nouveau is loaded as before and keeps the NVIDIA
module out.

## Why it happens
The names are easily mixed up: `modprobe.blacklist` is read by modprobe, `rd.driver.blacklist` only by
dracut's early image, and `nouveau.modeset=0` by nouveau. A letter that is missing in one place stays
there, since `/etc/default/grub` is copied from machine to machine.

## When it is not a fault
A misspelt parameter beside a correct one, or beside a blacklist in modprobe.d, changes nothing.
Initramfs tools of other distributions may know names of their own.

## What to do
Correct the line in `/etc/default/grub`, run `sudo update-grub` (or `grub2-mkconfig`), and compare with
`/proc/cmdline` after the reboot. `codeblue check --next-boot` looks at the entry that will boot. Besides
the boot line put `blacklist nouveau` and `options nouveau modeset=0` into a file in `/etc/modprobe.d`,
and build the initramfs anew (`update-initramfs -u` or `dracut -f`): both places count.

## How safe the fix is
Both `/etc/default/grub` and the boot menu can be put back. codeblue adds the parameter that is read and
leaves the misspelt one, which does nothing; where grubby or another boot loader decides, it says so and
changes nothing. A correct line takes effect at the next boot, and then the console of a machine without a
working NVIDIA driver falls back to a plain frame buffer. Have remote access or a second boot entry at hand.
"""

from collections.abc import Iterator

from codeblue.faults.driver.boot_start import boots_from_here, keeps_nouveau_out, misspelt
from codeblue.faults.driver.own_gpus import driven_by, own_gpus
from codeblue.model.facts import Host, NextBoot, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

PARAMETER = "modprobe.blacklist=nouveau"
ADD = Remedy(
    message(
        "add {parameter} to the boot entries and reboot",
        "在启动项中加入 {parameter} 并重启",
        parameter=PARAMETER,
    ),
    (
        Step(
            Verb.KERNEL_PARAMETER,
            message(
                "this is the spelling that is read, from the initramfs on; "
                "the misspelt parameter does nothing and can be taken out by hand",
                "这才是会被读取的写法，从 initramfs 阶段起生效；拼错的参数不起作用，可手动删去",
            ),
            {"parameter": PARAMETER},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)
CORRECT = Remedy(
    message(
        "correct the parameter, write the boot configuration again and reboot",
        "更正参数，重新生成启动配置并重启",
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "in /etc/default/grub write modprobe.blacklist=nouveau rd.driver.blacklist=nouveau, "
                "then sudo update-grub (or grub2-mkconfig) and reboot",
                "在 /etc/default/grub 里写 modprobe.blacklist=nouveau rd.driver.blacklist=nouveau，"
                "然后 sudo update-grub（或 grub2-mkconfig）并重启",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.EXACT,
)


@fault(
    "grub-cmdline-typo",
    title=Text("A kernel parameter is misspelt and therefore ignored", "内核参数拼写错误，被忽略"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nouveau-owns-gpu",
        "nova-core-owns-gpu",
        "nvidia-smi-failed",
        "nvidia-module-not-loaded",
        "initramfs-not-rebuilt",
    ),
    references=(
        Reference(
            "The kernel's command-line parameters",
            "https://docs.kernel.org/admin-guide/kernel-parameters.html",
            "2026-11-30",
        ),
        Reference(
            "dracut.cmdline: rd.driver.blacklist",
            "https://man7.org/linux/man-pages/man7/dracut.cmdline.7.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            ".blacklist=",
            r"(?:^|[ \x22])(?P<parameter>(?:mod?prob|modeprobe|mobprobe|modprobes|modproble|module"
            r"|rd\.drivers|rddriver)\.blacklist)=",
            Certainty.LIKELY,
        ),
        Signature(
            "veau",
            r"(?:^|[ \x22])(?P<parameter>nouveau\.(?:modset|mode|mod_set|modsetting|mode_set)"
            r"|nouveau-modeset|nouveau_modeset|noveau\.modeset)=",
            Certainty.LIKELY,
        ),
        Signature(
            "nvidia",
            r"(?:^|[ \x22])(?P<parameter>nvidia-?_?drm\.(?:modset|mode_set|modsetting))=",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"(?:modprob|moprobe|modporbe|modrpobe|mobprobe|modproble)\.blacklist|(?:blaklist"
                "|blacklst|blackist|blacklit)|noveau|nouveua|nuoveau|modset=",
                "nouveau|nvidia|grub|cmdline|noveau|kernel",
            ),
        ),
        Clue(
            all=(
                "typo|misspel|mistyp|spelled wrong|spelling|拼错|写错|拼写",
                "grub|kernel (?:parameter|command|option|argument|cmdline)|cmdline|内核参数|启动参数"
                r"|modprobe\.blacklist",
                "nouveau|nvidia|blacklist",
            ),
        ),
    ),
    remedy=CORRECT,
    next_command="cat /proc/cmdline; lsmod | grep -E 'nouveau|nvidia'",
)
def grub_cmdline_typo(pci: Pci, host: Host, next_boot: NextBoot | None = None) -> Iterator[Hit]:
    wrong = misspelt(host.cmdline)
    if wrong is not None and driven_by(pci, "nouveau") and not keeps_nouveau_out(host.cmdline):
        yield Hit(
            subject="driver",
            certainty=Certainty.LIKELY,
            summary=message(
                "nobody reads the kernel parameter {word}, and nouveau holds the GPU",
                "没有谁读取内核参数 {word}，而 nouveau 占着 GPU",
                word=host.cmdline[wrong],
            ),
            because=cite(f"host.cmdline[{wrong}]", "pci.nvidia_gpus"),
            remedy=ADD,
        )
    if next_boot and own_gpus(pci) and boots_from_here(host, next_boot):
        yield from _at_next_boot(next_boot)


def _at_next_boot(next_boot: NextBoot) -> Iterator[Hit]:
    if next_boot.nouveau_disabled or not next_boot.nouveau:
        return
    words = next_boot.parameters or []
    wrong = misspelt(words)
    if wrong is None or keeps_nouveau_out(words):
        return
    yield Hit(
        subject="driver",
        variant="next-boot",
        kind=Kind.RISK,
        certainty=Certainty.LIKELY,
        summary=message(
            "the next boot has the parameter {word}, which nobody reads, and nothing else keeps nouveau out",
            "下次启动带有参数 {word}，没有谁读取它，也没有别的设置屏蔽 nouveau",
            word=words[wrong],
        ),
        because=cite(f"next_boot.parameters[{wrong}]", "next_boot.nouveau_disabled", "next_boot.nouveau"),
        remedy=ADD,
    )
