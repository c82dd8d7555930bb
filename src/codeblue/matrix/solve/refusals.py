"""Why a tier holds no set: the judgements behind the resolver's causes, in words."""

from collections.abc import Iterable, Iterator

from codeblue.knowledge.wheels import plain
from codeblue.matrix.solve import candidates
from codeblue.matrix.solve.provider import Information, Provider
from codeblue.matrix.solve.space import Space
from codeblue.model.combination import Part
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.solution import Refused, Tier
from codeblue.model.text import Message, message

SHOWN = 4
"""Reasons that are told of one tier."""
WORDS: dict[Tier, tuple[str, str]] = {
    Tier.NOTHING: ("with {kept} as it is, nothing works", "在 {kept} 不变的情况下没有可用的组合"),
    Tier.INDEX: ("no other build of torch {torch} helps", "torch {torch} 的其他构建都不行"),
    Tier.COMPANIONS: (
        "other versions of what belongs to torch do not help",
        "更换 torch 的配套包也不行",
    ),
    Tier.TORCH: ("no release of torch works with {kept}", "没有 torch 版本能与 {kept} 配合"),
    Tier.PYTHON: ("no other Python helps", "更换 Python 版本也不行"),
    Tier.COMPAT: (
        "no cuda-compat package helps on driver {driver}",
        "在驱动 {driver} 上装 cuda-compat 也不行",
    ),
    Tier.DRIVER: ("no driver helps", "更换驱动也不行"),
}
MACHINE = ("driver", "gpus", "python", "glibc", "machine")


def refused(space: Space, tier: Tier, provider: Provider, causes: Iterable[Information]) -> Refused:
    """Return the explanation of a tier in which the resolver found nothing."""
    names = {name for cause in causes for name in _names(cause)}
    told: dict[str, Judgement] = {one.rule: one for one in _against_wishes(space, names)}
    for (_, candidate), judgements in provider.refused.items():
        if candidate.name in names:
            for one in judgements:
                told.setdefault(one.rule, one)
    return Refused(tier, words(space, tier), tuple(told.values())[:SHOWN])


def _names(cause: Information) -> Iterator[str]:
    yield cause.requirement.name
    if cause.parent is not None:
        yield cause.parent.name


def words(space: Space, tier: Tier) -> Message:
    """Return what a tier without a set is called."""
    have = space.have
    return message(
        *WORDS[tier],
        kept=", ".join(_kept(space)) or "-",
        torch=plain(have.torch.value) if have.torch else "-",
        driver=have.driver.value if have.driver else "-",
    )


def _kept(space: Space) -> Iterator[str]:
    for name in MACHINE:
        part = getattr(space.have, name)
        for one in part if isinstance(part, tuple) else (part,):
            if isinstance(one, Part):
                yield one.value if name in ("gpus", "machine") else f"{name} {one.value}"
    yield from (str(wish) for wish in space.wishes if wish.specifier or wish.variant)


def _against_wishes(space: Space, names: set[str]) -> Iterator[Judgement]:
    """Yield the parts that are there, may not change at this tier, and are not what is wanted."""
    for name in space.names():
        if name not in names or not space.has(name) or space.may_change(name) or name == "driver":
            continue
        one = candidates.present_build(space.have) if name == "variant" else _present(space, name)
        if not space.wanted(one):
            yield Judgement(
                rule=f"{name}-is-wanted",
                answer=Answer.NO,
                parts=(one.parts[0][0],),
                text=message(
                    "{value} is there, but {wish} is wanted",
                    "现有的是 {value}，而需要的是 {wish}",
                    value=one.value,
                    wish=", ".join(str(wish) for wish in space.wishes if wish.name == one.parts[0][0]),
                ),
            )


def _present(space: Space, name: str) -> candidates.Candidate:
    if name == "torch":
        return candidates.present_release(space.have)
    return candidates.present(space.have, name)
