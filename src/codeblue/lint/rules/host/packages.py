"""Where packages come from, and who upgrades them: APT, conda, pip."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.conda import Condarc
from codeblue.model.config.lines import Apt, PipConf
from codeblue.model.facts import Packages
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

ORIGINS = ("Unattended-Upgrade::Allowed-Origins", "Unattended-Upgrade::Origins-Pattern")
EXCEPTIONS = "Unattended-Upgrade::Package-Blacklist"
LIBRARIES = re.compile(r"libnvidia-compute-\d+(?:-server)?$")
CPU = re.compile(r"download\.pytorch\.org/whl/cpu\b")
OFFICIAL = re.compile(r"conda\.anaconda\.org|repo\.anaconda\.com")


def _excepts_nvidia(apt: Apt) -> bool:
    return any(one.section == EXCEPTIONS and "nvidia" in one.value for one in apt.entries)


@rule("driver-packages-upgrade-unattended", pedantic=True)
def the_driver_is_left_alone(apt: Apt) -> Iterator[Problem]:
    """Without a machine nobody knows whether it has a driver of the distribution."""
    places = [one for one in apt.entries if one.section in ORIGINS]
    if places and not _excepts_nvidia(apt):
        yield Problem(
            place=places[0].place,
            certainty=Certainty.POSSIBLE,
            message=message(
                "Package-Blacklist does not name nvidia: the driver may be upgraded under running jobs",
                "Package-Blacklist 没有列出 nvidia：驱动可能在作业运行时被升级",
            ),
        )


@rule("driver-packages-upgrade-unattended")
def the_installed_driver_is_left_alone(apt: Apt, packages: Packages) -> Iterator[Problem]:
    """With a machine that has such a driver."""
    places = [one for one in apt.entries if one.section in ORIGINS]
    if not places or _excepts_nvidia(apt):
        return
    for name, one in packages.installed.items():
        if LIBRARIES.match(name) and not one.held and "0ubuntu" in one.version:
            yield Problem(
                place=places[0].place,
                message=message(
                    "Package-Blacklist does not name nvidia: APT upgrades {name} also while jobs run",
                    "Package-Blacklist 没有列出 nvidia：APT 会升级 {name}，作业运行时也不例外",
                    name=name,
                ),
            )
            return


@rule("conda-mirror-lacks-nvidia-channel")
def the_nvidia_channel_is_there(conda: Condarc) -> Iterator[Problem]:
    """The name of a channel leads to the alias, and mirrors mostly do not carry this one."""
    alias = conda.root.say("channel_alias")
    if not alias or OFFICIAL.search(alias) or conda.root.get("custom_channels", "nvidia") is not None:
        return
    for channel in conda.root.each("channels"):
        if channel.text == "nvidia":
            yield Problem(
                place=channel.place,
                certainty=Certainty.LIKELY,
                message=message(
                    "nvidia leads to {alias}, and mirrors mostly do not carry it; name it in custom_channels",
                    "nvidia 会指向 {alias}，而镜像站大多没有这个频道；请在 custom_channels 中写明",
                    alias=alias,
                ),
            )


@rule("extra-index-url-prefers-cpu-wheel")
def no_index_of_cpu_wheels(pip: PipConf) -> Iterator[Problem]:
    """Every install on the machine then finds the CPU build of torch."""
    for one in pip.entries:
        if one.name in ("extra-index-url", "index-url", "find-links") and CPU.search(one.value):
            yield Problem(
                place=one.value_place,
                certainty=Certainty.LIKELY,
                message=message(
                    "every pip on this machine is offered torch without CUDA from this index",
                    "这台机器上的每个 pip 都会从这个源得到不带 CUDA 的 torch",
                ),
            )


RULES = (
    the_driver_is_left_alone,
    the_installed_driver_is_left_alone,
    the_nvidia_channel_is_there,
    no_index_of_cpu_wheels,
)
