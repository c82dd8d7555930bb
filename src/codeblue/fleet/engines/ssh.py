"""OpenSSH with the user's own configuration: keys, jump hosts and known hosts are his business."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import structs

from codeblue.fleet.engines.base import Order
from codeblue.fleet.engines.replies import reply
from codeblue.model.fleet import Listed, Reply
from codeblue.model.node_sets import BadPattern, expand
from codeblue.model.text import message
from codeblue.sources.target import MACHINE, Unusable
from codeblue.transport.fanout import Job, fan_out
from codeblue.transport.local import INTERPRETER_FLAGS
from codeblue.transport.remote import VOICELESS, interpreter, jump_host, over_ssh

SECTION = re.compile(r"\[([\w.-]+)(?::(\w+))?\]$")


class Ssh:
    """Hosts by name, as files or patterns give them."""

    name = "ssh"

    def __init__(self, asked: Sequence[str], config: str | None = None, python: str | None = None) -> None:
        self._asked, self._config = asked, config
        self._words = (*interpreter(python), *INTERPRETER_FLAGS)

    def nodes(self) -> list[Listed]:
        """Return the hosts of all files and patterns, each once. Raises Unusable."""
        if shutil.which("ssh") is None:
            raise Unusable(
                message(
                    "ssh is not installed here; install openssh-client",
                    "这里没有安装 ssh；请安装 openssh-client",
                )
            )
        found: dict[str, Listed] = {}
        for one in self._asked:
            for node in _from_file(Path(one)) if os.path.isfile(one) else _from_pattern(one, one):
                found.setdefault(node.name, node)
        return list(found.values())

    def run(self, order: Order, nodes: Sequence[Listed]) -> Iterator[Reply]:
        """Ask the hosts, ``order.limit`` at once."""
        known = {node.name: node for node in nodes}
        jobs = (Job(node.name, over_ssh(node.name, self._words, self._config)) for node in nodes)
        for ended in fan_out(jobs, order.text, order.marker, limit=order.limit, seconds=order.seconds):
            yield self._by_way_of(reply(known[ended.name], ended, order.seconds))

    def _by_way_of(self, told: Reply) -> Reply:
        """Name the jump host, if it may be that one who is silent."""
        jump = jump_host(told.node, self._config) if VOICELESS in told.why else ""
        return structs.replace(told, why=f"{told.why} (by way of {jump})") if jump else told


def _from_pattern(pattern: str, asked: str, group: str = "") -> Iterator[Listed]:
    try:
        names = expand(pattern)
    except BadPattern as error:
        raise _bad(asked, str(error)) from None
    for name in names:
        if not MACHINE.match(name):
            raise _bad(asked, name)
        yield Listed(name, group=group)


def _from_file(path: Path) -> Iterator[Listed]:
    """Yield the hosts of a list, one pattern a line, or of an inventory in the INI form of Ansible."""
    group, kind = "", None
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        text = line.partition("#")[0].strip()
        if section := SECTION.match(text):
            group, kind = section.groups()
        elif text and kind is None and not text.startswith(";"):
            first, *variables = text.split()
            address = next((v.partition("=")[2] for v in variables if v.startswith("ansible_host=")), first)
            yield from _from_pattern(address, f"{path}:{number}", group)


def _bad(asked: str, part: str) -> Unusable:
    return Unusable(
        message(
            "{asked}: '{part}' is no host name or pattern such as user@gpu[001-128]",
            "{asked}：'{part}' 不是主机名，也不是 user@gpu[001-128] 这样的写法",
            asked=asked,
            part=part,
        )
    )
