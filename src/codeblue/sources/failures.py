"""What others say when they refuse (the operating system, a container engine), in the user's language."""

import errno
import re

from codeblue.model.text import Message, Text, message

CHINESE = {
    errno.ENOENT: "没有这个文件或目录",
    errno.EISDIR: "这是一个目录",
    errno.ENOTDIR: "路径中有一部分不是目录",
    errno.EACCES: "没有权限",
    errno.EPERM: "不允许此操作",
    errno.ENOSPC: "磁盘空间已满",
    errno.EDQUOT: "超出磁盘配额",
    errno.EROFS: "文件系统是只读的",
    errno.EIO: "读写错误",
    errno.ESTALE: "文件句柄已失效（网络文件系统）",
    errno.ENAMETOOLONG: "文件名太长",
    errno.ELOOP: "符号链接的层数太多",
    errno.ENXIO: "没有这个设备",
    errno.ETXTBSY: "文件正在被执行",
}

NOT_THERE = re.compile(r"no such (?:container|object)|no container with", re.I)

ENGINE = (
    (
        NOT_THERE,
        Text(
            "{name}: there is no such container; {engine} ps -a lists them",
            "{name}：没有这个容器；可用 {engine} ps -a 列出",
        ),
    ),
    (
        re.compile(r"multiple IDs? found|more than one|ambiguous", re.I),
        Text(
            "{name}: more than one container fits; give the whole name or more of the id ({engine} ps -a)",
            "{name}：有多个容器匹配；请给出完整名称或更长的 ID（{engine} ps -a）",
        ),
    ),
    (
        re.compile(r"permission denied", re.I),
        Text(
            "{name}: this user may not ask {engine} ({why}); run it with sudo",
            "{name}：当前用户无权访问 {engine}（{why}）；请用 sudo 运行",
        ),
    ),
    (
        re.compile(r"cannot connect to|daemon running|connection refused|no such host", re.I),
        Text(
            "{name}: {engine} cannot be reached ({why}); see that its service runs and what DOCKER_HOST says",
            "{name}：无法连接 {engine}（{why}）；请检查其服务是否在运行，以及 DOCKER_HOST 的值",
        ),
    ),
    (
        re.compile(r"is not installed here$"),
        Text("{name}: {engine} is not installed here", "{name}：这里没有安装 {engine}"),
    ),
    (
        re.compile(r"^no answer within"),
        Text(
            "{name}: {engine} gives no answer; see whether its service hangs",
            "{name}：{engine} 没有响应；请检查其服务是否卡住",
        ),
    ),
)
"""What an engine says -> our line with what to do. ``{why}`` are the engine's own words."""

OWN_ONLY = Text(
    "{name}: there is no such container; podman ps -a lists them, for each user only his own:"
    " run codeblue as the user who started it",
    "{name}：没有这个容器；可用 podman ps -a 列出，但只显示当前用户自己的容器：请以启动它的用户运行 codeblue",
)
"""podman has no daemon that knows the containers of all users."""


def because(error: OSError) -> Text:
    """Return the operating system's reason; one without a translation stays English."""
    words = error.strerror or str(error)
    return Text(words, CHINESE.get(error.errno or 0, words))


def cannot(en: str, zh: str, error: OSError, /, **values: object) -> Message:
    """Build a message whose place ``{why}`` is the operating system's reason."""
    why = because(error)
    return message(en.replace("{why}", _literal(why.en)), zh.replace("{why}", _literal(why.zh)), **values)


def _literal(words: str) -> str:
    return words.replace("{", "{{").replace("}", "}}")


def of_engine(name: str, engine: str, words: str) -> Message:
    """Return our line for what a container engine has refused with."""
    if engine == "podman" and NOT_THERE.search(words):
        return Message(OWN_ONLY, {"name": name})
    for pattern, text in ENGINE:
        if pattern.search(words):
            return Message(text, {"name": name, "engine": engine, "why": words})
    return message("{name}: {why}", "{name}：{why}", name=name, why=words)
