"""
## What it means
The NVIDIA container toolkit on this host is older than the release that closes known holes. Through them
an image can reach files of the host, or run code there with the rights of the engine, which are root's.

## Why it happens
The package is held back or was installed by hand; the driver is updated and the toolkit is forgotten,
because nothing stops working. A GPU operator carries its own toolkit and is as old as its chart.

## When it is not a fault
A host on which only images from trusted sources are started, by trusted people, runs a smaller risk.
Some of the holes exist only in one mode of the toolkit or with a setting that is not the default; the
page of each entry says so. Distributions may patch without changing the number: look into their change
log, and write an accepted risk into the site's configuration with an owner and an end date.

## What to do
Update `nvidia-container-toolkit`, `nvidia-container-toolkit-base`, `libnvidia-container-tools` and
`libnvidia-container1` together; they share one version. With the GPU operator update the operator. Then
`nvidia-ctk --version`, and one test: `docker run --rm --gpus all ubuntu nvidia-smi`.

## How safe the fix is
Running containers go on; new ones use the new toolkit. Try it on one node first: releases have had
regressions. Note the installed version, the packages of earlier releases stay in the repository.
"""

from collections.abc import Iterator

from codeblue.knowledge.support import toolkit_floor, toolkit_holes
from codeblue.model.facts import Container, Engine
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

SPEAKERS = ("nvidia-ctk", "nvidia-container-runtime", "nvidia-container-cli")
"""Programs that say the toolkit's version, the most trusted first."""


UNSAFE = r"v?(?:0\.\d+\.\d+|1\.(?:\d|1[0-8])\.\d+|1\.19\.0)\b"
"""Versions below the floor, as a pattern for pasted text."""
NAMED = r"container[- ]toolkit|nvidia-ctk|nvidia-container|libnvidia-container|gpu[- ]operator|容器工具包"
WORRY = (
    r"CVE-20\d\d-\d|vulnerab\w*|security (?:fix\w*|update|bulletin|scan\w*|team|audit|advisory)|scanner|"
    r"\baudit|container escape|\bescapes?\b|\bsafe\b|\bpatched\b|trivy|漏洞|"
    r"安全(?:公告|更新|扫描|补丁|团队|审计)|逃逸"
)
HOLES = (
    r"CVE-2024-013[2-7]|CVE-2025-23359|CVE-2025-2326[67]|CVE-2026-24260|NVIDIAScape|"
    r"(?:container|toolkit).{0,20}\bescape|容器逃逸|逃逸漏洞"
)


@fault(
    "toolkit-below-safe-version",
    title=Text("The container toolkit lacks security fixes", "容器工具包缺少安全修复"),
    layer=Layer.CONTAINER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA product security bulletins", "https://github.com/NVIDIA/product-security", "2026-11-30"
        ),
        Reference(
            "NVIDIA Container Toolkit: release notes",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/release-notes.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("CVE-2024-0132", "CVE-2024-0132", Certainty.POSSIBLE),
        Signature("CVE-2025-23266", "CVE-2025-23266", Certainty.POSSIBLE),
        Signature("CVE-2025-23359", "CVE-2025-23359", Certainty.POSSIBLE),
        Signature("CVE-2025-23267", "CVE-2025-23267", Certainty.POSSIBLE),
        Signature("NVIDIAScape", "NVIDIAScape", Certainty.POSSIBLE),
        Signature(
            "NVIDIA Container ",
            rf"NVIDIA Container (?:Toolkit CLI|Runtime|Runtime Hook) version {UNSAFE}",
            Certainty.CERTAIN,
        ),
        Signature("-version: ", rf"^(?:cli|lib)-version: {UNSAFE}", Certainty.CERTAIN),
        Signature(
            "nvidia-container-toolkit",
            rf"^(?:[hi]i +nvidia-container-toolkit(?:-base)?(?::\w+)? +|"
            rf"nvidia-container-toolkit(?:-base)?-){UNSAFE}",
            Certainty.CERTAIN,
        ),
    ),
    clues=(
        Clue(all=(NAMED, HOLES), none=(r"1\.19\.[1-9]|1\.[2-9]\d\.\d",)),
        Clue(all=(rf"(?:toolkit|nvidia-ctk|nvidia-container)[\w.:/+-]{{0,24}}\D{{0,30}}\b{UNSAFE}", WORRY)),
    ),
    remedy=Remedy(
        message("update the container toolkit", "升级容器工具包"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "update nvidia-container-toolkit, nvidia-container-toolkit-base, "
                    "libnvidia-container-tools and libnvidia-container1 to one version",
                    "把 nvidia-container-toolkit、nvidia-container-toolkit-base、"
                    "libnvidia-container-tools 和 libnvidia-container1 升级到同一版本",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
)
def toolkit_below_safe_version(
    engine: Engine, container: Container | Unread | None = UNREAD
) -> Iterator[Hit]:
    told = [name for name in SPEAKERS if name in engine.toolkit and engine.toolkit[name].version]
    if isinstance(container, Container) or not told:
        return
    version = engine.toolkit[told[0]].version or ""
    known = toolkit_holes(version)
    if known:
        yield Hit(
            subject="host",
            summary=message(
                "container toolkit {version} is older than {floor}; {n} known holes, the worst {worst}",
                "容器工具包 {version} 早于 {floor}；有 {n} 个已知漏洞，最严重的是 {worst}",
                version=version,
                floor=toolkit_floor(),
                n=len(known),
                worst=known[0]["id"],
            ),
            because=cite(f"engine.toolkit[{told[0]}].version"),
            # A text may not say whether its command ran on the host.
            certainty=Certainty.CERTAIN if container is None else Certainty.LIKELY,
        )
