"""Does a change of the boot configuration hold, and does it act?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.setup.writes import Write, runs, writes
from codeblue.model.config.shell import Script
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

GENERATED = re.compile(r"/grub2?/grub\.cfg$|/boot/efi/.*grub\.cfg$")
SOURCE = re.compile(r"^/etc/default/grub(?:$|\.d/)")
PRINTS = ("echo", "printf", "tee")
GENERATES = re.compile(r"^(?:update-grub2?|grub2?-mkconfig|grubby|kernelstub|update-bootloader)\b")
BLACKLIST = re.compile(r"^/(?:etc|usr/lib|lib)/modprobe\.d/\S*(?:nouveau|blacklist)")
REBUILDS = re.compile(r"^(?:update-initramfs|dracut|mkinitcpio|mkinitrd|kernel-install|rpm-ostree)\b")
BUILDS = re.compile(r"(?:install|dkms).*nvidia|NVIDIA-Linux|nvidia.*\.run|cuda-drivers")
"""Installing the driver builds the initramfs anew."""


@rule("grub-config-edited-unsafely")
def grub_is_generated(script: Script) -> Iterator[Problem]:
    """``grub.cfg`` is not edited, and not made by a redirect that may break off."""
    for one in writes(script):
        if GENERATED.search(one.file.text):
            yield Problem(
                place=one.file.place,
                message=message(
                    "{file} is generated: the next kernel update makes it anew, without this change",
                    "{file} 是自动生成的：下次更新内核时会重新生成，这处修改随之丢失",
                    file=one.file.text,
                ),
                certainty=Certainty.LIKELY,
                variant="generated",
            )


@rule("grub-config-edited-unsafely")
def other_parameters_stay(script: Script) -> Iterator[Problem]:
    """``echo … > /etc/default/grub`` takes every other setting away."""
    for one in writes(script):
        if one.how == "replaced" and one.file.text == "/etc/default/grub" and one.command.name in PRINTS:
            yield Problem(
                place=one.file.place,
                message=message(
                    "this replaces the whole file: time-out, console and the parameters of others are lost",
                    "这会替换整个文件：超时、控制台和其他人的参数都会丢失",
                ),
                certainty=Certainty.LIKELY,
                variant="replaced",
            )


@rule("grub-config-edited-unsafely")
def grub_is_updated(script: Script) -> Iterator[Problem]:
    """A change of ``/etc/default/grub`` acts only after ``update-grub``."""
    changed = [one for one in writes(script) if SOURCE.search(one.file.text) and one.how != "read"]
    if script.whole and changed and not runs(script, GENERATES):
        yield Problem(
            place=changed[0].file.place,
            message=message(
                "without update-grub or grub2-mkconfig this change never reaches the kernel",
                "没有执行 update-grub 或 grub2-mkconfig，这处修改永远不会传给内核",
            ),
            certainty=Certainty.LIKELY,
            variant="not-generated",
        )


@rule("initramfs-not-rebuilt")
def nouveau_is_kept_out_early(script: Script) -> Iterator[Problem]:
    """The initramfs has its own copy of the blacklist."""
    changed = [one for one in writes(script) if BLACKLIST.search(one.file.text) and one.how != "read"]
    nouveau = script.whole and "nouveau" in script.source.text
    if nouveau and changed and not runs(script, REBUILDS) and not _built_after(script, changed[0]):
        yield Problem(
            place=changed[0].file.place,
            message=message(
                "the initramfs still loads nouveau: update-initramfs -u or dracut --force is missing",
                "initramfs 仍会加载 nouveau：缺少 update-initramfs -u 或 dracut --force",
            ),
            certainty=Certainty.LIKELY,
            variant="script",
        )


def _built_after(script: Script, one: Write) -> bool:
    return runs(script, BUILDS, one.command)


RULES = (grub_is_generated, other_parameters_stay, grub_is_updated, nouveau_is_kept_out_early)
