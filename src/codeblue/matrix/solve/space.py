"""The parts of the set that is looked for, and what each of them may be at a tier."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from codeblue.knowledge.wheels import local, plain
from codeblue.matrix import builds
from codeblue.matrix.solve import candidates
from codeblue.matrix.solve.candidates import Candidate
from codeblue.matrix.solve.wishes import COMPANIONS, meets
from codeblue.model.combination import Combination
from codeblue.model.solution import Tier, Wish

ORDER = (
    "torch",
    "variant",
    "driver",
    "python",
    *COMPANIONS,
    "tensorrt",
    "triton",
    "cudnn",
    "nccl",
    "extensions",
)
"""Parts in the order of choice: what comes early is kept, or new, before what comes late."""
PINNED = ("triton", "cudnn", "nccl")
"""What torch brings itself: beside another build it is left out of the set."""
PINS = (*PINNED, "extensions")
"""What can be left out of the set."""
BESIDE_BUILD = (*COMPANIONS, *PINS)
"""What the rules judge beside a build of torch."""
FREE: dict[Tier, frozenset[str]] = {
    Tier.NOTHING: frozenset(),
    Tier.INDEX: frozenset({"variant", *PINNED}),
    Tier.COMPANIONS: frozenset({"variant", "pins", *BESIDE_BUILD, "tensorrt"}),
}
"""Parts that may change at a tier; ``pins`` stands for leaving them out beside the present torch."""
FREE[Tier.TORCH] = FREE[Tier.COMPANIONS] | {"torch"}
FREE[Tier.PYTHON] = FREE[Tier.TORCH] | {"python"}
FREE[Tier.COMPAT] = FREE[Tier.TORCH] | {"compat"}
FREE[Tier.DRIVER] = FREE[Tier.TORCH] | {"driver"}


class Space(NamedTuple):
    """What is there, what is wanted, and what may change."""

    have: Combination
    wishes: tuple[Wish, ...]
    free: frozenset[str]
    """Parts that are there and may change; what is missing is always free."""

    @property
    def machine(self) -> str:
        """Return the processor."""
        return builds.machine(self.have)

    def has(self, name: str) -> bool:
        """Return whether the part is there."""
        field = "torch" if name == "variant" else name
        return bool(getattr(self.have, field))

    def names(self) -> tuple[str, ...]:
        """Return the parts of the set, in the order of choice."""
        wanted = {one.name for one in self.wishes}
        if wanted.intersection(COMPANIONS) or "torch" in wanted or self.has("torch"):
            wanted |= {"torch", "variant"}
        return tuple(name for name in ORDER if name in wanted or self.has(name))

    def may_change(self, name: str) -> bool:
        """Return whether another value than the present one may be taken."""
        if name == "driver" and "compat" in self.free:
            return True
        return name in self.free or not self.has(name) or (name in PINS and not self.has("torch"))

    def domain(self, name: str, release: str | None = None) -> Iterator[Candidate]:
        """Yield what a part may be, the least change first; ``release`` is that of torch, if it is chosen."""
        return (one for one in self._all(name, release) if self.wanted(one))

    def _all(self, name: str, release: str | None) -> Iterator[Candidate]:
        if self.has(name):
            yield from self.present(name, release)
        if self.may_change(name):
            yield from self._others(name, release)
        elif name in COMPANIONS and "variant" in self.free:
            yield from candidates.from_other_index(self.have, name)

    def present(self, name: str, release: str | None = None) -> Iterator[Candidate]:
        """Yield the part that is there, also if it is not what is wanted; it must be known."""
        if name == "torch":
            yield candidates.present_release(self.have)
        elif name == "variant":
            one = candidates.present_build(self.have)
            if release is None or plain(one.value) == release:
                yield one
        elif name == "driver":
            yield candidates.platform(self.have)
        else:
            yield candidates.present(self.have, name)

    def _others(self, name: str, release: str | None) -> Iterable[Candidate]:
        if name == "torch":
            return candidates.releases(self.have)
        if name == "variant":
            return self._builds(release)
        if name == "driver":
            some = candidates.compats if "compat" in self.free else candidates.drivers
            return some(self.have)
        if name == "python":
            return candidates.pythons(self.have)
        if name == "tensorrt":
            return candidates.tensorrts()
        if name in PINS:
            return (candidates.without(name),)
        return chain(
            candidates.from_other_index(self.have, name) if self.has(name) else (),
            candidates.companions(name),
        )

    def _builds(self, release: str | None) -> Iterator[Candidate]:
        asked = [one.variant for one in self.wishes if one.name == "torch" and one.variant]
        chosen = [release] if release else [one.value for one in self.domain("torch")]
        here = builds.of(self.have)
        for version in dict.fromkeys(chosen):
            for one in candidates.builds_of(version, self.machine, asked):
                if here is None or one.value != here.name:
                    yield one

    def wanted(self, one: Candidate) -> bool:
        """Return whether a candidate is what all wishes for its part name."""
        if one.name == "variant":
            return all(self.variant_of(one) == wish.variant for wish in self._for("torch") if wish.variant)
        return all(meets(wish, plain(one.value)) for wish in self._for(one.name) if wish.specifier)

    def _for(self, name: str) -> Iterator[Wish]:
        return (one for one in self.wishes if one.name == name)

    def variant_of(self, one: Candidate) -> str:
        """Return the CUDA variant of a build."""
        build = builds.of(one.over(Combination(machine=self.have.machine)))
        return build.variant if build else local(one.value)


class Taken(NamedTuple):
    """Builds that were found already: another set must differ more than by a patch release."""

    builds: frozenset[str] = frozenset()
    releases_differ: bool = True

    def has(self, build: str) -> bool:
        """Return whether a build is too near to one that was found."""
        if not self.releases_differ:
            return build in self.builds
        return any(minor_of(build) == minor_of(one) for one in self.builds)


def minor_of(version: str) -> str:
    """Return the minor release: ``2.7`` for ``2.7.1+cu126``."""
    return ".".join(plain(version).split(".")[:2])
