"""Wishes for what does not exist, and the nearest wishes that can be met."""

from collections.abc import Iterator

from packaging.specifiers import SpecifierSet

from codeblue.matrix.judge import judge
from codeblue.matrix.solve.space import Space, minor_of
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.solution import Wish
from codeblue.model.text import Message, message

RULE = "wish-exists"


def missing(space: Space) -> Iterator[tuple[Wish, Judgement]]:
    """Yield each wish that nothing in the tables meets, whatever else is chosen, with the reason."""
    for wish in space.wishes:
        everything = Space(Combination(machine=space.have.machine), (wish,), frozenset())
        name = "variant" if wish.name == "torch" else wish.name
        if next(everything.domain(name), None) is None and not _is_there(space, wish):
            yield wish, _why(space, wish)
    for name in dict.fromkeys(wish.name for wish in space.wishes):
        same = tuple(wish for wish in space.wishes if wish.name == name)
        if len(same) > 1 and _contradict(space, same):
            yield same[0], _contradiction(same)


def _contradict(space: Space, same: tuple[Wish, ...]) -> bool:
    """Return whether each of the wishes for a part can be met, but not all at once."""
    name = "variant" if same[0].name == "torch" else same[0].name
    machine = Combination(machine=space.have.machine)
    alone = (Space(machine, (wish,), frozenset()) for wish in same)
    together = Space(machine, same, frozenset())
    return all(any(True for _ in one.domain(name)) for one in alone) and not any(
        True for _ in together.domain(name)
    )


def _contradiction(same: tuple[Wish, ...]) -> Judgement:
    return Judgement(
        rule=RULE,
        answer=Answer.NO,
        parts=(same[0].name,),
        text=message(
            "nothing is all of {wishes} at once; keep one of them",
            "没有任何版本同时满足 {wishes}；请只保留一个",
            wishes=", ".join(str(wish) for wish in same),
        ),
    )


def _is_there(space: Space, wish: Wish) -> bool:
    """Return whether a build that no table has is what is wanted, and is there."""
    name = "variant" if wish.name == "torch" else wish.name
    here = Space(space.have, (wish,), frozenset())
    return space.has(name) and next(here.domain(name), None) is not None


def _why(space: Space, wish: Wish) -> Judgement:
    exact = _exact(wish)
    if exact is not None and wish.name in ("torch", "torchvision", "torchaudio"):
        told = judge(Combination(machine=space.have.machine).having({wish.name: Part(exact, "--want")}))
        against = [one for one in told.judgements if one.answer is not Answer.YES]
        if against:
            return against[0]
    return Judgement(rule=RULE, answer=Answer.NO, parts=(wish.name,), text=_words(wish))


def _words(wish: Wish) -> Message:
    if wish.variant:
        return message(
            "the tables have no checked build for {wish}", "表中没有经过核对的 {wish} 构建", wish=wish
        )
    return message("the tables have no {wish}", "表中没有 {wish}", wish=wish)


def _exact(wish: Wish) -> str | None:
    """Return the one version that a wish names, with its variant."""
    one = next(iter(SpecifierSet(wish.specifier)), None) if wish.specifier.startswith("==") else None
    if one is None or "*" in one.version or "," in wish.specifier:
        return None
    return f"{one.version}+{wish.variant}" if wish.variant else one.version


def nearer(wish: Wish) -> list[Wish]:
    """Return wishes that ask for less, the nearest first."""
    exact = _exact(Wish(wish.name, wish.specifier))
    if wish.variant:
        return [Wish(wish.name, wish.specifier), Wish(wish.name, variant=wish.variant)]
    same = [Wish(wish.name, f"=={minor_of(exact)}.*")] if exact else []
    return [*same, Wish(wish.name)]
