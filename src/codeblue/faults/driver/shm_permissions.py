"""
## What it means
The user who runs the job may not write to `/dev/shm`. Everything that shares memory between processes
fails: DataLoader workers, `multiprocessing` locks and queues, NCCL's shared-memory transport.

## Why it happens
`/dev/shm` should have mode 1777, like `/tmp`. A hardening script, a wrong line in `/etc/fstab`, a
hand-made chroot or an `emptyDir` that belongs to root gave it 0755; or it is mounted read-only.

## When it is not a fault
A mode other than 1777 with which the user can write works. A refusal on one file there usually means that
the file belongs to another user's run: names are shared by everybody on the machine.

## What to do
`sudo chmod 1777 /dev/shm`; the leading 1 keeps users from deleting each other's files. Then look for what
set it: `grep shm /etc/fstab`, `systemctl cat dev-shm.mount`, the securityContext (`fsGroup`) of a pod. A
read-only mount: `sudo mount -o remount,rw /dev/shm`.

## How safe the fix is
Mode 1777 is what every distribution ships; the change disturbs no running job and can be taken back
exactly.
"""

# ruff: noqa: S108 - /dev/shm is the subject, not a temporary file
from collections.abc import Iterator

from codeblue.model.facts import Filesystem, Filesystems, User
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SHM = "/dev/shm"
USUAL = "1777"

OPEN_IT = Remedy(
    message("give /dev/shm mode 1777", "把 /dev/shm 的权限改为 1777"),
    (
        Step(
            Verb.NODE_MODE,
            message("the mode that every distribution gives it", "各发行版的默认权限"),
            {"path": SHM, "mode": USUAL},
        ),
    ),
    Automation.APPROVAL,
    Undo.EXACT,
)
REMOUNT = Remedy(
    message("mount /dev/shm writable", "以可写方式重新挂载 /dev/shm"),
    (Step(Verb.INSTRUCT, message("sudo mount -o remount,rw /dev/shm", "sudo mount -o remount,rw /dev/shm")),),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "shm-permissions",
    title=Text("The user may not write to /dev/shm", "用户无权写入 /dev/shm"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("rank-raised-exception", "shm-too-small"),
    references=(
        Reference(
            "Linux: shm_overview(7)",
            "https://man7.org/linux/man-pages/man7/shm_overview.7.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("Permission denied", r"Permission denied: '/dev/shm[/']", Certainty.LIKELY),
        Signature(
            "unable to open shared memory object",
            r"unable to open shared memory object <[^>]*> in read-write mode: Permission denied",
            Certainty.LIKELY,
        ),
        Signature("/dev/shm/nccl-", r"/dev/shm/nccl-\S+.*Permission denied", Certainty.LIKELY),
        Signature("shm_open failed", r"shm_open failed *: *Permission denied", Certainty.LIKELY),
        Signature(
            "/dev/shm", "/dev/shm.{0,60}(?:[Pp]ermission denied|Read-only file system)", Certainty.LIKELY
        ),
    ),
    clues=(
        Clue(
            all=(
                "/dev/shm|SemLock|sem_open|shm_open|multiprocessing.{0,30}(?:Lock|Queue|synchronize)"
                "|shared memory",
                "Permission denied|PermissionError|Errno 13|EACCES|not writable|Read-only|权限|没有写",
                "/dev/shm|SemLock|shm_open|shared memory|共享内存",
            ),
            none=("No space left|Bus error|size",),
        ),
    ),
    remedy=OPEN_IT,
    next_command="ls -ld /dev/shm; findmnt /dev/shm",
)
def shm_permissions(filesystems: Filesystems, user: User) -> Iterator[Hit]:
    shm = filesystems.filesystems.get(SHM)
    if shm is None or shm.writable:
        return
    who = user.name or str(user.uid)
    yield _read_only(who) if shm.read_only else _closed(shm, who)


def _closed(shm: Filesystem, who: str) -> Hit:
    return Hit(
        subject=f"filesystem:{SHM}",
        summary=message(
            "/dev/shm has mode {mode}; {who} may not write there",
            "/dev/shm 的权限是 {mode}，{who} 无法写入",
            mode=shm.mode,
            who=who,
        ),
        because=cite(f"filesystems[{SHM}].writable", f"filesystems[{SHM}].mode", "user.uid"),
        certainty=Certainty.LIKELY if shm.mode == USUAL else Certainty.CERTAIN,
    )


def _read_only(who: str) -> Hit:
    return Hit(
        subject=f"filesystem:{SHM}",
        variant="read-only",
        summary=message(
            "/dev/shm is mounted read-only; {who} cannot write there",
            "/dev/shm 以只读方式挂载，{who} 无法写入",
            who=who,
        ),
        because=cite(f"filesystems[{SHM}].writable", f"filesystems[{SHM}].read_only"),
        remedy=REMOUNT,
    )
