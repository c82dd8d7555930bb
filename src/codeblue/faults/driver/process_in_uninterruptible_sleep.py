"""
## What it means
The process sits in the kernel and waits for an answer that does not come: state D, at two looks in a row,
inside the NVIDIA driver or inside the client of a network file system. No signal reaches it, `kill -9`
neither, until the kernel's call returns.

## Why it happens
In the NVIDIA driver: the GPU or its firmware does not answer any more, a lock is held by another process
that hangs, or a reset is under way. The kernel log often has an Xid (79, 119, 120) from the same time.
In a file system: the server of NFS, Lustre, Ceph or a FUSE mount is away or overloaded, and the mount is
a hard one that waits for ever.

## When it is not a fault
A short wait is ordinary: reading a disk, writing a checkpoint, creating the CUDA context on eight GPUs.
Two looks 0.2 s apart can hit one long write twice. Look again after a minute: if the place in the kernel
changes or the process has gone on, it is only slow.

## What to do
`sudo cat /proc/PID/stack` shows the whole way into the kernel; `sudo dmesg` shows what the kernel says of it.
For a file system: bring the server or the network back, then the process goes on by itself;
`umount -f` or `umount -l` if it never will. For the driver: read the Xid first; once the GPU does not answer,
only a reset of the GPU, and often only a reboot, frees the process.

## How safe the fix is
Looking changes nothing. Forcing an unmount loses what was not written yet. A reset needs that no other
process uses the GPU; a reboot ends everything on the machine.
"""

import re
from collections.abc import Iterator

from codeblue.model.facts import Process
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

PLACES = (
    ("driver", re.compile(r"_?nv\d|_?nv_|nvidia|nvkms|uvm_|rm_")),
    (
        "storage",
        re.compile(
            r"nfs|rpc_wait|rpc_execute|lustre|ldlm_|ptlrpc|cl_sync_io|ceph|fuse_|cifs|smb2_|gpfs|beegfs"
        ),
    ),
)
"""Variant and how the names of the kernel's functions begin."""

LOOK = Remedy(
    message("see what the kernel waits for", "查看内核在等待什么"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "bring the file server back, or read the GPU's Xid; no signal ends this process",
                "恢复文件服务器，或查看 GPU 的 Xid；任何信号都无法结束这个进程",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "process-in-uninterruptible-sleep",
    title=Text(
        "The process hangs in the kernel and cannot be killed",
        "进程卡在内核中，无法被杀死",
    ),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    references=(
        Reference(
            "proc_pid_wchan(5)", "https://man7.org/linux/man-pages/man5/proc_pid_wchan.5.html", "2026-11-30"
        ),
        Reference("NVIDIA Xid errors", "https://docs.nvidia.com/deploy/xid-errors/", "2026-11-30"),
    ),
    remedy=LOOK,
    next_command="sudo cat /proc/PID/stack; sudo dmesg | tail -50",
)
def process_in_uninterruptible_sleep(process: Process) -> Iterator[Hit]:
    place = process.waits_in
    if not process.uninterruptible or place is None:
        return
    variant = next((name for name, pattern in PLACES if pattern.match(place)), None)
    if variant:
        yield Hit(
            subject="process",
            certainty=Certainty.LIKELY,
            variant=variant,
            summary=message(
                "the process waits in the kernel's {place} (state D) and cannot be interrupted",
                "进程在内核函数 {place} 中等待（D 状态），无法中断",
                place=place,
            ),
            because=cite("process.waits_in", "process.uninterruptible"),
        )
