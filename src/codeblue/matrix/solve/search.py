"""The search: tier by tier, each left to the resolver, until one of them holds a set."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from resolvelib import BaseReporter, ResolutionImpossible, Resolver

from codeblue.matrix.judge import judge
from codeblue.matrix.solve import refusals
from codeblue.matrix.solve.candidates import Candidate, servers_only
from codeblue.matrix.solve.changes import changes
from codeblue.matrix.solve.installing import install
from codeblue.matrix.solve.missing import missing, nearer
from codeblue.matrix.solve.provider import Need, Provider
from codeblue.matrix.solve.space import FREE, ORDER, PINS, Space, Taken
from codeblue.matrix.solve.weighing import REFUSES, Weighing
from codeblue.model.combination import Combination
from codeblue.model.judgement import Judgement, Verdict
from codeblue.model.solution import Refused, Solution, Solutions, Tier, Wish
from codeblue.model.text import message

BEST = 3
ROUNDS = 20_000
"""Choices of the resolver after which it gives up; the tables allow for a few hundred."""


class Attempt(NamedTuple):
    """A tier, and one way to use the freedom that it gives."""

    tier: Tier
    space: Space


def solve(
    have: Combination, wishes: tuple[Wish, ...] = (), keep: frozenset[str] = frozenset(), best: int = BEST
) -> Solutions:
    """Return the sets with the least change, the newest torch first, and why cheaper tiers hold none.

    ``have`` is what is there: its GPUs, processor, C library, image and toolkits never change. ``keep``
    names other parts that may not change; with ``torch`` the release and its build are meant. There are
    at most ``best`` sets.
    """
    weighing = Weighing(have)
    space = Space(have, wishes, frozenset())
    absent = list(missing(space))
    if absent:
        found = _nearest(have, wishes, keep, best, [wish for wish, _ in absent])
        return Solutions(asked=have, wishes=wishes, best=found, missing=tuple(reason for _, reason in absent))
    failed: list[Refused] = []
    for attempt in _attempts(have, wishes, keep):
        outcome = _first(attempt, weighing)
        if isinstance(outcome, Solution):
            others = _others(attempt, weighing, outcome, best)
            cheaper = (one for one in failed if one.tier < outcome.tier)
            return Solutions(
                asked=have, wishes=wishes, best=(outcome, *others)[:best], failed=_by_tier(cheaper)
            )
        failed.append(outcome)
    return Solutions(asked=have, wishes=wishes, best=(), failed=_by_tier(failed))


def _attempts(have: Combination, wishes: tuple[Wish, ...], keep: frozenset[str]) -> Iterator[Attempt]:
    """Yield the tiers with ever more freedom; those that give none here are left out."""
    kept = keep | {"variant"} if "torch" in keep else keep
    before: frozenset[str] | None = None
    for tier in Tier:
        for more in (frozenset[str](), frozenset({"python"})) if tier > Tier.PYTHON else (frozenset[str](),):
            space = Space(have, wishes, (FREE[tier] | more) - kept)
            free = frozenset(name for name in space.free if _matters(space, name))
            if free != before and (tier <= Tier.PYTHON or _matters(space, tier.name.lower())):
                yield Attempt(tier, space)
            before = free


def _matters(space: Space, name: str) -> bool:
    if name == "compat":
        return "compat" in space.free and space.has("driver") and "driver" in space.names()
    if name == "pins":
        return name in space.free and any(space.has(pin) for pin in PINS)
    if name not in space.free or name not in space.names() or not space.has(name):
        return False
    return name == "driver" or _has_choice(space, name)


def _has_choice(space: Space, name: str) -> bool:
    here = {one.value for one in space.present(name)}
    return any(one.value not in here for one in space.domain(name))


def _by_tier(failed: Iterable[Refused]) -> tuple[Refused, ...]:
    """Return the last refusal of each tier: it was given the most freedom."""
    return tuple({one.tier: one for one in failed}.values())


def _first(attempt: Attempt, weighing: Weighing) -> Solution | Refused:
    if attempt.tier is Tier.COMPAT and not servers_only(attempt.space.have):
        return _no_compat(attempt.tier)
    return _resolved(attempt, weighing, Taken())


def _no_compat(tier: Tier) -> Refused:
    text = message("cuda-compat works on data-centre GPUs only", "cuda-compat 仅适用于数据中心 GPU")
    return Refused(tier, text, ())


def _resolved(attempt: Attempt, weighing: Weighing, taken: Taken) -> Solution | Refused:
    """Ask the resolver for the first set of a tier."""
    provider = Provider(attempt.space, weighing, taken)
    resolver = Resolver[Need, Candidate, str](provider, BaseReporter[Need, Candidate, str]())
    try:
        pinned = resolver.resolve(provider.roots(), ROUNDS).mapping
    except ResolutionImpossible as error:
        return refusals.refused(attempt.space, attempt.tier, provider, error.causes)
    return _solution(attempt, [pinned[name] for name in ORDER if name in pinned])


def _solution(attempt: Attempt, chosen: list[Candidate]) -> Solution | Refused:
    have = attempt.space.have
    then = have
    for one in chosen:
        then = one.over(then)
    judged = judge(then)
    if judged.verdict is not Verdict.COMPATIBLE:
        return Refused(attempt.tier, refusals.words(attempt.space, attempt.tier), _against(judged.judgements))
    return Solution(
        combination=then,
        judged=judged,
        changes=changes(have, then),
        tier=attempt.tier,
        install=install(have, then),
    )


def _against(judgements: Iterable[Judgement]) -> tuple[Judgement, ...]:
    return tuple(one for one in judgements if one.answer in REFUSES)[: refusals.SHOWN]


def _others(attempt: Attempt, weighing: Weighing, first: Solution, best: int) -> Iterator[Solution]:
    """Yield further sets of the tier, each with another release of torch, or at least another build."""
    space, torch = attempt.space, first.combination.torch
    if torch is None or torch is space.have.torch:
        return
    taken = Taken(frozenset({torch.value}), space.may_change("torch"))
    for _ in range(best - 1):
        found = _resolved(attempt, weighing, taken)
        if isinstance(found, Refused) or found.combination.torch is None:
            return
        yield found
        taken = taken._replace(builds=taken.builds | {found.combination.torch.value})


def _nearest(
    have: Combination, wishes: tuple[Wish, ...], keep: frozenset[str], best: int, absent: list[Wish]
) -> tuple[Solution, ...]:
    """Return sets for wishes that ask for less."""
    found: dict[str, Solution] = {}
    for one in absent:
        for other in nearer(one):
            asked = tuple(other if wish == one else wish for wish in wishes)
            if any(True for _ in missing(Space(have, (other,), frozenset()))):
                continue
            for solution in solve(have, asked, keep, 1).best:
                found.setdefault(repr(solution.combination), solution)
    return tuple(found.values())[:best]
