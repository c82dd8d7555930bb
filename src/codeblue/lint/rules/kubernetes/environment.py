"""Variables in pods: who gets them, in which order, and how often."""

import re
from collections.abc import Iterator

from codeblue.faults.orchestration.env_name_misspelt import RIGHT
from codeblue.knowledge import variables
from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import takes_from_elsewhere
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.config.setting import Setting
from codeblue.model.fault import Certainty, Severity
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
NEWEST = "2.30.7"
"""Release of NCCL up to which the table of variables goes."""
OTHERS = (
    "NCCL_GPUDIRECTTCPX_",
    "NCCL_FASTRAK_",
    "NCCL_TUNER_",
    "NCCL_IBEXT_",
    "NCCL_UCX_",
    "NCCL_OFI_",
    "NCCL_SHARP_",
    "NCCL_PLUGIN_",
    "NCCL_PROFILER_",
    "NCCL_INSPECTOR_",
    "NCCL_VERSION",
    "NCCL_TEST",
    "NCCL_HOME",
    "NCCL_ROOT",
    "NCCL_LIB",
    "NCCL_INCLUDE",
    "NCCL_PATH",
)
"""Names of plug-ins, tests and builds."""
REFERENCE = re.compile(r"(?<!\$)(?:\$\$)*\$\(([-._a-zA-Z][-._a-zA-Z0-9]*)\)")
COMMANDS = frozenset({"hostname", "nproc", "pwd", "whoami", "date", "id", "uname"})


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


@rule("env-name-misspelt", pedantic=True)
def names_are_somebodys(pod: Pod) -> Iterator[Problem]:
    """A name of NCCL's that neither a release of it reads nor a plug-in that is known here."""
    for container in pod.containers:
        for one in container.settings.settings:
            if not one.name.startswith("NCCL_") or one.name.startswith(OTHERS):
                continue
            if one.name in variables.known() or one.name in RIGHT or variables.meant(one.name):
                continue
            yield Problem(
                place=one.place,
                variant="unknown",
                message=message(
                    "no release of NCCL up to {newest} reads {name}",
                    "直到 {newest}，没有哪个 NCCL 版本读取 {name}",
                    newest=NEWEST,
                    name=one.name,
                ),
                certainty=Certainty.POSSIBLE,
                severity=Severity.NOTE,
            )


RULES = (names_are_somebodys, job_has_its_variables, references_come_later, names_are_set_once)
