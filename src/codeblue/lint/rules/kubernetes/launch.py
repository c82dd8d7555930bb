"""Commands of containers: how they are split, and how many processes they start."""

import re
import shlex
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import said, whole_gpus
from codeblue.model.config.kubernetes import Container, Manifest, Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

PROGRAM = re.compile(
    r"(?:\S*/)?(?:python[0-9.]*|torchrun|bash|sh|vllm|deepspeed|accelerate|mpirun|nvidia-smi)\s+\S"
)
SIGNS = ("&&", "||", "|", ";", ">", ">>", "2>&1")
SHELLS = re.compile(
    r"(?:^|/)(?:ba|da|z|k)?sh$|(?:^|/)(?:env|eval|xargs|tini|dumb-init|entrypoint\S*|\S+\.sh)$"
)
VARIABLE = re.compile(r"(?<![$\\])\$(?:([A-Z][A-Z0-9_]+)|\{([A-Z][A-Z0-9_]+)\})")
PER_NODE = re.compile(r"--nproc[-_]per[-_]node[ =]([0-9]+)\b")
TENSOR = re.compile(r"(?:--tensor-parallel-size|-tp|--tp(?:-size)?)[ =]([0-9]+)\b")
PIPELINE = re.compile(r"(?:--pipeline-parallel-size|-pp|--pp(?:-size)?)[ =]([0-9]+)\b")
SEVERAL_NODES = re.compile(
    r"\bray\b|--nnodes|--node-rank|--dist-init-addr|leader|RAY_|LWS_|multi-node", re.IGNORECASE
)
ONE_NODE = ("Pod", "Deployment", "Job", "StatefulSet")


@rule("command-not-split")
def commands_are_words(pod: Pod) -> Iterator[Problem]:
    """Each element of ``command`` is one word; no shell splits it."""
    for container in pod.containers:
        command = container.root.get("command")
        first = command.get(0) if command else None
        if command and first and PROGRAM.match(first.text) and "\n" not in first.text:
            yield Problem(
                place=first.place,
                variant="one-word",
                message=message(
                    "{command} is taken for one file name, blanks and all: the container does not start",
                    "{command} 连同空格被当作一个文件名：容器无法启动",
                    command=repr(first.text),
                ),
                fix=_split(command),
            )


def _split(command: Node) -> Fix | None:
    word = command.items[0]
    try:
        parts = shlex.split(word.text)
    except ValueError:
        return None
    if word.style in ("|", ">") or any('"' in part or "\\" in part for part in parts):
        return None
    between = ", " if command.style == "flow" else "\n" + " " * (word.place.column - len("- x")) + "- "
    text = between.join(f'"{part}"' for part in parts)
    return Fix(message("make it several words", "拆成多个词"), (Edit(word.place, text),))


@rule("command-not-split")
def signs_need_a_shell(pod: Pod) -> Iterator[Problem]:
    """``&&``, ``>`` and ``$NAME`` mean something to a shell only; without one the program gets them."""
    for container in pod.containers:
        command = container.root.each("command")
        given = [*command, *container.root.each("args")]
        if not command or any(SHELLS.search(word.text) for word in given):
            continue
        names = {one.name for one in container.settings.settings}
        for word in given[1:]:
            found = VARIABLE.search(word.text)
            name = (found[1] or found[2]) if found else None
            if word.text in SIGNS:
                yield _no_shell(word, word.text, None)
            elif found is not None and name in names and "\n" not in word.text:
                yield _no_shell(word, found[0], name)


def _no_shell(word: Node, sign: str, name: str | None) -> Problem:
    fix = None
    if (
        name is not None
        and word.source is not None
        and word.source.exact
        and (at := word.text.find(sign)) >= 0
    ):
        place = word.source.place(at, at + len(sign))
        fix = Fix(message("write $({name})", "改为 $({name})", name=name), (Edit(place, f"$({name})"),))
    return Problem(
        place=word.place,
        variant="variable" if name else "sign",
        message=message(
            "no shell reads this command: the program gets {sign} as it is written",
            "这条命令不经过 shell：程序会原样得到 {sign}",
            sign=sign,
        ),
        certainty=Certainty.LIKELY,
        fix=fix,
    )


@rule("more-ranks-than-gpus")
def ranks_fit_gpus(pod: Pod) -> Iterator[Problem]:
    """One process a GPU: what torchrun starts, or what vLLM spreads a model over."""
    for container in pod.running:
        gpus, command = whole_gpus(container), said(container)
        if gpus is None:
            continue
        found = PER_NODE.search(command)
        wanted = int(found[1]) if found else 0
        certainty = Certainty.CERTAIN
        if not found and pod.owner.kind in ONE_NODE and not SEVERAL_NODES.search(command):
            wanted, certainty = _spread(command), Certainty.LIKELY
        if wanted > gpus:
            yield _more(container, wanted, gpus, certainty)


@rule("gpus-left-idle", pedantic=True)
def gpus_are_used(pod: Pod) -> Iterator[Problem]:
    """Fewer processes than GPUs, unless each uses several."""
    for container in pod.running:
        gpus, found = whole_gpus(container), PER_NODE.search(said(container))
        if gpus is not None and found is not None and 0 < int(found[1]) < gpus:
            yield Problem(
                place=container.gpus[0].place,
                message=message(
                    "container {name} gets {gpus} GPUs and starts {ranks} processes",
                    "容器 {name} 有 {gpus} 个 GPU，却只启动 {ranks} 个进程",
                    name=container.name,
                    gpus=gpus,
                    ranks=found[1],
                ),
                certainty=Certainty.LIKELY,
            )


def _spread(command: str) -> int:
    tensor, pipeline = TENSOR.search(command), PIPELINE.search(command)
    return (int(tensor[1]) if tensor else 1) * (int(pipeline[1]) if pipeline else 1)


def _more(container: Container, wanted: int, gpus: int, certainty: Certainty) -> Problem:
    return Problem(
        place=container.gpus[0].place,
        message=message(
            "container {name} wants {wanted} GPUs by its command and gets {gpus}",
            "容器 {name} 的命令要用 {wanted} 个 GPU，却只申请了 {gpus} 个",
            name=container.name,
            wanted=wanted,
            gpus=gpus,
        ),
        certainty=certainty,
    )


@rule("more-ranks-than-gpus")
def operator_starts_as_many(job: Manifest) -> Iterator[Problem]:
    """``nprocPerNode`` of a PyTorchJob against the GPUs of its replicas."""
    number = job.root.get("spec", "nprocPerNode")
    replicas = job.root.get("spec", "pytorchReplicaSpecs")
    if job.kind != "PyTorchJob" or number is None or not number.text.isdigit() or replicas is None:
        return
    for _, replica in replicas.pairs:
        for container in replica.each("template", "spec", "containers"):
            limit = container.get("resources", "limits", "nvidia.com/gpu")
            if limit is not None and limit.text.isdigit() and 0 < int(limit.text) < int(number.text):
                yield Problem(
                    place=number.place,
                    message=message(
                        "nprocPerNode starts {wanted} processes on a pod, which gets {gpus} GPUs",
                        "nprocPerNode 在每个 pod 上启动 {wanted} 个进程，而 pod 只有 {gpus} 个 GPU",
                        wanted=number.text,
                        gpus=limit.text,
                    ),
                )
                return


RULES = (
    commands_are_words,
    signs_need_a_shell,
    ranks_fit_gpus,
    gpus_are_used,
    operator_starts_as_many,
)
