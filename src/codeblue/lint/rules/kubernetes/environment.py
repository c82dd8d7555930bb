"""Variables in pods: who gets them, in which order, and how often."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import PLACEHOLDER, takes_from_elsewhere
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.config.setting import Setting
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

OF_THE_JOB = (
    "NCCL_",
    "TORCH_NCCL_",
    "GLOO_",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "MASTER_ADDR",
    "MASTER_PORT",
)
"""Variables that only the processes of the job read."""
REFERENCE = re.compile(r"(?<!\$)(?:\$\$)*\$\(([-._a-zA-Z][-._a-zA-Z0-9]*)\)")
COMMANDS = frozenset({"hostname", "nproc", "pwd", "whoami", "date", "id", "uname"})
SECRET = re.compile(
    r"(?:^|_)(?:TOKEN|PASSWORD|PASSWD|SECRET|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY)$|^HF_TOKEN$|^WANDB_API_KEY$"
)
UNREAL = re.compile(
    r"(?i)^$|^(?:your|my|some|the|example|dummy|fake|test|changeme|change-me|none|null|empty|x+|token|password|secret|"
    r"api[-_]?key|abc\w*|foo|bar|true|false|admin|minio\w*|/|[a-z]{1,12}$)|[<>{}$%…]|\.\.\.|your|xxx|placeholder|replace"
)
SHORTEST = 8
SHAPES = re.compile(
    r"hf_[A-Za-z0-9]{30,}|nvapi-[\w-]{40,}|gh[pousr]_[A-Za-z0-9]{36}|glpat-[\w-]{20}|AKIA[A-Z0-9]{16}|sk-[\w-]{32,}"
)
"""Shapes of tokens that services give out."""


@rule("env-only-in-init-container")
def job_has_its_variables(pod: Pod) -> Iterator[Problem]:
    """What NCCL and torch read is set in an init container, and in no other."""
    others = {one.name for container in pod.running for one in container.settings.settings}
    if not pod.running or any(map(takes_from_elsewhere, pod.running)):
        return
    for container in pod.containers:
        if not container.init:
            continue
        for one in container.settings.settings:
            if one.name.startswith(OF_THE_JOB) and one.name not in others:
                yield Problem(
                    place=one.place,
                    message=message(
                        "{name} is set in init container {init} only; {main} does not get it",
                        "{name} 只设在 init 容器 {init} 里；{main} 得不到它",
                        name=one.name,
                        init=container.name,
                        main=pod.running[0].name,
                    ),
                    certainty=Certainty.LIKELY,
                    fix=_copied(one, pod.running[0]),
                )


def _copied(one: Setting, main: Container) -> Fix | None:
    """Return the same entry at the head of the container's list."""
    entries = main.root.get("env")
    if one.value is None or entries is None or entries.style == "flow" or not entries.items:
        return None
    first = entries.items[0].place.start
    if first.column < len("- x"):
        return None
    pad, value = " " * (first.column - len("- x")), one.value.replace("\\", "\\\\").replace('"', '\\"')
    text = f'name: {one.name}\n{pad}  value: "{value}"\n{pad}- '
    return Fix(
        message("set it in container {main} too", "在容器 {main} 里也设置它", main=main.name),
        (Edit(first, text),),
    )


@rule("env-reference-undefined")
def references_come_later(pod: Pod) -> Iterator[Problem]:
    """``$(NAME)`` is replaced only if NAME stands earlier in the list, and never run as a command."""
    for container in pod.containers:
        names = [one.say("name") for one in container.root.each("env")]
        for number, entry in enumerate(container.root.each("env")):
            value = entry.get("value")
            if value is None or "$(" not in value.text:
                continue
            for found in REFERENCE.finditer(value.text):
                if (problem := _reference(container, names, number, found[1], value)) is not None:
                    yield problem


def _reference(container: Container, names: list[str], at: int, name: str, value: Node) -> Problem | None:
    if name in names[:at]:
        return None
    if name in names[at + 1 :]:
        line = message(
            "$({name}) stays as it is written: {name} is defined further down",
            "$({name}) 会原样保留：{name} 在后面才定义",
            name=name,
        )
        # A ConfigMap may define the same name, and comes first.
        certainty = Certainty.LIKELY if takes_from_elsewhere(container) else Certainty.CERTAIN
        return Problem(place=value.place, variant="later", message=line, certainty=certainty)
    if name in COMMANDS:
        line = message(
            "$({name}) is no command here: without a shell it stays as it is written",
            "$({name}) 在这里不是命令：没有 shell，会原样保留",
            name=name,
        )
        return Problem(place=value.place, variant="command", message=line, certainty=Certainty.LIKELY)
    return None


@rule("env-name-defined-twice")
def names_are_set_once(pod: Pod) -> Iterator[Problem]:
    """The last one counts, and the API's merge may lose either."""
    for container in pod.containers:
        first: dict[str, Setting] = {}
        for one in container.settings.settings:
            before = first.setdefault(one.name, one)
            if before is not one:
                yield _again(one, before)


def _again(one: Setting, before: Setting) -> Problem:
    same = one.value is not None and one.value == before.value
    line = (
        message(
            "{name} is already set in line {line}, to the same value",
            "{name} 在第 {line} 行已经设置，取值相同",
            name=one.name,
            line=before.place.line,
        )
        if same
        else message(
            "{name} is already set in line {line}; this one counts",
            "{name} 在第 {line} 行已经设置；以这里为准",
            name=one.name,
            line=before.place.line,
        )
    )
    severity = Severity.NOTE if same else None
    return Problem(place=one.place, variant="same" if same else "different", message=line, severity=severity)


@rule("secret-in-manifest")
def secrets_are_references(pod: Pod) -> Iterator[Problem]:
    """Whoever may read the manifest, or the pod, reads the password; its text is never shown here."""
    for container in pod.containers:
        for one in container.settings.settings:
            value = one.value or ""
            shaped = SHAPES.search(value) is not None
            named = (
                SECRET.search(one.name) is not None and len(value) >= SHORTEST and not UNREAL.search(value)
            )
            if (shaped or named) and not (PLACEHOLDER.search(value) and not shaped):
                yield Problem(
                    place=one.value_place or one.place,
                    message=message(
                        "{name} holds a secret in plain text; it belongs into a Secret, with secretKeyRef",
                        "{name} 明文写着密钥；应放进 Secret，用 secretKeyRef 引用",
                        name=one.name,
                    ),
                    kind=Kind.RISK,
                    certainty=Certainty.CERTAIN if shaped else Certainty.LIKELY,
                )


RULES = (job_has_its_variables, references_come_later, names_are_set_once, secrets_are_references)
