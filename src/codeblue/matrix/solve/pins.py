"""What a build of torch brings itself: triton, cuDNN and NCCL."""

from packaging.specifiers import SpecifierSet

from codeblue.knowledge.versions import parts
from codeblue.knowledge.wheels import release
from codeblue.matrix import builds
from codeblue.matrix.builds import Build
from codeblue.matrix.solve.candidates import Candidate
from codeblue.model.combination import Combination, Part


def matches(pin: Candidate, build: Candidate, have: Combination) -> bool:
    """Return whether a pin that is there can stay beside another build; the rules still judge it.

    A cuDNN or NCCL that no package brings is the user's own, and no installer replaces it.
    """
    part = pin.parts[0][1]
    if not isinstance(part, Part) or not _is_package(pin.name, part):
        return True
    return _brings(builds.of(build.over(Combination(machine=have.machine))), pin.name, part)


def is_own(have: Combination, name: str) -> bool:
    """Return whether a part is there because the present torch requires just this version of it."""
    part = getattr(have, name)
    return _is_package(name, part) and _brings(builds.of(have), name, part)


def _is_package(name: str, part: Part) -> bool:
    return name == "triton" or bool(part.distribution)


def _brings(build: Build | None, name: str, part: Part) -> bool:
    if build is None:
        return False
    if name == "triton":
        return _is_triton_of(build.name, part.value)
    wanted = build.cudnn if name == "cudnn" else build.nccl
    return wanted is not None and parts(wanted) == parts(part.value)


def _is_triton_of(torch: str, version: str) -> bool:
    row = release(torch)
    if row is None or not row["triton"]:
        return row is not None
    wanted = row["triton"]
    return SpecifierSet(wanted if wanted.startswith("~") else f"=={wanted}").contains(version)
