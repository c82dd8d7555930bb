"""
## What it means
The key itself is right. With `StrictModes`, the default, sshd ignores a key file that somebody else could
have written: the file, its folder and every folder above up to the home must belong to the user or to root
and must not be writable for group or others.

## Why it happens
A bind mount keeps the numbers of the host: the file belongs to uid 1000 there, which is another user, or
nobody, in the container. Volumes on NFS or from Windows come as 777. `umask 002` makes `~/.ssh` writable
for the group.

## When it is not a fault
The client says only "Permission denied (publickey)", which has many reasons; the words of sshd decide.
"Permissions … are too open" comes from the client and is about the private key.

## What to do
`ls -ldn` shows the numbers; compare with `id USER` inside the container. Correct owner and mode on the side
where they live. If they cannot be changed (NFS), let `AuthorizedKeysFile /etc/ssh/keys/%u` point to a
folder of root's.

On the machine itself codeblue does it: only where sshd would refuse, keys become 0600, `~/.ssh` 0700, and
the home loses the right of others to write.

## How safe the fix is
Each mode and owner can be taken back exactly. Who wrote into the home as a member of its group no longer
can. chown on a bind mount changes the file on the host too. `StrictModes no` also works and lets everybody
who can write the file log in as that user: better not.
"""

from collections.abc import Iterator

from codeblue.model.facts import Host, Login, LoginFile, User
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

PRIVATE = {"~/.ssh": "0700", "~/.ssh/authorized_keys": "0600"}
"""Modes that are given; a home only loses the right of others to write."""
EVERYBODY, GROUP = 0o002, 0o020
LENIENT = ("debian", "ubuntu", "linuxmint", "pop", "raspbian", "kali", "devuan")
"""Their sshd lets a group write whose only member is the user."""

KEYS = r"authorized_keys|\.ssh\b|ssh 密钥|公钥"
RIGHTS = (
    r"\bowner(?:ship|ed)?\b|\bowned\b|\buid\b|\bchown\b|\bchmod\b|drwxrwx|rwxrwxrwx|-rw-rw-|drwx...rwx"
    r"|\b0?777\b|\b0?775\b|\b0?666\b|\b0?664\b"
    r"|(?:bad|wrong|loose|open|group|world)\W.{0,12}(?:permission|mode|writ)"
    r"|属主|所有者|所属|权限(?:太|过|不|为|是|错)"
)
TURNED_AWAY = (
    r"Permission denied \(publickey|(?:ask|prompt)\w*.{0,16}password|refus\w+|\bdenied\b"
    r"|(?:not|n.t) (?:accept|work|log)|reject\w*|密码|拒绝|不被接受|登录不|登不"
)


@fault(
    "authorized-keys-bad-ownership-or-mode",
    title=Text("sshd refuses the key file because of its owner or mode", "sshd 因属主或权限拒绝公钥文件"),
    layer=Layer.REMOTE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    references=(
        Reference("OpenSSH: sshd, FILES and StrictModes", "https://man.openbsd.org/sshd#FILES", "2026-12-01"),
        Reference(
            "docker-sshd#32: bind-mounted key file",
            "https://github.com/panubo/docker-sshd/issues/32",
            "2026-12-01",
        ),
    ),
    signatures=(
        Signature(
            "bad ownership or modes",
            r"Authentication refused: bad ownership or modes for (?:file|directory) (?P<path>\S+)",
        ),
    ),
    clues=(
        Clue(
            all=(KEYS, RIGHTS, TURNED_AWAY),
            none=(r"Permissions \d+ for '.*' are too open|UNPROTECTED PRIVATE KEY",),
        ),
    ),
    remedy=Remedy(
        message(
            "give file and folders to the user, and nobody else the right to write",
            "文件和目录归该用户所有，且不让别人可写",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "inside the container: chown -R USER: ~USER/.ssh; chmod 700 ~USER/.ssh; "
                    "chmod 600 ~USER/.ssh/authorized_keys; chmod go-w ~USER",
                    "在容器内：chown -R USER: ~USER/.ssh; chmod 700 ~USER/.ssh; "
                    "chmod 600 ~USER/.ssh/authorized_keys; chmod go-w ~USER",
                ),
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "with a bind mount: copy the key at start instead of mounting it in place, or mount it "
                    "read-only elsewhere and let the entry point install it: "
                    "install -m 600 -o USER /keys/dev.pub ~USER/.ssh/authorized_keys",
                    "使用绑定挂载时：启动时复制而不是原地挂载，或挂到别处（只读）再由入口脚本安装："
                    "install -m 600 -o USER /keys/dev.pub ~USER/.ssh/authorized_keys",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="ls -ldn ~ ~/.ssh ~/.ssh/authorized_keys; "
    "sudo grep -h 'Authentication refused' /var/log/auth.log /var/log/secure",
)
def authorized_keys_bad_ownership_or_mode(
    login: Login, user: User, host: Host | Unread = UNREAD
) -> Iterator[Hit]:
    lenient = isinstance(host, Host) and was_read(host, "distribution") and host.distribution in LENIENT
    foreign = [path for path, row in login.files.items() if row.uid not in (0, user.uid)]
    loose = [path for path, row in login.files.items() if _writable(row, lenient)]
    refused = [path for path in login.files if path in (*foreign, *loose)]
    if not refused:
        return
    # That sshd runs here, and judges modes, is not known: by itself it is a risk.
    yield Hit(
        subject=f"file:{refused[-1]}",
        kind=Kind.RISK,
        severity=Severity.WARNING,
        summary=message(
            "others may write {paths}: sshd refuses the keys of this user",
            "{paths} 可被他人改写：sshd 不采用该用户的公钥",
            paths=", ".join(refused),
        ),
        because=cite(
            *(f"login.files[{path}].uid" for path in foreign),
            *(f"login.files[{path}].mode" for path in loose),
        ),
        remedy=_closing(login, user, foreign, loose) if user.name else None,
    )


def _writable(row: LoginFile, lenient: bool) -> bool:
    mode = int(row.mode, 8)
    return bool(mode & EVERYBODY or (mode & GROUP and not (lenient and row.private_group)))


def _closing(login: Login, user: User, foreign: list[str], loose: list[str]) -> Remedy:
    steps = []
    for path, row in login.files.items():
        # sshd takes the home from passwd, which is not always the HOME of who repairs it.
        place = f"~{user.name}{path[1:]}"
        if path in foreign:
            owner = {"path": place, "user": str(user.uid), "group": str(user.gid)}
            why = message("{path} belongs to the user", "{path} 归该用户所有", path=path)
            steps.append(Step(Verb.FILE_OWNER, why, owner))
        if path in loose:
            mode = PRIVATE.get(path, f"{int(row.mode, 8) & ~(GROUP | EVERYBODY):04o}")
            why = message("only the user may write {path}", "只有该用户可以写 {path}", path=path)
            steps.append(Step(Verb.FILE_MODE, why, {"path": place, "mode": mode}))
    return Remedy(
        message("let nobody but the user write where sshd reads the keys", "公钥所在之处只允许该用户写入"),
        tuple(steps),
        Automation.APPROVAL,
        Undo.EXACT,
    )
