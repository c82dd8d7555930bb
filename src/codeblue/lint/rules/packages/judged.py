"""What the version matrix says of the packages that a file asks for."""

import re
from collections.abc import Iterator

from codeblue.matrix.from_manifest import Contradiction, combination
from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.config.installs import Installs
from codeblue.model.config.place import Place
from codeblue.model.judgement import Answer, Judgement

NAMES = ("torch", "torchvision", "torchaudio", "triton", "nvidia-nccl", "nvidia-cudnn")


def asked(installs: Installs) -> Combination | None:
    """Return what would be installed; None if there is no torch in it, or it contradicts itself."""
    if not any(one.name.startswith(NAMES) for one in installs.manifest.requirements):
        return None
    try:
        return combination(installs.manifest, Combination())[0]
    except Contradiction:
        return None


def refused(installs: Installs, *rules: str, driver: str | None = None) -> Iterator[tuple[Judgement, Place]]:
    """Yield what some rules of the matrix refuse, with the place of the first part that is in this file."""
    found = asked(installs)
    if found is None:
        return
    if driver is not None:
        found = found.having({"driver": Part(driver, "driver")})
    for one in judge(found).judgements:
        place = _place(installs, found, one)
        if one.answer is Answer.NO and one.rule in rules and place is not None:
            yield one, place


def pinned(installs: Installs, name: str) -> bool:
    """Tell whether exactly one release is asked for; else pip takes the newest that fits the machine."""
    asked_for = [one for one in installs.manifest.requirements if one.name == name]
    return any(one.locked or one.url or re.match(r"(?:===?|~=)", one.specifier) for one in asked_for)


def _place(installs: Installs, found: Combination, one: Judgement) -> Place | None:
    for name in one.parts:
        part = getattr(found, name)
        if isinstance(part, Part) and installs.holds(part.origin):
            version = part.value.partition("+")[0]
            distribution = part.distribution or name
            words = [
                f"{distribution}=={part.value}",
                f"{distribution}=={version}",
                version,
                installs.manifest.image.value
                if installs.manifest.image and name == "glibc"
                else distribution,
                "pytorch",
            ]
            return installs.place(part.origin, *words)
    return None
