"""
## What it means
The daemon refuses to start because `/etc/docker/daemon.json` is not what it expects. Every container on
the host is down, not only those with a GPU. The message says what is wrong: an invalid character is a
syntax error, "directives are specified both as a flag and in the configuration file" is the same option
given twice.

## Why it happens
A trailing comma, a missing brace after the `runtimes` entry was pasted by hand, typographic quotes, a
comment, or a web page saved instead of the raw file (it begins with `<`). A boolean or list given as
text. A `default-runtime` that no entry under `runtimes` defines. An option that also stands in the
systemd unit, most often `hosts` or `default-runtime`.

## When it is not a fault
"Cannot connect to the Docker daemon" alone is something else: no permission on the socket, the wrong
context, or a daemon that was never started.

## What to do
Read the file with `python3 -m json.tool /etc/docker/daemon.json`: it names line and column. Let
`dockerd --validate` judge it, because valid JSON may still hold an option with the wrong type. For a
duplicate option remove one of the two. To write the runtime entry use `sudo nvidia-ctk runtime
configure --runtime=docker`, which merges it into the file. systemd gives up after a few quick failures:
`sudo systemctl reset-failed docker` before you start it again. `codeblue fix` removes stray commas, and
defines `nvidia` (or takes `default-runtime` away where its program is not installed), then starts docker.

## How safe the fix is
The daemon is down anyway. Keep the broken file: it holds the site's own settings (mirrors, log limits,
data root), and a new, empty file may make docker look for its images elsewhere.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.container.daemon_json import repair, undefined_runtime
from codeblue.model.facts import Container, Engine
from codeblue.model.facts.engine import DaemonJson
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Message, Text, message

NOT_THIS_FILE = ("no-docker", "no-such-context")
MAY_RUN = ("denied", "timeout")
"""Reasons for no answer that leave open whether the daemon runs."""


@fault(
    "daemon-json-invalid",
    title=Text("Docker cannot read its daemon.json", "Docker 无法解析 daemon.json"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "docker-daemon-not-restarted",
        "container-toolkit-missing",
    ),
    references=(
        Reference(
            "Docker: troubleshooting the daemon",
            "https://docs.docker.com/engine/daemon/troubleshoot/",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA Container Toolkit: installation",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "configure the Docker daemon with file",
            r"unable to configure the Docker daemon with file (?P<file>[^\s:]+): (?P<why>.+)",
        ),
        Signature(
            "daemon.json",
            (
                r"daemon\.json\S* .*(?:invalid character|unexpected end of "
                r"JSON|cannot unmarshal)"
            ),
            Certainty.LIKELY,
        ),
        Signature(
            "daemon.json",
            (
                r"daemon\.json.{0,60}(?:invalid character|unexpected (?:end|EOF)|cannot unmarshal"
                "|parse error|json: )"
            ),
            Certainty.LIKELY,
        ),
        Signature(
            "don't match any configuration option",
            "the following directives don't match any configuration option",
            Certainty.LIKELY,
        ),
        Signature(
            "specified both as a flag and in the configuration file",
            "the following directives are specified both as a flag and in the configuration file",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"daemon\.json",
                "invalid (?:character|JSON|syntax|format)|not valid JSON|malformed|syntax|parse|comma"
                "|bracket|brace|quote|<html|HTML|unexpected|typo|duplicate|not valid|cannot unmarshal"
                "|格式|逗号|语法|解析|括号|非法",
                "docker|dockerd|daemon|fail|start|失败|起不来|启动",
            ),
            none=("overwrit|replaced|dropped",),
        ),
    ),
    remedy=Remedy(
        message(
            "make daemon.json valid JSON again and start docker",
            "把 daemon.json 恢复为合法 JSON，再启动 docker",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    (
                        "run sudo dockerd --validate --config-file /etc/docker/daemon.json "
                        "until it says OK, then sudo systemctl restart docker"
                    ),
                    (
                        "反复执行 sudo dockerd --validate --config-file /etc/docker/daemon.json "
                        "直到显示 OK，然后 sudo systemctl restart docker"
                    ),
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="sudo dockerd --validate --config-file /etc/docker/daemon.json",
)
def daemon_json_invalid(engine: Engine, container: Container | Unread | None = UNREAD) -> Iterator[Hit]:
    if isinstance(container, UnsetType) and not was_read(engine, "remote"):
        yield from _pasted(engine)
        return
    if (
        isinstance(container, UnsetType)
        or container is not None
        or engine.remote
        or engine.desktop
        or engine.unreachable in NOT_THIS_FILE
    ):
        return
    file = engine.daemon_json
    if file is None:
        return
    runs = engine.reachable or engine.unreachable in MAY_RUN
    if file.error is None:
        yield from _undefined(engine, file, runs)
        return
    yield Hit(
        subject=f"file:{file.path}",
        summary=_broken(file),
        because=cite("engine.daemon_json.error", "engine.daemon_json.line", "engine.reachable"),
        variant="at-next-start" if runs else None,
        kind=Kind.RISK if runs else Kind.TROUBLE,
        severity=Severity.WARNING if runs else Severity.ERROR,
        remedy=repair(engine, file, runs),
    )


def _undefined(engine: Engine, file: DaemonJson, runs: bool) -> Iterator[Hit]:
    """Judge a sound file whose default runtime is none: dockerd refuses to start with it."""
    name = undefined_runtime(engine, file)
    if name is None:
        return
    yield Hit(
        subject=f"file:{file.path}",
        summary=message(
            "{path}: default-runtime is {name}, which runtimes does not define",
            "{path}：default-runtime 为 {name}，但 runtimes 中没有定义它",
            path=file.path,
            name=name,
        ),
        because=cite("engine.daemon_json.default_runtime", "engine.daemon_json.runtimes", "engine.reachable"),
        # A flag of the service could define it; a daemon that answers would tell.
        certainty=Certainty.CERTAIN if engine.reachable else Certainty.LIKELY,
        variant="default-runtime-undefined",
        kind=Kind.RISK if runs else Kind.TROUBLE,
        severity=Severity.WARNING if runs else Severity.ERROR,
        remedy=repair(engine, file, runs),
    )


def _broken(file: DaemonJson) -> Message:
    return message(
        "{path}, line {line}, column {column}: {error}",
        "{path} 第 {line} 行第 {column} 列：{error}",
        path=file.path,
        line=file.line,
        column=file.column,
        error=file.error,
    )


def _pasted(engine: Engine) -> Iterator[Hit]:
    """Judge the file as it stands in a text."""
    file = engine.daemon_json if was_read(engine, "daemon_json") else None
    if file is None or file.error is None:
        return
    yield Hit(
        subject=f"file:{file.path}",
        summary=_broken(file),
        because=cite("engine.daemon_json.error", "engine.daemon_json.line"),
        certainty=Certainty.LIKELY,
    )
