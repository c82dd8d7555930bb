"""Do the channels have what the environment asks of them?"""

import re
from collections.abc import Iterator

from codeblue.knowledge.versions import older, parts
from codeblue.lint.rule import rule
from codeblue.model.config.conda import CondaEnvironment, Condarc, spec
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import Message, message

META = frozenset({"11.6", "11.7", "11.8", "12.1", "12.4"})
"""The versions of ``pytorch-cuda`` that there are."""
LAST_CUDATOOLKIT = "11.8"
LAST_TORCH = "2.5"
"""Last minor release on the channel ``pytorch``."""
META_SINCE = "1.13"
"""First torch of the channel ``pytorch`` whose CUDA build is chosen by pytorch-cuda, not cudatoolkit."""
WITHOUT_NVIDIA = re.compile(r"mirrors?\.(?:tuna\.tsinghua|bfsu)\.edu\.cn")
"""Mirrors that do not carry the channel nvidia."""


def _version(said: str) -> str:
    """Return the version that a specification names first, ``2.5.1`` of ``>=2.5.1,<3``; empty if none."""
    found = re.match(r"[=<>~! ]*(\d+(?:\.\d+)*)", said)
    return found[1] if found else ""


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _after(last: str, said: str) -> bool:
    """Tell whether a specification asks for a minor release after the last one."""
    return not said.startswith(("<", "!")) and older(last, _minor(_version(said)))


def _is_pytorch(environment: CondaEnvironment) -> bool:
    """Tell whether torch comes from PyTorch's own channel: it is asked for, before conda-forge or alone."""
    names = [one.text.rstrip("/").rpartition("/")[2] for one in environment.channels]
    return "pytorch" in names and (
        "conda-forge" not in names or names.index("pytorch") < names.index("conda-forge")
    )


@rule("conda-meta-package-withdrawn")
def meta_packages_exist(environment: CondaEnvironment) -> Iterator[Problem]:
    """``pytorch-cuda`` and ``cudatoolkit`` are asked for in versions that were published."""
    for node in environment.packages:
        _, name, said = spec(node)
        version = _version(said)
        if name == "pytorch-cuda" and version and _minor(version) not in META and "." in version:
            yield _none(node, name, version, ", ".join(sorted(META, key=parts)))
        elif name == "cudatoolkit" and version and _after(LAST_CUDATOOLKIT, said):
            yield _none(node, name, version, f"≤ {LAST_CUDATOOLKIT}")


def _none(node: Node, name: str, version: str, known: str) -> Problem:
    return Problem(
        place=node.place,
        variant=name,
        message=message(
            "no channel has {name} {version}; there is {known}",
            "没有任何频道提供 {name} {version}；现有版本为 {known}",
            name=name,
            version=version,
            known=known,
        ),
    )


@rule("conda-channel-ended")
def torch_is_on_its_channel(environment: CondaEnvironment) -> Iterator[Problem]:
    """PyTorch's channel ended with 2.5: later releases are not there, and none means 2.5 for ever."""
    # cudatoolkit leads to the torch of its time, which is pinned by that.
    old = any(spec(node)[1] == "cudatoolkit" for node in environment.packages)
    for node in environment.packages:
        channel, name, said = spec(node)
        if name not in ("pytorch", "pytorch-gpu") or not (
            channel == "pytorch" or (not channel and _is_pytorch(environment))
        ):
            continue
        version = _version(said)
        if not version and old:
            continue
        if not version:
            yield Problem(place=node.place, variant="unpinned", message=UNPINNED)
        elif _after(LAST_TORCH, said):
            elsewhere = any("conda-forge" in one.text for one in environment.channels) and not channel
            yield Problem(
                place=node.place,
                variant="later-release",
                message=message(
                    "the channel pytorch ended with torch 2.5: it has no {version}",
                    "pytorch 频道止步于 torch 2.5：其中没有 {version}",
                    version=version,
                ),
                severity=None if elsewhere else Severity.ERROR,
                kind=None if elsewhere else Kind.TROUBLE,
                certainty=Certainty.LIKELY if elsewhere else Certainty.CERTAIN,
            )


UNPINNED: Message = message(
    "the channel pytorch ended with torch 2.5: this installs 2.5, now and for ever",
    "pytorch 频道止步于 torch 2.5：这样永远只会装上 2.5",
)


@rule("conda-solver-picked-cpu-build")
def cuda_is_asked_for_by_its_package(environment: CondaEnvironment) -> Iterator[Problem]:
    """From torch 1.13 on, ``cudatoolkit`` beside it chooses no CUDA build on the channel ``pytorch``."""
    packages = {spec(node)[1]: node for node in environment.packages}
    torch, toolkit = packages.get("pytorch"), packages.get("cudatoolkit")
    if torch is None or toolkit is None or "pytorch-cuda" in packages or not _is_pytorch(environment):
        return
    channel, _, said = spec(torch)
    version = _version(said)
    if (
        channel in ("", "pytorch")
        and version
        and not older(version, META_SINCE)
        and "cuda" not in said
        and not said.startswith("<")
    ):
        yield Problem(
            place=toolkit.place,
            variant="cudatoolkit",
            message=message(
                "cudatoolkit chooses no CUDA build of torch {version}: pytorch-cuda does since 1.13",
                "cudatoolkit 不能为 torch {version} 选出 CUDA 构建：自 1.13 起由 pytorch-cuda 决定",
                version=version,
            ),
            certainty=Certainty.LIKELY,
        )


@rule("conda-mirror-lacks-nvidia-channel")
def nvidia_is_not_asked_of_a_mirror(environment: CondaEnvironment) -> Iterator[Problem]:
    """The channel nvidia, by the address of a mirror that does not carry it."""
    for one in environment.channels:
        if WITHOUT_NVIDIA.search(one.text) and one.text.rstrip("/").endswith("/nvidia"):
            yield Problem(place=one.place, message=NO_NVIDIA, certainty=Certainty.LIKELY)


@rule("conda-mirror-lacks-nvidia-channel")
def names_lead_to_a_channel(settings: Condarc) -> Iterator[Problem]:
    """``channel_alias`` and ``custom_channels`` lead nvidia to a mirror that does not carry it."""
    custom = settings.root.get("custom_channels", "nvidia")
    alias = settings.root.get("channel_alias")
    asked = next((one for one in settings.root.each("channels") if one.text == "nvidia"), None)
    if custom is not None and WITHOUT_NVIDIA.search(custom.text):
        yield Problem(place=custom.place, message=NO_NVIDIA, certainty=Certainty.LIKELY)
    elif custom is None and asked is not None and alias is not None and WITHOUT_NVIDIA.search(alias.text):
        yield Problem(place=asked.place, message=NO_NVIDIA, certainty=Certainty.LIKELY)


NO_NVIDIA: Message = message(
    "this mirror has no channel nvidia: name it https://conda.anaconda.org/nvidia",
    "该镜像站没有 nvidia 频道：请写完整地址 https://conda.anaconda.org/nvidia",
)


@rule("conda-channels-mixed", pedantic=True)
def channels_are_of_one_kind(environment: CondaEnvironment) -> Iterator[Problem]:
    """``defaults`` beside ``conda-forge``: libraries of both are built apart."""
    names = {one.text.rstrip("/").rpartition("/")[2]: one for one in environment.channels}
    if "conda-forge" in names and "defaults" in names:
        yield Problem(
            place=names["defaults"].place,
            message=message(
                "defaults and conda-forge are mixed: their libraries are not built for each other",
                "混用了 defaults 与 conda-forge：二者的库并非相互配套构建",
            ),
        )


RULES = (
    meta_packages_exist,
    torch_is_on_its_channel,
    cuda_is_asked_for_by_its_package,
    nvidia_is_not_asked_of_a_mirror,
    names_lead_to_a_channel,
    channels_are_of_one_kind,
)
