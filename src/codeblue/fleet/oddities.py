"""Who differs from the rest: values against the majority of a group, numbers against its median."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from codeblue.fleet.counting import Counting, Fact, Looked, Wanted, folder
from codeblue.fleet.database import MEMORY, make_room, no_memory
from codeblue.fleet.peers import peers
from codeblue.fleet.spread import Spread
from codeblue.fleet.weights import weight
from codeblue.model.fleet import Judged, Run
from codeblue.model.oddities import OddFact, Oddities, Oddity, OddKind, Peers
from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

MAJORITY = 0.6
"""Part of a group that must have a value before another one is odd."""
VARIED = 0.5
"""A text with more values than this part of the nodes is a name of each, no setting."""
SIDES = 4
"""Values of a split group; with more, the fact is simply different everywhere."""
FLOOR = 0.02
"""Part of the median within which no number is odd, however equal the others are."""
LARGE = 1e6
"""Whole numbers from here on are measured, such as bytes: the floor holds for them, not for small ones."""

Odd = tuple[int, tuple[str, ...], OddFact]
"""Group, nodes and fact."""


def oddities(database: "duckdb.DuckDBPyConnection", run: Run, nodes: Sequence[Judged]) -> Oddities:
    """Return who is odd in a run whose tables the database holds.

    Raises Unusable if its nodes have so little in common that the comparison does not fit into memory.
    """
    try:
        groups, alone = peers(database)
        make_room(database, folder(database))
        found = list(_Search(database, groups).odd()) if groups else []
    except no_memory() as error:
        raise Unusable(
            message(
                "{run}: its nodes have too little in common to be compared within {memory}",
                "{run}：节点之间的共同点太少，在 {memory} 内存内无法比较",
                run=run.id,
                memory=MEMORY,
            )
        ) from error
    weighed = _weighed(found, {node.node: {one.fault for one in node.findings} for node in nodes})
    folded: dict[tuple[int, tuple[str, ...]], list[OddFact]] = {}
    for group, names, fact in weighed:
        folded.setdefault((group, names), []).append(fact)
    rows = [_row(groups[group], names, facts) for (group, names), facts in folded.items()]
    rows.sort(key=lambda row: (-row.facts[0].weight, row.facts[0].path, row.nodes[:1]))
    return Oddities(run=run.id, groups=tuple(groups), found=tuple(rows), alone=tuple(alone))


def _row(group: Peers, names: tuple[str, ...], facts: list[OddFact]) -> Oddity:
    facts.sort(key=lambda fact: (-fact.weight, fact.path))
    return Oddity(peers=group.name, of=len(group.nodes), nodes=names, facts=tuple(facts))


def _weighed(found: Sequence[Odd], faults: Mapping[str, set[str]]) -> Iterator[Odd]:
    known: dict[tuple[str, ...], list[str]] = {}
    for group, names, fact in found:
        there = known.get(names)
        if there is None:
            there = known[names] = sorted(set().union(*(faults.get(node, set()) for node in names)))
        heavy, looking = weight(fact.path, fact.place, there if fact.kind is not OddKind.SPLIT else [])
        yield group, names, structs.replace(fact, weight=heavy, faults=looking)


class _Search:
    """Finds what is odd in the groups of one database."""

    def __init__(self, database: "duckdb.DuckDBPyConnection", groups: Sequence[Peers]) -> None:
        self._sizes = [len(group.nodes) for group in groups]
        self._counting = Counting(database, groups)
        self._wanted = Wanted()
        self._found = Looked()

    def odd(self) -> Iterator[Odd]:
        """Yield every fact that is odd, with the nodes."""
        facts = self._counting.facts()
        spreads = self._counting.spreads(fact for fact in facts if self._is_number(fact))
        kinds = {fact.key: self._asked(fact, spreads.get(fact.key)) for fact in facts}
        self._found = self._counting.look(self._wanted)
        for fact in facts:
            kind = kinds[fact.key]
            if kind is OddKind.OFF:
                yield from self._off(fact, spreads[fact.key][0].median)
            elif kind is OddKind.SPLIT:
                yield from self._split(fact)
            elif kind is not None:
                yield from self._values(fact, kind)
            yield from self._missing(fact)

    def _is_number(self, fact: Fact) -> bool:
        return fact.numeric and fact.kinds > 1 and fact.present > self._sizes[fact.group] * MAJORITY

    def _asked(self, fact: Fact, numbers: tuple[Spread, bool] | None) -> OddKind | None:
        """Return in what way a fact may be odd, and note what must be looked up for that."""
        size = self._sizes[fact.group]
        absent = size - fact.present
        kind: OddKind | None
        if numbers is not None:
            kind = self._number(fact, *numbers)
        elif absent >= size * MAJORITY:
            kind = None if fact.path.endswith(".state") else OddKind.EXTRA
        elif fact.top >= size * MAJORITY:
            kind = OddKind.DIFFERS
        else:
            split = fact.kinds <= SIDES and fact.top + absent < size * MAJORITY
            kind = OddKind.SPLIT if split else None
        lacked = absent and not (fact.own or fact.path.endswith(".state"))
        if lacked and (numbers or kind is OddKind.DIFFERS):
            self._wanted.lacking[fact.key] = fact.section, fact.common
        if kind in (OddKind.EXTRA, OddKind.DIFFERS) and fact.kinds > max(SIDES, size * VARIED):
            return None
        if kind not in (OddKind.OFF, None):
            self._wanted.values[fact.key] = fact.common if kind is OddKind.DIFFERS else None
        return kind

    def _number(self, fact: Fact, numbers: Spread, whole: bool) -> OddKind:
        measured = not whole or abs(numbers.median) >= LARGE
        if not measured and fact.top >= self._sizes[fact.group] * MAJORITY:
            return OddKind.DIFFERS
        distance = numbers.far(FLOOR * abs(numbers.median) if measured else 0.0)
        self._wanted.off[fact.key] = numbers.median, distance
        return OddKind.OFF

    def _values(self, fact: Fact, kind: OddKind) -> Iterator[Odd]:
        size = self._sizes[fact.group]
        texts = self._found.texts[fact.key]
        common = told(texts[fact.common]) if kind is OddKind.DIFFERS else None
        share = (fact.top if common is not None else size - fact.present) / size
        for value, nodes in self._found.values.get(fact.key, {}).items():
            yield fact.group, nodes, _odd(fact, kind, told(texts[value]), common, share)

    def _missing(self, fact: Fact) -> Iterator[Odd]:
        # Where the whole section could not be read, its state says so, once.
        if nodes := self._found.lacking.get(fact.key):
            common = told(self._found.texts.get(fact.key, {}).get(fact.common))
            share = fact.present / self._sizes[fact.group]
            yield fact.group, nodes, _odd(fact, OddKind.MISSING, None, common, share)

    def _split(self, fact: Fact) -> Iterator[Odd]:
        texts = self._found.texts[fact.key]
        sides = [(nodes, texts[value]) for value, nodes in self._found.values[fact.key].items()]
        (_, common), *others = sorted(sides, key=lambda side: (-len(side[0]), side[1]))
        for nodes, value in others:
            share = fact.top / self._sizes[fact.group]
            yield fact.group, nodes, _odd(fact, OddKind.SPLIT, told(value), told(common), share)

    def _off(self, fact: Fact, middle: float) -> Iterator[Odd]:
        size = self._sizes[fact.group]
        rows = self._found.off.get(fact.key, [])
        # A spread with two humps has no middle from which to be far.
        if rows and len(rows) <= size * (1 - MAJORITY):
            near = 1 - len(rows) / size
            for value, names in _by_value(rows, middle).items():
                odd = _odd(fact, OddKind.OFF, value, f"{middle:g}", near)
                yield fact.group, tuple(sorted(names)), odd


def _odd(fact: Fact, kind: OddKind, value: str | None, common: str | None, share: float) -> OddFact:
    return OddFact(
        path=fact.path, place=fact.place, kind=kind, value=value, common=common, share=round(share, 4)
    )


def _by_value(rows: Sequence[tuple[str, float]], middle: float) -> dict[str, list[str]]:
    """Return the nodes on each side of the median, by the value that is furthest off."""
    found: dict[str, list[str]] = {}
    for low in (True, False):
        side = [(value, node) for node, value in rows if (value < middle) == low]
        if side:
            worst = (min if low else max)(value for value, _ in side)
            found[f"{worst:g}"] = [node for _, node in side]
    return found


def told(value: str | None) -> str | None:
    """Return the values of all devices of a node in short: ``16 × 7, 8``."""
    if value is None:
        return None
    counts = Counter(value.split("\x1f"))
    return ", ".join(one if count == 1 else f"{one} × {count}" for one, count in counts.most_common())
