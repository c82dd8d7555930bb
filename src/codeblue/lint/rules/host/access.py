"""Who gets in, and with which limits: sshd, Jupyter, PAM's limits."""

import re
from collections.abc import Iterator

from codeblue.knowledge import config_keys
from codeblue.lint.rule import rule
from codeblue.model.config.lines import Jupyter, Limits, SshdConfig
from codeblue.model.config.shell import Word
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

ITEMS = frozenset(
    [
        "core",
        "data",
        "fsize",
        "memlock",
        "nofile",
        "rss",
        "stack",
        "cpu",
        "nproc",
        "as",
        "maxlogins",
        "maxsyslogins",
        "nonewprivs",
        "priority",
        "locks",
        "sigpending",
        "msgqueue",
        "nice",
        "rtprio",
        "chroot",
    ]
)
NO_LIMIT = ("unlimited", "infinity", "-1")
EVERYWHERE = ("0.0.0.0", "*", "::", "")  # noqa: S104 - the subject, nothing is bound here
SERVERS = ("ServerApp", "NotebookApp", "IdentityProvider", "PasswordIdentityProvider")
SMALL = 65536
"""KiB of locked memory below which RDMA fails at once."""


@rule("sshd-config-key-unknown")
def keys_are_known(config: SshdConfig) -> Iterator[Problem]:
    """sshd does not start, or does not come back from a restart, with an unknown keyword."""
    for one in config.entries:
        right = config_keys.meant("sshd", one.name, any_case=True)
        if right:
            yield Problem(
                place=one.place,
                message=message(
                    "sshd does not know {name} and does not start; {right} is meant",
                    "sshd 不认识 {name}，会无法启动；应为 {right}",
                    name=one.name,
                    right=right,
                ),
                fix=Fix(message("write {right}", "改为 {right}", right=right), (Edit(one.place, right),)),
            )


@rule("authorized-keys-wrong-path")
def keys_are_looked_for_at_home(config: SshdConfig) -> Iterator[Problem]:
    """sshd knows ``%h`` and paths below the home; ``~`` and ``$HOME`` are plain letters to it."""
    for one in config.entries:
        wrong = [word for word in one.value.split() if word.startswith(("~", "$HOME", "${HOME}", '"~'))]
        if one.name.lower() == "authorizedkeysfile" and wrong:
            new = re.sub(r"(?:~|\$\{?HOME\}?)/", "%h/", one.value)
            yield Problem(
                place=one.value_place,
                variant="sshd-config",
                message=message(
                    "sshd takes {word} for the name of a folder; %h is the home",
                    "sshd 会把 {word} 当作普通目录名；表示家目录的是 %h",
                    word=wrong[0],
                ),
                fix=Fix(message("write {new}", "改为 {new}", new=new), (Edit(one.value_place, new),)),
            )


@rule("memlock-limit-too-low", pedantic=True)
def limits_reach_sessions(config: SshdConfig) -> Iterator[Problem]:
    """limits.conf is PAM's."""
    for one in config.entries:
        if one.name.lower() == "usepam" and one.value.lower() == "no":
            yield Problem(
                place=one.value_place,
                variant="without-pam",
                certainty=Certainty.POSSIBLE,
                message=message(
                    "without PAM, sessions do not get the limits of limits.conf",
                    "不用 PAM 时，会话得不到 limits.conf 中的限制",
                ),
            )


@rule("port-forwarding-disabled", pedantic=True)
def ports_can_be_forwarded(config: SshdConfig) -> Iterator[Problem]:
    """Jupyter and TensorBoard are mostly reached through a tunnel."""
    for one in config.entries:
        name, value = one.name.lower(), one.value.lower()
        if not one.section and (name, value) in (("allowtcpforwarding", "no"), ("disableforwarding", "yes")):
            yield Problem(
                place=one.place,
                message=message(
                    "tunnels are refused: Jupyter, TensorBoard and VS Code cannot be reached through ssh",
                    "禁止端口转发：无法通过 ssh 访问 Jupyter、TensorBoard 和 VS Code",
                ),
            )


@rule("jupyter-open-without-password")
def a_server_for_all_asks_for_a_word(config: Jupyter) -> Iterator[Problem]:
    """Who reaches it runs code as its user."""
    said = {one.name: one for one in config.entries if one.section in SERVERS}
    ip, token, password = said.get("ip"), said.get("token"), said.get("password")
    if (
        ip is None
        or ip.value.strip("'\"") not in EVERYWHERE
        or token is None
        or token.value not in ("''", '""')
    ):
        return
    if any(one.section == "JupyterHub" for one in config.entries):
        return
    hashed = said.get("hashed_password")
    if not any(one and one.value not in ("''", '""', "None") for one in (password, hashed)):
        yield Problem(
            place=token.value_place,
            certainty=Certainty.LIKELY,
            message=message(
                "no token and no password, and ip is {ip}: whoever reaches the port runs code here",
                "没有 token 也没有密码，且 ip 为 {ip}：能连到该端口的人都可以在此执行代码",
                ip=ip.value,
            ),
        )


@rule("jupyter-not-listening-outside", pedantic=True)
def the_server_listens(config: Jupyter) -> Iterator[Problem]:
    """Right on a laptop; in a container nobody reaches it."""
    for one in config.entries:
        if one.section in SERVERS and one.name == "ip" and one.value.strip("'") in ("localhost", "127.0.0.1"):
            yield Problem(
                place=one.value_place,
                certainty=Certainty.POSSIBLE,
                message=message(
                    "listens on this machine alone: in a container no published port leads to it",
                    "只监听本机：在容器中，发布的端口到不了它",
                ),
            )


@rule("jupyter-option-ignored")
def options_are_of_this_server(config: Jupyter) -> Iterator[Problem]:
    """Jupyter Server reads ``ServerApp``."""
    if not config.name.startswith("jupyter_server_config"):
        return
    for one in config.entries:
        if one.section == "NotebookApp":
            yield Problem(
                place=one.place,
                certainty=Certainty.LIKELY,
                message=message(
                    "NotebookApp.{name} is for the old notebook; Jupyter Server reads ServerApp.{name}",
                    "NotebookApp.{name} 属于旧的 notebook 服务器；Jupyter Server 读取 ServerApp.{name}",
                    name=one.name,
                ),
                fix=Fix(
                    message("write ServerApp", "改为 ServerApp"),
                    (Edit(one.place, f"c.ServerApp.{one.name}"),),
                )
                if config.name.endswith(".py")
                else None,
            )


@rule("limits-line-invalid")
def lines_are_understood(limits: Limits) -> Iterator[Problem]:
    """PAM skips what it does not understand, and says so only in the log."""
    for line in limits.lines:
        for word, en, zh in _wrong(line):
            yield Problem(place=word.place, message=message(en, zh, word=word.text))


def _wrong(line: tuple[Word, ...]) -> Iterator[tuple[Word, str, str]]:
    if len(line) == 2 and line[1].text == "-":
        return
    if len(line) != 4:
        yield (
            line[0],
            "a line is <domain> <type> <item> <value>: PAM skips this one",
            "一行应为 <域> <类型> <项目> <值>：PAM 会忽略这一行",
        )
        return
    _, kind, item, value = line
    if kind.text.lower() not in ("soft", "hard", "-"):
        yield kind, "{word} is no type: soft, hard or -", "{word} 不是类型：应为 soft、hard 或 -"
    if item.text.lower() not in ITEMS:
        yield (
            item,
            "{word} is no item that PAM limits: it skips the line",
            "PAM 没有 {word} 这个项目：会忽略这一行",
        )
    elif (
        value.text.lower() not in NO_LIMIT
        and not re.match(r"-?\d+$", value.text)
        and item.text.lower() != "chroot"
    ):
        yield (
            value,
            "{word} is no number (sizes are in KB, without a unit)",
            "{word} 不是数字（大小以 KB 计，不带单位）",
        )


@rule("limits-nofile-unlimited")
def open_files_have_a_number(limits: Limits) -> Iterator[Problem]:
    """The kernel refuses more than fs.nr_open, and PAM then refuses the session."""
    for line in limits.lines:
        if len(line) == 4 and line[2].text.lower() == "nofile" and line[3].text.lower() in NO_LIMIT:
            yield Problem(
                place=line[3].place,
                certainty=Certainty.LIKELY,
                message=message(
                    "open files cannot be {value}: the limit is fs.nr_open, and logins can fail",
                    "打开文件数不能是 {value}：内核不接受超过 fs.nr_open 的值，可能导致无法登录",
                    value=line[3].text,
                ),
                fix=Fix(message("write 1048576", "改为 1048576"), (Edit(line[3].place, "1048576"),)),
            )


@rule("memlock-limit-too-low")
def memory_can_be_locked(limits: Limits) -> Iterator[Problem]:
    """A number in limits.conf is in KB; a small one was mostly meant in MB or GB."""
    for line in limits.lines:
        small = len(line) == 4 and line[2].text.lower() == "memlock" and line[3].text.isdigit()
        if small and int(line[3].text) <= SMALL:
            yield Problem(
                place=line[3].place,
                variant="limits-conf",
                certainty=Certainty.POSSIBLE,
                message=message(
                    "memlock is counted in KB: this is {mb} MB, too little for RDMA",
                    "memlock 以 KB 计：这里只有 {mb} MB，RDMA 不够用",
                    mb=int(line[3].text) // 1024,
                ),
                fix=Fix(message("write unlimited", "改为 unlimited"), (Edit(line[3].place, "unlimited"),)),
            )


RULES = (
    keys_are_known,
    keys_are_looked_for_at_home,
    limits_reach_sessions,
    ports_can_be_forwarded,
    a_server_for_all_asks_for_a_word,
    the_server_listens,
    options_are_of_this_server,
    lines_are_understood,
    open_files_have_a_number,
    memory_can_be_locked,
)
