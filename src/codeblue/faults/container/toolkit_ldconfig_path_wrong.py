"""
## What it means
While it prepares a container the toolkit runs the host's `ldconfig` inside it, so that the mounted
driver libraries are found. That program could not be opened or ended with an error, and the container
is not started.

## Why it happens
On Ubuntu `/sbin/ldconfig` is a shell script around `ldconfig.real`, and a script cannot run inside an
arbitrary image; on Fedora, RHEL, SUSE and Arch there is no `ldconfig.real` at all. A config.toml copied
from another distribution, a repository for another distribution, or the upgrade of one to the other
leaves the wrong path. Without the leading `@` the path is looked for in the image.

## When it is not a fault
If the path is right, the image may be so small or so foreign (another architecture, no `/etc`) that
`ldconfig` fails in it: try a plain ubuntu image first.

## What to do
Look which of the two files the host has and write that path, with `@` in front, into config.toml.
`nvidia-container-cli` needs no restart of docker. Compare with a fresh file from `nvidia-ctk config`.

## How safe the fix is
One line of one file, which can be put back exactly. Containers that run already are not touched.
"""

from collections.abc import Iterator

from codeblue.faults.container.host_engine import setting, through_cdi
from codeblue.faults.container.toolkit_config import CONFIG, write_setting
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Container, Engine, Host, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

KEY = "nvidia-container-cli.ldconfig"
DEBIANS_PROGRAM = ("@/sbin/ldconfig.real", "@/usr/sbin/ldconfig.real")
USUAL = "@/sbin/ldconfig"
HAVE_USUAL = (
    "almalinux",
    "amzn",
    "centos",
    "debian",
    "fedora",
    "ol",
    "opensuse-leap",
    "opensuse-tumbleweed",
    "rhel",
    "rocky",
    "sles",
)
"""Distributions whose ldconfig is the program itself. Ubuntu's is a script around ldconfig.real."""
WHY = message(
    "this distribution has no ldconfig.real, its ldconfig is the program itself",
    "这个发行版没有 ldconfig.real，它的 ldconfig 就是程序本身",
)


@fault(
    "toolkit-ldconfig-path-wrong",
    title=Text(
        "The container toolkit is pointed at the wrong ldconfig", "容器工具包配置的 ldconfig 路径不对"
    ),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "toolkit-finds-no-driver-library",
        "container-started-without-nvidia-runtime",
        "libcuda-not-found",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: installation",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA Container Toolkit: troubleshooting",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "ldcache error",
            (
                r"nvidia-container-cli: ldcache error: (?:process (?P<path>\S*ldconfig\S*) "
                r"failed|open failed: (?P<file>\S*ldconfig\S*):)"
            ),
        ),
        Signature(
            "ldcache error",
            "ldcache error",
            Certainty.LIKELY,
        ),
        Signature(
            "/sbin/ldconfig",
            (
                r"(?:failed|error|unable).{0,60}/sbin/ldconfig|"
                r"/sbin/ldconfig(?:\.real)?.{0,30}(?:failed|no such file|not found|exit)"
            ),
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"ldconfig\.real|@/sbin/ldconfig|/sbin/ldconfig|ldconfig ?= ?",
                r"config\.toml|nvidia-container|toolkit|wrapper|ldcache|nvidia-ctk",
                "fail|error|no such file|not found|wrong|wrapper|missing|libcuda|libnvidia|找不到"
                "|错误|不对|写错|失败",
            ),
            none=(r"ldconfig -p|load library failed|snap|libcuda\.so\.1.{0,20}=>|LD_LIBRARY",),
        ),
    ),
    remedy=Remedy(
        message("set the path of the host's real ldconfig", "改成宿主机真正的 ldconfig 路径"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    (
                        'Debian and Ubuntu: ldconfig = "@/sbin/ldconfig.real"; others: ldconfig '
                        '= "@/sbin/ldconfig", in /etc/nvidia-container-runtime/config.toml'
                    ),
                    (
                        "在 /etc/nvidia-container-runtime/config.toml 里：Debian 和 Ubuntu "
                        '用 ldconfig = "@/sbin/ldconfig.real"，其他发行版用 ldconfig = "@/sbin/ldconf'
                        'ig"'
                    ),
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command=(
        "grep ldconfig /etc/nvidia-container-runtime/config.toml; ls -l /sbin/ldconfig /sbin/ldconfig.real"
    ),
)
def toolkit_ldconfig_path_wrong(
    engine: Engine, container: Container | None, pci: Pci | None, *, host: Host | None = None
) -> Iterator[Hit]:
    if container is not None or pci is None or not own_gpus(pci) or not engine.toolkit:
        return
    if engine.ldconfig_there is not False or through_cdi(engine):
        return
    yield Hit(
        subject=f"file:{CONFIG}",
        summary=message(
            "config.toml names {path}, which does not exist on this host",
            "config.toml 指定的 {path} 在本机上不存在",
            path=setting(engine, KEY),
        ),
        because=cite(f"engine.toolkit_config[{KEY}]", "engine.ldconfig_there"),
        certainty=Certainty.LIKELY,
        remedy=write_setting(KEY, USUAL, WHY) if _known(setting(engine, KEY), host) else None,
    )


def _known(configured: str | None, host: Host | None) -> bool:
    """Return whether the distribution tells which path is right."""
    if host is None or not was_read(host, "distribution"):
        return False
    return configured in DEBIANS_PROGRAM and host.distribution in HAVE_USUAL
