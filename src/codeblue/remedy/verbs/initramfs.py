"""initramfs-rebuild: the image from which a kernel starts, made anew by the distribution's own program."""

import os
import re
import time
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import protocol
from codeblue.remedy.files.place import digest
from codeblue.remedy.run import ask, change, found
from codeblue.remedy.verbs.by_program import ByProgram, foreign, unchanged, wanted

KERNEL = re.compile(r"[0-9][A-Za-z0-9._+~-]*")
LARGEST = 512 << 20
"""Bytes of an image that is kept for going back."""

IMAGES = {
    "update-initramfs": "/boot/initrd.img-{kernel}",
    "dracut": "/boot/initramfs-{kernel}.img",
}
BUILD = {
    "update-initramfs": ("-u", "-k", "{kernel}"),
    "dracut": ("--force", "/boot/initramfs-{kernel}.img", "{kernel}"),
}
LIST = {"update-initramfs": "lsinitramfs", "dracut": "lsinitrd"}


class InitramfsRebuild(ByProgram):
    """Takes ``kernel``, as ``uname -r`` prints it."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Show the image. It is always needed: nothing tells what an image was made from."""
        program, image = _tool(args)
        told_ = os.stat(image)
        made = time.strftime("%Y-%m-%d %H:%M", time.gmtime(told_.st_mtime))
        tells = message(
            "{image}: {size} bytes, {made} UTC -> {program}",
            "{image}：{size} 字节，{made} UTC -> {program}",
            image=image,
            size=told_.st_size,
            made=made,
            program=program,
        )
        before = {"image": digest(_content(image)), "manager": program}
        return Look(needed=True, tells=(tells,), before=before)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Keep the image, and let the program make the new one."""
        program, image = _tool(args)
        old = _content(image)
        unchanged(before, {"image": digest(old), "manager": program}, image)
        folder = os.statvfs(os.path.dirname(image))
        if folder.f_bavail * folder.f_frsize < 2 * len(old):
            raise Refused(
                message(
                    "{image}: no room for a second image beside it",
                    "{image}：旁边没有空间再放一个镜像",
                    image=image,
                )
            )
        keep.put(old)
        change(_build(program, args["kernel"]))
        return before | {"made": digest(_content(image))}

    def verify(self, args: Args) -> bool:
        """Return whether the image can be listed and holds the modules of its kernel."""
        program, image = _tool(args)
        listed = ask((LIST[program], image), program, seconds=120)
        return listed.code == 0 and f"modules/{args['kernel']}" in listed.out

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Put the former image back."""
        _, image = _tool(args)
        old, now = keep.get(before["image"]), digest(_content(image))
        if now == before["image"]:
            return
        if "made" in before and now != before["made"]:
            raise foreign(image)
        protocol.replace(image, now, old, name, keep, lambda written: None, largest=LARGEST)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command; it can be run again at any time."""
        return [_build(_tool(args)[0], args["kernel"])]

    def sweep(self, args: Args, name: str) -> None:
        """Remove an image that was being put back."""
        protocol.sweep(_tool(args)[1], name)


def _tool(args: Args) -> tuple[str, str]:
    """Return the program of this distribution and the path of its image. Raises Refused."""
    kernel = wanted(args, "kernel")
    if not KERNEL.fullmatch(kernel):
        raise Refused(message("{kernel} is no kernel", "{kernel} 不是内核版本", kernel=repr(kernel)))
    for program, image in IMAGES.items():
        path = image.format(kernel=kernel)
        if found(program) and os.path.isfile(path):
            return program, path
    if found("mkinitcpio"):
        raise Refused(
            message(
                "mkinitcpio builds by presets; run mkinitcpio -P as root",
                "mkinitcpio 按预设构建；请以 root 运行 mkinitcpio -P",
            )
        )
    raise Refused(
        message(
            "kernel {kernel} has no image in /boot that update-initramfs or dracut made",
            "内核 {kernel} 在 /boot 中没有由 update-initramfs 或 dracut 生成的镜像",
            kernel=kernel,
        )
    )


def _build(program: str, kernel: str) -> tuple[str, ...]:
    return (program, *(word.format(kernel=kernel) for word in BUILD[program]))


def _content(image: str) -> bytes:
    if os.stat(image).st_size > LARGEST:
        raise Refused(message("{image} is too large to be kept", "{image} 太大，无法保留副本", image=image))
    with open(image, "rb") as stream:
        return stream.read()
