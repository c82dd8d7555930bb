"""Who differs from the rest: values against the majority of a group, numbers against its median."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from codeblue.fleet.database import MEMORY, no_memory
from codeblue.fleet.peers import peers
from codeblue.fleet.tables import fill
from codeblue.fleet.weights import compared, weight
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
FAR = 5.0
"""Deviations from the median, in units of the scaled MAD (1.4826 MAD is one sigma of a normal spread)."""
SIGMA = 1.4826
FLOOR = 0.02
"""Part of the median within which no number is odd, however equal the others are."""
LARGE = 1e6
"""Whole numbers from here on are measured, such as bytes: the floor holds for them, not for small ones."""
ANY_DEVICE = r"\[(\d+|[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F])\]"
"""Keys that number devices: all devices of a node are one fact."""

HERE = """
    create or replace temp table here as
      select row_number() over () as id, * from (
        select g.g, l.section, l.hash, count(*) as n
        from links l semi join latest using (run, node, part) join peers g using (node) group by all)
"""
FACTS = """
    create or replace temp table seen as
      with varied as (
        select h.g, h.section from here h join sizes s using (g) group by h.g, h.section, s.size
        having count(distinct h.hash) > 1 or sum(h.n) < s.size)
      select h.g, h.id, h.n, h.section, regexp_replace(c.path, $1, '[*]', 'g') as path,
        any_value(c.place) as place,
        array_to_string(list_sort(list(coalesce(c.value, 'null'))), chr(31)) as value,
        list(c.number) as numbers, bool_and(c.number is not null) as numeric
      from here h semi join varied using (g, section) join contents c using (hash)
      semi join places p using (place)
      group by h.g, h.id, h.n, h.section, regexp_replace(c.path, $1, '[*]', 'g')
"""
VALUES = """
    create or replace temp table counted as
      select g, section, path, any_value(place) as place, value, sum(n) as n, list(id) as ids,
        bool_and(numeric) as numeric from seen group by g, section, path, value
"""
SUMS = """
    select g, section, path, any_value(place), sum(n), count(*), max(n), arg_max(value, n), bool_and(numeric)
    from counted group by g, section, path having count(*) > 1 or sum(n) < (select size from sizes s
      where s.g = counted.g)
"""
MIDDLE = """
    select median(x), mad(x), bool_or(x <> floor(x)) from (
      select unnest(s.numbers) as x from seen s join links_here l using (id) where s.g = $1 and s.path = $2)
"""
OFF = """
    select l.node, arg_max(x, abs(x - $3)) from (
      select id, unnest(numbers) as x from seen where g = $1 and path = $2) s join links_here l using (id)
    where abs(x - $3) > $4 and l.g = $1 group by l.node
"""


class _Fact(Struct, frozen=True):
    """What one group says of one fact."""

    group: int
    section: str
    path: str
    place: str
    present: int
    """Nodes that have it."""
    kinds: int
    """Different values."""
    top: int
    """Nodes that have the most common value."""
    common: str
    numeric: bool


Odd = tuple[int, tuple[str, ...], OddFact]
"""Group, nodes and fact."""


def oddities(database: "duckdb.DuckDBPyConnection", run: Run, nodes: Sequence[Judged]) -> Oddities:
    """Return who is odd in a run whose tables the database holds.

    Raises Unusable if its nodes have so little in common that the comparison does not fit into memory.
    """
    try:
        groups, alone = peers(database)
        found = list(_Search(database, groups).odd())
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
    for group, names, fact in found:
        there = sorted(set().union(*(faults.get(node, set()) for node in names)))
        if fact.kind is OddKind.SPLIT:
            there = []
        heavy, looking = weight(fact.path, fact.place, there)
        yield group, names, structs.replace(fact, weight=heavy, faults=looking)


class _Search:
    """Finds what is odd in the groups of one database."""

    def __init__(self, database: "duckdb.DuckDBPyConnection", groups: Sequence[Peers]) -> None:
        self._database = database
        self._groups = groups
        rows = [(node, number) for number, group in enumerate(groups) for node in group.nodes]
        fill(database, "peers", "node varchar, g integer", rows)
        fill(database, "sizes", "g integer, size integer", [(n, len(g.nodes)) for n, g in enumerate(groups)])

    def odd(self) -> Iterator[Odd]:
        """Yield every fact that is odd, with the nodes."""
        if not self._groups:
            return
        execute = self._database.execute
        execute(HERE)
        places = [row[0] for row in execute("select distinct place from contents").fetchall()]
        fill(self._database, "places", "place varchar", [(place,) for place in places if compared(place)])
        execute(FACTS, [ANY_DEVICE])
        execute(VALUES)
        execute(
            "create or replace temp table links_here as select h.id, h.g, l.node from links l "
            "semi join latest using (run, node, part) join peers p using (node) "
            "join here h on h.section = l.section and h.hash = l.hash and h.g = p.g"
        )
        for row in execute(SUMS).fetchall():
            yield from self._of(_Fact(*row))

    def _of(self, fact: _Fact) -> Iterator[Odd]:
        size = len(self._groups[fact.group].nodes)
        if fact.numeric and fact.kinds > 1 and fact.present > size * MAJORITY:
            yield from self._numbers(fact, size)
            if fact.present < size:
                yield from self._missing(fact, size)
            return
        absent = size - fact.present
        if absent >= size * MAJORITY:
            if not fact.path.endswith(".state"):
                yield from self._values(fact, None, absent / size)
        elif fact.top >= size * MAJORITY:
            yield from self._values(fact, fact.common, fact.top / size)
            yield from self._missing(fact, size)
        elif fact.kinds <= SIDES and fact.top + absent < size * MAJORITY:
            yield from self._split(fact, size)

    def _values(self, fact: _Fact, common: str | None, share: float) -> Iterator[Odd]:
        size = len(self._groups[fact.group].nodes)
        rows = self._database.execute(
            "select value, ids from counted where g = $1 and path = $2 and section = $3",
            [fact.group, fact.path, fact.section],
        ).fetchall()
        if len(rows) > max(SIDES, size * VARIED):
            return
        kind = OddKind.EXTRA if common is None else OddKind.DIFFERS
        for value, ids in rows:
            if value != common:
                odd = self._odd(fact, kind, told(value), told(common), share)
                yield fact.group, self._nodes(fact.group, ids), odd

    def _missing(self, fact: _Fact, size: int) -> Iterator[Odd]:
        if fact.present == size or fact.path.endswith(".state"):
            return
        # Where the whole section could not be read, its state says so, once.
        query = (
            "select node from links_here l where l.g = $1 and l.id in (select h.id from here h "
            "join contents c using (hash) where h.section = $2 and c.path = h.section || '.state' "
            "and c.value = 'read') "
            "and l.id not in (select id from seen where g = $1 and path = $3) and l.id in "
            "(select id from here where section = $2 and g = $1) order by node"
        )
        rows = self._database.execute(query, [fact.group, fact.section, fact.path]).fetchall()
        if rows:
            odd = self._odd(fact, OddKind.MISSING, None, told(fact.common), fact.present / size)
            yield fact.group, tuple(row[0] for row in rows), odd

    def _split(self, fact: _Fact, size: int) -> Iterator[Odd]:
        rows = self._database.execute(
            "select value, ids, n from counted where g = $1 and path = $2 and section = $3 "
            "order by n desc, value",
            [fact.group, fact.path, fact.section],
        ).fetchall()
        for value, ids, _ in rows[1:]:
            odd = self._odd(fact, OddKind.SPLIT, told(value), told(fact.common), fact.top / size)
            yield fact.group, self._nodes(fact.group, ids), odd

    def _numbers(self, fact: _Fact, size: int) -> Iterator[Odd]:
        asked = [fact.group, fact.path]
        middle, mad, broken = self._database.execute(MIDDLE, asked).fetchall()[0]
        measured = broken or abs(middle) >= LARGE
        if not measured and fact.top >= size * MAJORITY:
            yield from self._values(fact, fact.common, fact.top / size)
            return
        far = max(FAR * SIGMA * mad, FLOOR * abs(middle) if measured else 0.0)
        rows = self._database.execute(OFF, [*asked, middle, far]).fetchall()
        # A spread with two humps has no middle from which to be far.
        if rows and len(rows) <= size * (1 - MAJORITY):
            near = 1 - len(rows) / size
            for value, names in _by_value(rows, middle).items():
                odd = self._odd(fact, OddKind.OFF, value, f"{middle:g}", near)
                yield fact.group, tuple(sorted(names)), odd

    def _odd(
        self, fact: _Fact, kind: OddKind, value: str | None, common: str | None, share: float
    ) -> OddFact:
        return OddFact(
            path=fact.path, place=fact.place, kind=kind, value=value, common=common, share=round(share, 4)
        )

    def _nodes(self, group: int, ids: Sequence[int]) -> tuple[str, ...]:
        query = "select node from links_here where g = $1 and id in (select unnest($2)) order by node"
        return tuple(row[0] for row in self._database.execute(query, [group, list(ids)]).fetchall())


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
