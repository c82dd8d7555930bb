"""Why a file is not changed: one line with the path and what to do."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from codeblue.model.plan import Refused
from codeblue.model.text import Message, Text, message

REASONS: dict[int, Text] = {
    errno.ENOSPC: Text("the disk is full; make room and try again", "磁盘空间已满；请腾出空间后重试"),
    errno.EDQUOT: Text("the disk quota is used up; make room", "磁盘配额已用完；请腾出空间"),
    errno.EROFS: Text(
        "the file system is read-only; find out why (dmesg) before it is remounted writable",
        "文件系统是只读的；请先用 dmesg 查明原因，再以可写方式重新挂载",
    ),
    errno.EACCES: Text("this user may not change it; run with sudo", "当前用户无权修改；请用 sudo 运行"),
    errno.EPERM: Text("this user may not change it; run with sudo", "当前用户无权修改；请用 sudo 运行"),
    errno.EBUSY: Text(
        "it is in use as a mount point; change its source outside", "它正被用作挂载点；请在外部修改其来源"
    ),
    errno.EIO: Text("the disk reports an error; see dmesg", "磁盘报告读写错误；请查看 dmesg"),
    errno.ENOENT: Text("it is not there (any more); make a new plan", "它已不存在；请重新生成计划"),
    errno.ENOTDIR: Text("a part of the path is not a directory", "路径中有一部分不是目录"),
    errno.ELOOP: Text("its symbolic links lead in a circle", "其符号链接形成了循环"),
    errno.EEXIST: Text(
        "it has appeared since the preview; make a new plan", "它在预览之后才出现；请重新生成计划"
    ),
    errno.ETXTBSY: Text("it is a running program", "它是正在运行的程序"),
    errno.ENAMETOOLONG: Text("its name is too long", "文件名太长"),
    errno.ESTALE: Text("the file server has forgotten it; try again", "文件服务器上的句柄已失效；请重试"),
}


def refused(en: str, zh: str, /, **values: object) -> Refused:
    """Build the refusal from both templates."""
    return Refused(message(en, zh, **values))


def because(path: str, error: OSError) -> Refused:
    """Return the operating system's reason as a refusal."""
    words = error.strerror or str(error)
    reason = REASONS.get(error.errno or 0, Text(words, words))
    where = error.filename if isinstance(error.filename, str) and error.filename.startswith("/") else path
    text = Text(f"{{path}}: {_literal(reason.en)}", f"{{path}}：{_literal(reason.zh)}")
    return Refused(Message(text, {"path": where}))


def _literal(words: str) -> str:
    return words.replace("{", "{{").replace("}", "}}")


@contextmanager
def refusing(path: str) -> Iterator[None]:
    """Turn errors of the operating system into refusals that name the path."""
    try:
        yield
    except OSError as error:
        raise because(path, error) from error


def changed(path: str) -> Refused:
    """Return the refusal of a thing that is no longer as the preview saw it."""
    return refused(
        "{path}: somebody has changed it since the preview; make a new plan",
        "{path}：预览之后已被他人修改；请重新生成计划",
        path=path,
    )


def changed_since(path: str) -> Refused:
    """Return the refusal to take back a change that somebody has built on."""
    return refused(
        "{path}: somebody has changed it since codeblue did; it stays as it is, take the change back by hand",
        "{path}：codeblue 修改之后又被他人改动；保持现状，请手动撤销",
        path=path,
    )


def not_regular(path: str, kind: str) -> Refused:
    """Return the refusal of a thing that is not a file. ``kind`` is one of ``KINDS``."""
    en, zh = KINDS[kind]
    return refused(
        f"{{path}}: it is {en}, not a file; give the path of a file",
        f"{{path}}：它是{zh}，不是普通文件；请给出文件路径",
        path=path,
    )


KINDS = {
    "directory": ("a directory", "目录"),
    "fifo": ("a pipe", "管道"),
    "socket": ("a socket", "套接字"),
    "node": ("a device node", "设备节点"),
    "link": ("a symbolic link", "符号链接"),
}
