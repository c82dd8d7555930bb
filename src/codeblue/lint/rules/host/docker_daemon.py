"""Does docker's daemon.json say what dockerd can do?"""

import re
from collections.abc import Iterator

from codeblue.knowledge import config_keys
from codeblue.lint.rule import rule
from codeblue.model.config.files import DaemonJson
from codeblue.model.config.node import Node
from codeblue.model.config.place import Place
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

SIZE = re.compile(r"\d+(?:\.\d+)? ?[kmgtp]?i?b?$", re.IGNORECASE)
NAMES = {
    "boolean": message("true or false, without quotes", "不带引号的 true 或 false"),
    "integer": message("a number without quotes", "不带引号的数字"),
    "list": message("a list in [ ]", "[ ] 括起的列表"),
    "map": message("an object in { }", "{ } 括起的对象"),
    "string": message("a text in quotes", "带引号的字符串"),
    "size": message('a size in quotes such as "16g"', '带引号的大小，例如 "16g"'),
}


@rule("daemon-json-invalid")
def directives_are_known(daemon: DaemonJson) -> Iterator[Problem]:
    """One directive that dockerd does not know keeps it from starting."""
    known = config_keys.keys("dockerd")
    for key, _ in daemon.root.pairs:
        gone = known[key.text].get("gone") if key.text in known else None
        if key.text in known and gone is None:
            continue
        right = config_keys.meant("dockerd", key.text)
        yield Problem(
            place=key.place,
            variant="unknown-directive",
            message=_unknown(key.text, gone, right),
            certainty=Certainty.LIKELY if gone or not right else Certainty.CERTAIN,
            fix=_renamed(key, right) if right else None,
        )


def _unknown(name: str, gone: str | None, right: str | None) -> Message:
    if gone:
        return message(
            "dockerd does not know {name} since {gone} and does not start",
            "dockerd 从 {gone} 起不再认识 {name}，会无法启动",
            name=name,
            gone=gone,
        )
    if right:
        return message(
            "dockerd does not know {name} and does not start; it knows {right}",
            "dockerd 不认识 {name}，会无法启动；正确的名字是 {right}",
            name=name,
            right=right,
        )
    return message(
        "dockerd does not know {name} and does not start", "dockerd 不认识 {name}，会无法启动", name=name
    )


def _renamed(key: Node, right: str) -> Fix:
    return Fix(message("write {right}", "改为 {right}", right=right), (Edit(key.place, f'"{right}"'),))


@rule("daemon-json-invalid")
def values_have_their_types(daemon: DaemonJson) -> Iterator[Problem]:
    """A number in quotes, or a text where a list is wanted, keeps dockerd from starting."""
    known = config_keys.keys("dockerd")
    for key, value in daemon.root.pairs:
        wanted = known.get(key.text, {}).get("type")
        if wanted and not _fits(wanted, value):
            yield _mistyped(key.text, wanted, value)
    for table, wanted in (
        ("log-opts", "string"),
        ("features", "boolean"),
        ("runtimes", "map"),
        ("default-ulimits", "map"),
    ):
        node = daemon.root.get(table)
        for key, value in node.pairs if node else ():
            if not _fits(wanted, value):
                yield _mistyped(f"{table}.{key.text}", wanted, value)


def _fits(wanted: str, value: Node) -> bool:
    if value.kind == "null":
        return True
    if wanted == "size":
        return bool(value.style) and SIZE.match(value.text) is not None
    # Numbers of any form are left to dockerd.
    return value.kind == wanted or (wanted == "integer" and value.kind == "float")


def _mistyped(name: str, wanted: str, value: Node) -> Problem:
    said = NAMES[wanted]
    return Problem(
        place=value.place if value.kind not in ("map", "list") else _first(value.place),
        variant="wrong-type",
        message=message(
            "{name} has to be {said}: dockerd does not start",
            "{name} 必须是{said_zh}：dockerd 无法启动",
            name=name,
            said=said.text.en,
            said_zh=said.text.zh,
        ),
        fix=_retyped(wanted, value),
    )


def _first(place: Place) -> Place:
    return Place(place.line, place.column, place.line, place.column + 1)


def _retyped(wanted: str, value: Node) -> Fix | None:
    text = value.text
    if wanted == "list" and value.style:
        new = f'["{text}"]'
    elif wanted == "string" and value.kind in ("integer", "boolean", "float"):
        new = f'"{text}"'
    elif (wanted == "integer" and text.isdigit()) or (wanted == "boolean" and text in ("true", "false")):
        new = text
    else:
        return None
    return Fix(message("write {new}", "改为 {new}", new=new), (Edit(value.place, new),))


@rule("config-key-repeated")
def keys_stand_once(daemon: DaemonJson) -> Iterator[Problem]:
    """Of two equal keys the last one counts, and nobody says so."""
    for table in daemon.root.walk():
        seen: dict[str, Place] = {}
        for key, _ in table.pairs:
            if key.text in seen:
                yield Problem(
                    place=key.place,
                    message=message(
                        "{name} stands in line {line} already; only this one counts",
                        "{name} 在第 {line} 行已经出现过；只有这一处生效",
                        name=key.text,
                        line=seen[key.text].line,
                    ),
                )
            seen[key.text] = key.place


@rule("docker-logs-unbounded", pedantic=True)
def logs_have_an_end(daemon: DaemonJson) -> Iterator[Problem]:
    """json-file, which is also the default, keeps every line unless ``max-size`` says otherwise."""
    driver = daemon.root.get("log-driver")
    if (driver is None or driver.text == "json-file") and not daemon.root.say("log-opts", "max-size"):
        place = driver.place if driver else _first(daemon.root.place)
        yield Problem(
            place=place,
            message=message(
                "container logs grow without end: json-file has no max-size",
                "容器日志会无限增长：json-file 没有设置 max-size",
            ),
        )


@rule("docker-daemon-unprotected")
def the_socket_is_protected(daemon: DaemonJson) -> Iterator[Problem]:
    """Who reaches a TCP socket without TLS is root on the host."""
    if daemon.root.say("tlsverify") == "true":
        return
    for host in daemon.root.each("hosts"):
        if host.text.startswith("tcp://") and not re.match(r"tcp://(?:127\.|localhost|\[::1\])", host.text):
            yield Problem(
                place=host.place,
                message=message(
                    "{host} without tlsverify: whoever reaches this port is root on the host",
                    "{host} 没有启用 tlsverify：能连到这个端口的人都等于主机的 root",
                    host=host.text,
                ),
            )


RULES = (
    directives_are_known,
    values_have_their_types,
    keys_stand_once,
    logs_have_an_end,
    the_socket_is_protected,
)
