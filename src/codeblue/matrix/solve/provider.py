"""The tables as the resolver of pip sees them: parts are packages, judgements are their requirements.

A requirement has two sides only, so a candidate carries what belongs to it: a build its release, a driver
its cuda-compat package. Every part asks the later ones to fit it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from resolvelib import AbstractProvider
from resolvelib.structs import RequirementInformation

from codeblue.knowledge.wheels import plain, release
from codeblue.matrix import builds
from codeblue.matrix.solve import pins
from codeblue.matrix.solve.candidates import Candidate, major_of
from codeblue.matrix.solve.space import BESIDE_BUILD, PINNED, Space, Taken
from codeblue.matrix.solve.weighing import Weighing
from codeblue.model.judgement import Judgement

TOGETHER: dict[str, frozenset[str]] = {
    "torch": frozenset({"variant", "python"}),
    "variant": frozenset({"torch", "driver", "tensorrt", *BESIDE_BUILD}),
    "driver": frozenset({"variant", "tensorrt"}),
    "python": frozenset({"torch"}),
    "tensorrt": frozenset({"driver", "variant"}),
} | {name: frozenset({"variant"}) for name in BESIDE_BUILD}
"""Which parts the rules judge together."""


class Need(NamedTuple):
    """A part that the set must have, fitting to another one if that is named."""

    name: str
    by: Candidate | None = None


Information = RequirementInformation[Need, Candidate]


class Provider(AbstractProvider[Need, Candidate, str]):
    """Answers the resolver's questions about one space; remembers what it refused."""

    def __init__(self, space: Space, weighing: Weighing, taken: Taken) -> None:
        self._space = space
        self._weighing = weighing
        self._taken = taken
        names = space.names()
        self._order = sorted(names, key=lambda name: (space.may_change(name), names.index(name)))
        """Parts that cannot change come first: all others are sorted out by them at once."""
        self.refused: dict[tuple[Candidate | None, Candidate], tuple[Judgement, ...]] = {}

    def roots(self) -> list[Need]:
        """Return the parts that the set must have."""
        return [Need(name) for name in self._order]

    def identify(self, requirement_or_candidate: Need | Candidate) -> str:
        """Return the part that is meant."""
        return requirement_or_candidate.name

    def get_preference(
        self,
        identifier: str,
        resolutions: Mapping[str, Candidate],
        candidates: Mapping[str, Iterator[Candidate]],
        information: Mapping[str, Iterator[Information]],
        backtrack_causes: Sequence[Information],
    ) -> int:
        """Return the rank of a part in the order of choice."""
        return self._order.index(identifier)

    def get_dependencies(self, candidate: Candidate) -> Iterable[Need]:
        """Return that the later parts must fit this one."""
        later = self._order[self._order.index(candidate.name) + 1 :]
        return [Need(name, candidate) for name in later if name in TOGETHER[candidate.name]]

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[Need]],
        incompatibilities: Mapping[str, Iterator[Candidate]],
    ) -> Callable[[], Iterator[Candidate]]:
        """Return what a part may be beside those that are chosen, the best first, judged on demand."""
        needs = list(requirements[identifier])
        passed = set(incompatibilities[identifier])
        besides = [need.by for need in needs if need.by is not None]
        torch = next((one.value for one in besides if one.name == "torch"), None)

        def found() -> Iterator[Candidate]:
            domain = self._space.domain(identifier, torch)
            fitting = (one for one in domain if one not in passed and self._fits(one, needs))
            if identifier == "variant" and torch is not None:
                return iter(sorted(fitting, key=lambda one: self._rank(one, besides)))
            if identifier == "tensorrt":
                return iter(sorted(fitting, key=lambda one: _foreign(one, besides)))
            return fitting

        return found

    def is_satisfied_by(self, requirement: Need, candidate: Candidate) -> bool:
        """Return whether nothing speaks against the candidate alone, nor beside the one that asks for it."""
        return self._accepted(candidate, None) and (
            requirement.by is None or self._accepted(candidate, requirement.by)
        )

    def _fits(self, candidate: Candidate, needs: Iterable[Need]) -> bool:
        if candidate.name == "variant" and self._taken.has(candidate.value):
            return False
        return all(self.is_satisfied_by(need, candidate) for need in needs)

    def _pin_follows(self, one: Candidate, other: Candidate) -> bool:
        """Return whether what torch brings itself is left out just where another build brings another."""
        build, pin = (one, other) if one.name == "variant" else (other, one)
        if build.name != "variant" or pin.name not in PINNED:
            return True
        have = self._space.have
        if pin.value:
            return build.parts[0][1] is have.torch or pins.matches(pin, build, have)
        if "pins" in self._space.free or not self._space.has("torch"):
            return True
        return build.parts[0][1] is not have.torch and pins.is_own(have, pin.name)

    def _accepted(self, candidate: Candidate, beside: Candidate | None) -> bool:
        if beside is not None and {candidate.name, beside.name} == {"torch", "variant"}:
            return plain(candidate.value) == plain(beside.value)
        if beside is not None and not self._pin_follows(candidate, beside):
            return False
        against = self._weighing.refusals(candidate, beside)
        if against:
            self.refused[beside, candidate] = against
        return not against

    def _rank(self, build: Candidate, besides: list[Candidate]) -> tuple[Any, ...]:
        """Sort builds of one release: the present one, sound ones, the present index, PyPI's own, the newest.

        Of the conditions, PTX that the driver must compile weighs more than how simple the install is.
        """
        have, variant = self._space.have, self._space.variant_of(build)
        driver = next((one for one in besides if one.name == "driver"), None)
        here = builds.of(have)
        row = release(build.value)
        return (
            build.parts[0][1] is not have.torch,
            not self._weighing.is_sound(build),
            here is None or variant != here.variant,
            self._weighing.needs_jit(build, driver),
            row is None or variant != builds.default_variant(row, self._space.machine),
            self._weighing.conditions(build, driver),
            -_number(variant),
        )


def _number(variant: str) -> int:
    digits = variant.removeprefix("cu")
    return int(digits) if digits.isdecimal() else 0


def _foreign(tensorrt: Candidate, besides: list[Candidate]) -> bool:
    """Return whether a TensorRT brings libraries of another major CUDA than torch."""
    build = next((one for one in besides if one.name == "variant"), None)
    return build is not None and major_of(build.value) != major_of(tensorrt.value)
