"""Are the commands that documents and scripts give still alive?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.launchers import Launch, launches
from codeblue.model.config.place import Place
from codeblue.model.config.shell import Command, Script, Word
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

REPOSITORY = re.compile(r"nvidia\.github\.io/nvidia-(?:docker|container-runtime)(?![\w-])")
OLD_KEY = re.compile(r"developer\.download\.nvidia\.com/compute/cuda/\S*/7fa2af80\.pub")
"""The repository of machine-learning packages keeps it."""
KEY_DELETED = ("apt-key", "del")
CONDA = ("conda", "mamba", "micromamba")
LAST = (2, 5)
"""Last release of torch on PyTorch's conda channel."""


@rule("retired-command", in_documents=True)
def docker_needs_no_wrapper(script: Script) -> Iterator[Problem]:
    """``nvidia-docker run`` is ``docker run --gpus all`` today."""
    for command in script.commands:
        if command.name == "nvidia-docker":
            word = command.words[0]
            runs = len(command.words) > 1 and command.words[1].text == "run"
            gpus = command.has("--gpus", "--runtime")
            yield Problem(
                place=word.place,
                variant="nvidia-docker",
                message=message(
                    "nvidia-docker is no longer shipped: docker run --gpus all takes its place",
                    "nvidia-docker 已不再提供：改用 docker run --gpus all",
                ),
                fix=_with_gpus(command) if runs and not gpus else None,
            )


def _with_gpus(command: Command) -> Fix:
    first, run = command.words[0], command.words[1]
    return Fix(
        message("write docker run --gpus all", "改为 docker run --gpus all"),
        (Edit(first.place, "docker"), Edit(run.place.end, " --gpus all")),
    )


@rule("retired-command", in_documents=True)
def repositories_get_releases(script: Script) -> Iterator[Problem]:
    """NVIDIA's container packages come from libnvidia-container's repository, with keys that count."""
    for command in script.commands:
        for word in command.words:
            if REPOSITORY.search(word.text):
                yield _repository(word)
            elif OLD_KEY.search(word.text) and not command.starts(*KEY_DELETED):
                yield _key(word)


def _repository(word: Word) -> Problem:
    return Problem(
        place=word.place,
        variant="nvidia-docker-repository",
        message=message(
            "this package repository gets no releases any more: nvidia.github.io/libnvidia-container does",
            "这个软件仓库已不再发布新版本：请改用 nvidia.github.io/libnvidia-container",
        ),
    )


def _key(word: Word) -> Problem:
    return Problem(
        place=word.place,
        variant="cuda-repository-key",
        message=message(
            "key 7fa2af80 signs nothing since April 2022: install the package cuda-keyring instead",
            "密钥 7fa2af80 自 2022 年 4 月起已不再用于签名：请改为安装 cuda-keyring 包",
        ),
        severity=Severity.ERROR,
    )


@rule("retired-command", pedantic=True)
def launcher_is_torchrun(script: Script) -> Iterator[Problem]:
    """``python -m torch.distributed.launch`` is deprecated since torch 1.10."""
    for one in launches(script):
        module = one.own.words[2] if one.tool == "launch" else None
        if module is not None:
            yield Problem(
                place=module.place,
                variant="distributed-launch",
                message=message(
                    "torch.distributed.launch is deprecated: torchrun takes its place",
                    "torch.distributed.launch 已弃用：请改用 torchrun",
                ),
                certainty=Certainty.CERTAIN,
                severity=Severity.NOTE,
                fix=_torchrun(one),
            )


def _torchrun(one: Launch) -> Fix:
    first, last = one.own.words[0].place, one.own.words[2].place
    whole = Place(first.line, first.column, last.end_line, last.end_column)
    edits = [Edit(whole, "torchrun")]
    for before, word in zip(one.own.words, one.own.arguments, strict=False):
        # torchrun always gives ranks by variables, and does not know the option.
        if word.text in ("--use_env", "--use-env"):
            end = before.place
            gap = Place(end.end_line, end.end_column, word.place.end_line, word.place.end_column)
            edits.append(Edit(gap, ""))
    return Fix(message("start it by torchrun", "改用 torchrun 启动"), tuple(edits))


@rule("conda-channel-ended", in_documents=True)
def channel_has_the_release(script: Script) -> Iterator[Problem]:
    """Nothing after torch 2.5 is on the channel ``pytorch``: unpinned, one gets an old release."""
    for command in script.commands:
        channel = _channel(command) if command.name in CONDA else None
        if channel is None or not (command.has("install") or command.has("create")):
            continue
        if any(word.text.startswith("cudatoolkit") for word in command.arguments):
            # It leads to the torch of its time, which is pinned by that.
            continue
        for word in command.arguments:
            found = re.fullmatch(r"(?:pytorch::)?pytorch(?:([<>=!]{1,2})(\d+)\.(\d+)[\w.*=]*)?", word.text)
            if found is not None and word is not channel:
                yield from _ended(word, found)


def _channel(command: Command) -> Word | None:
    words = command.arguments
    for number, word in enumerate(words[:-1]):
        if word.text in ("-c", "--channel") and words[number + 1].text == "pytorch":
            return words[number + 1]
    return None


def _ended(word: Word, found: re.Match[str]) -> Iterator[Problem]:
    if found[2] is None:
        yield Problem(
            place=word.place,
            variant="unpinned",
            message=message(
                "the channel pytorch ended with torch 2.5: this installs 2.5, now and for ever",
                "pytorch 频道止步于 torch 2.5：这条命令永远只会装上 2.5",
            ),
        )
    elif found[1] in ("=", "==", ">=") and (int(found[2]), int(found[3])) > LAST:
        yield Problem(
            place=word.place,
            variant="later-release",
            message=message(
                "the channel pytorch ended with torch 2.5: it has no {version}",
                "pytorch 频道止步于 torch 2.5：其中没有 {version}",
                version=f"{found[2]}.{found[3]}",
            ),
            severity=Severity.ERROR,
        )


RULES = (docker_needs_no_wrapper, repositories_get_releases, launcher_is_torchrun, channel_has_the_release)
