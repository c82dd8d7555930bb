"""Does the kernel get the parameters that were meant?"""

import re
from collections.abc import Iterator

from codeblue.faults.driver.boot_start import MISSPELT, MISSPELT_LISTS
from codeblue.knowledge.near import one_apart
from codeblue.lint.rule import rule
from codeblue.model.config.lines import Boot, Entry, Grub
from codeblue.model.config.place import Place
from codeblue.model.config.shell import Word
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

RIGHT = {
    **dict.fromkeys(MISSPELT, "nouveau.modeset"),
    **dict.fromkeys(MISSPELT_LISTS, "modprobe.blacklist"),
    "rd.drivers.blacklist": "rd.driver.blacklist",
    "rddriver.blacklist": "rd.driver.blacklist",
    "module.blacklist": "module_blacklist",
    "modprobe.blacklst": "modprobe.blacklist",
    "modprobe.blacklists": "modprobe.blacklist",
    "rd.driver.blacklst": "rd.driver.blacklist",
    "nvidia-drm.modset": "nvidia-drm.modeset",
    "nvidia_drm.modset": "nvidia_drm.modeset",
    "nvidia-drm.mode_set": "nvidia-drm.modeset",
    "intel_iomu": "intel_iommu",
    "amd_iomu": "amd_iommu",
    "iomu": "iommu",
    "intel-iommu": "intel_iommu",
    "amd-iommu": "amd_iommu",
    "hugepage": "hugepages",
    "default_hugepagesize": "default_hugepagesz",
    "hugepagesize": "hugepagesz",
    "pci.realloc": "pci=realloc",
}
"""Words that nobody reads, and what was meant."""
KNOWN = frozenset(RIGHT.values()) | {
    "hugepagesz",
    "intel_idle.max_cstate",
    "mitigations",
    "nomodeset",
    "numa_balancing",
    "processor.max_cstate",
    "transparent_hugepage",
}
"""Names that the kernel reads, among which a slip of one letter is looked for."""
BLACKLISTS = ("modprobe.blacklist", "module_blacklist", "rd.driver.blacklist")
CURLY = re.compile("[\u201c\u201d\u201e\u2018\u2019]")
NVIDIA = frozenset({"nvidia", "nvidia_uvm", "nvidia-uvm", "nvidia_modeset", "nvidia-modeset"})


@rule("grub-cmdline-typo")
def parameters_are_spelt_right(boot: Boot) -> Iterator[Problem]:
    """The kernel takes no notice of names that it does not know."""
    for word in boot.words:
        name, equals, value = word.text.partition("=")
        right = RIGHT.get(name) or _meant(name)
        if (
            right is None
            and name in BLACKLISTS
            and re.search(r"(?:^|,)(?:noveau|nouvaeu|nouveu|nuoveau)(?:,|$)", value)
        ):
            right, value = name, re.sub(r"noveau|nouvaeu|nouveu|nuoveau", "nouveau", value)
        if right is not None:
            new = right + equals + value
            yield Problem(
                place=word.place,
                message=message(
                    "nobody reads the parameter {word}; {right} is meant",
                    "没有谁读取参数 {word}；应为 {right}",
                    word=word.text,
                    right=new,
                ),
                fix=Fix(message("write {right}", "改为 {right}", right=new), (Edit(word.place, new),)),
            )


def _meant(name: str) -> str | None:
    near = [known for known in KNOWN if one_apart(name, known)] if name not in KNOWN else []
    return near[0] if len(near) == 1 and len(name) > 4 else None


@rule("grub-cmdline-typo")
def quotes_hold_the_line(grub: Grub) -> Iterator[Problem]:
    """What stands behind the quotes is a command for the shell, and the variable may be lost with it."""
    for one in grub.entries:
        words = [word for word in grub.astray if word.place.line == one.value_place.end_line]
        if words:
            yield Problem(
                place=words[0].place,
                variant="outside-quotes",
                message=message(
                    "{word} is outside of the quotes: the shell takes it for a command, "
                    "the variable stays empty",
                    "{word} 在引号之外：shell 会把它当作命令，而变量保持为空",
                    word=words[0].text,
                ),
                fix=_taken_in(one, words),
            )
    for one in grub.entries:
        found = CURLY.search(one.value)
        if found:
            yield Problem(
                place=one.value_place,
                variant="curly-quotes",
                message=message(
                    "typographic quotes: the shell takes them as letters of the first and the last word",
                    "用了弯引号：shell 会把它们当作首尾单词的一部分",
                ),
                fix=_straight(one),
            )


def _taken_in(one: Entry, words: list[Word]) -> Fix | None:
    """Put the quotes around the value and the words behind it; None if there are more quotes than these."""
    mark = one.value[:1] if one.value[:1] in ("'", '"') else ""
    inside = one.value[1:-1] if mark else one.value
    if any(sign in text for sign in "'\"`\\" for text in (inside, *(word.text for word in words))):
        return None
    place = one.value_place
    begin = Edit(place.start, '"')
    if mark:
        begin = Edit(Place(place.end_line, place.end_column - 1, place.end_line, place.end_column), "")
    end = Edit(words[-1].place.end, mark or '"')
    return Fix(message("put it into the quotes", "放进引号里"), (begin, end))


def _straight(one: Entry) -> Fix:
    new = re.sub("[\u201c\u201d\u201e]", '"', re.sub("[\u2018\u2019]", "'", one.value))
    return Fix(message("use straight quotes", "改用直引号"), (Edit(one.value_place, new),))


@rule("config-key-repeated")
def variables_are_set_once(grub: Grub) -> Iterator[Problem]:
    """A second assignment replaces the first, unless it takes it over."""
    seen: dict[str, Entry] = {}
    for one in grub.entries:
        before = seen.get(one.name)
        if before is not None and f"${one.name}" not in one.value.replace("{", ""):
            yield Problem(
                place=one.place,
                message=message(
                    "{name} is set in line {line} already; what it said there is lost",
                    "{name} 在第 {line} 行已经设置过；那里的内容会丢失",
                    name=one.name,
                    line=before.place.line,
                ),
                certainty=Certainty.LIKELY,
            )
        seen[one.name] = one


@rule("nvidia-module-blacklisted")
def nvidia_may_be_loaded(boot: Boot) -> Iterator[Problem]:
    """On a host that hands its GPUs to guests that is meant."""
    whole = " ".join(word.text for word in boot.whole)
    for word in boot.words:
        name, _, value = word.text.partition("=")
        if name in BLACKLISTS and NVIDIA & set(value.split(",")) and "vfio" not in whole:
            yield Problem(
                place=word.place,
                certainty=Certainty.POSSIBLE,
                severity=Severity.WARNING,
                message=message(
                    "{word} keeps NVIDIA's module out", "{word} 会阻止加载 NVIDIA 模块", word=word.text
                ),
            )


@rule("p2p-broken-by-acs-or-iommu")
def iommu_passes_addresses_through(boot: Boot) -> Iterator[Problem]:
    """An IOMMU that was switched on and translates, on a host whose line speaks of NVIDIA."""
    words = [word.text for word in boot.whole]
    whole = " ".join(words)
    # Guests need translation, and nobody else switches it on in a line about GPUs.
    if "iommu=pt" in words or "vfio" in whole or not re.search("nvidia|nouveau", whole):
        return
    for word in boot.words:
        if word.text in ("intel_iommu=on", "amd_iommu=on", "iommu=force", "iommu.passthrough=0"):
            yield Problem(
                place=word.place,
                certainty=Certainty.POSSIBLE,
                severity=Severity.WARNING,
                message=message(
                    "{word} without iommu=pt: GPUs that talk over PCIe may hang or get wrong data",
                    "{word} 而没有 iommu=pt：通过 PCIe 互相通信的 GPU 可能卡住或得到错误数据",
                    word=word.text,
                ),
                fix=Fix(message("add iommu=pt", "加上 iommu=pt"), (Edit(word.place.end, " iommu=pt"),)),
            )


RULES = (
    parameters_are_spelt_right,
    quotes_hold_the_line,
    variables_are_set_once,
    nvidia_may_be_loaded,
    iommu_passes_addresses_through,
)
