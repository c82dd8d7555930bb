"""
## What it means
The running process holds a driver library in memory whose file has been deleted or replaced on disk. It
goes on with the old one; whatever is started now gets the new one.

## Why it happens
The driver was upgraded, by hand or by unattended upgrades, while the process was running. The package
manager puts the new file in place of the old, and the old one lives on until the last process that maps
it ends. The kernel module in memory is usually still the old one too.

## When it is not a fault
The process itself works and goes on working. Installing the same release again also replaces the files:
then nothing differs. In a container that outlived an upgrade of the host it is the injected files that
have gone.

## What to do
Let the process finish or write a checkpoint, and do not rely on starting it again before the driver has
been looked at: compare `cat /proc/driver/nvidia/version` with `nvidia-smi`. If they do not fit together,
reboot in a window of your choice; a worker that is restarted earlier will fail. Restart a container so
that its runtime injects the new files.

## How safe the fix is
A reboot or a restart ends the job. Waiting costs nothing as long as no new worker has to be started.
"""

from collections.abc import Iterator

from codeblue.model.facts import Process
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

DRIVER = ("libcuda.so", "libnvidia-")

RESTART = Remedy(
    message("let it finish, then start it again with the new driver", "让它运行完，再用新驱动重新启动"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "only a new process maps the new libraries; check first that they fit the kernel module",
                "只有新进程才会映射新的库；先确认内核模块与库版本一致",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "process-maps-deleted-driver-library",
    title=Text(
        "The driver was upgraded under the running process",
        "进程运行期间驱动被升级",
    ),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA driver README, common problems (API mismatch)",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/commonproblems.html",
            "2026-11-30",
        ),
        Reference(
            "proc_pid_maps(5)", "https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html", "2026-11-30"
        ),
    ),
    remedy=RESTART,
    next_command="cat /proc/driver/nvidia/version; nvidia-smi",
)
def process_maps_deleted_driver_library(process: Process) -> Iterator[Hit]:
    gone = [path for path in process.deleted_libraries if path.rpartition("/")[2].startswith(DRIVER)]
    if gone:
        yield Hit(
            subject="process",
            summary=message(
                "the process maps {library}, which has been deleted or replaced on disk"
                " ({count} driver libraries in all)",
                "进程映射的 {library} 在磁盘上已被删除或替换（共 {count} 个驱动库）",
                library=gone[0],
                count=len(gone),
            ),
            because=cite("process.deleted_libraries"),
        )
