"""Does a change of the boot configuration by a playbook hold, and does it act?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.automation.acts import acts, file_of, text_of
from codeblue.model.config.ansible import Play
from codeblue.model.config.node import Node
from codeblue.model.config.place import Place
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

GENERATED = re.compile(r"/grub2?/grub\.cfg$")
SOURCE = re.compile(r"^/etc/default/grub(?:$|\.d/)")
GENERATES = re.compile(
    r"update-grub|grub2?-mkconfig|grubby|update_grub|grub_mkconfig|\bgrub\w*cmd", re.IGNORECASE
)
BLACKLIST = re.compile(r"/modprobe\.d/\S*(?:nouveau|blacklist)")
REBUILDS = re.compile(r"initramfs|dracut|mkinitcpio|nvidia|cuda-drivers", re.IGNORECASE)


@rule("grub-config-edited-unsafely")
def grub_is_generated(play: Play) -> Iterator[Problem]:
    """Tasks change where ``grub.cfg`` is made from, not the file itself."""
    for task in play.all:
        if GENERATED.search(file_of(task)):
            yield Problem(
                place=_path(task.get("path", "dest", "destfile", "name")) or task.key.place,
                message=message(
                    "{file} is generated: the next kernel update makes it anew, without this change",
                    "{file} 是自动生成的：下次更新内核时会重新生成，这处修改随之丢失",
                    file=file_of(task),
                ),
                variant="generated",
            )


@rule("grub-config-edited-unsafely")
def grub_is_updated(play: Play) -> Iterator[Problem]:
    """A change of ``/etc/default/grub`` is followed by ``update-grub``."""
    for task in play.all:
        if SOURCE.search(file_of(task)) and not acts(play, task, GENERATES):
            yield Problem(
                place=_path(task.get("path", "dest", "destfile", "name")) or task.key.place,
                message=message(
                    "no later task or handler runs update-grub: this change never reaches the kernel",
                    "之后没有任务或 handler 执行 update-grub：这处修改永远不会传给内核",
                ),
                certainty=Certainty.LIKELY,
                variant="not-generated",
            )


@rule("grub-config-edited-unsafely")
def edits_are_atomic(play: Play) -> Iterator[Problem]:
    """``unsafe_writes`` may leave half a file, with which the machine does not boot."""
    for task in play.all:
        unsafe = task.get("unsafe_writes")
        boots = GENERATED.search(file_of(task)) or SOURCE.search(file_of(task))
        if boots and unsafe is not None and unsafe.text.lower() in ("true", "yes"):
            yield Problem(
                place=unsafe.place,
                message=message(
                    "a write that breaks off leaves half of {file}; without unsafe_writes it cannot",
                    "写入中断会留下半个 {file}；去掉 unsafe_writes 就不会",
                    file=file_of(task),
                ),
                variant="not-atomic",
            )


@rule("initramfs-not-rebuilt")
def nouveau_is_kept_out_early(play: Play) -> Iterator[Problem]:
    """The initramfs has its own copy of the blacklist."""
    for task in play.all:
        named = task.module == "kernel_blacklist" or BLACKLIST.search(file_of(task))
        if named and "nouveau" in text_of(task) and not acts(play, task, REBUILDS):
            yield Problem(
                place=_path(task.get("path", "dest", "name")) or task.key.place,
                message=message(
                    "no later task or handler rebuilds the initramfs: it still loads nouveau",
                    "之后没有任务或 handler 重建 initramfs：它仍会加载 nouveau",
                ),
                certainty=Certainty.LIKELY,
                variant="task",
            )


def _path(node: Node | None) -> Place | None:
    return node.place if node else None


RULES = (grub_is_generated, grub_is_updated, edits_are_atomic, nouveau_is_kept_out_early)
