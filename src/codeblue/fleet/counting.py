"""The values of a run counted, fact by fact, in bounded memory.

Contents are looked through a part at a time, and of each part only numbers are kept: which fact, which value,
how many nodes. Who has an odd value is looked up once more when it is known which values are odd.
"""

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from codeblue.fleet.spread import Spread, spread
from codeblue.fleet.store import BATCH
from codeblue.fleet.tables import FILES, fill, listed
from codeblue.fleet.weights import compared
from codeblue.model.oddities import Peers

if TYPE_CHECKING:
    import duckdb

PART = 200_000
"""Facts that are looked at together."""
OWN = 1 << 40
"""Numbers of contents from here on stand for what is one node's own."""
ANY_DEVICE = r"\[(\d+|[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9a-fA-F])\]"
"""Keys that number devices: all devices of a node are one fact."""

HERE = """
    create or replace temp table here as
      select row_number() over () as id, * from (
        select g.g, l.section, l.hash, count(*) as n
        from links l semi join latest using (run, node, part) join peers g using (node) group by all)
"""
VARIED = """
    delete from here where id not in (
      select id from here semi join (
        select g, section from here join sizes using (g) group by g, section, size
        having count(*) > 1 or sum(n) < size) using (g, section))
"""
LINKS = """
    create or replace temp table links_here as
      select h.id, p.nid from links l semi join latest using (run, node, part) join peers p using (node)
      join here h on h.section = l.section and h.hash = l.hash and h.g = p.g
"""
CONTENTS = """
    select h.g, h.id, h.n, h.section, c.path, c.place, c.value, c.number
    from read_parquet({files}) c join here h using (hash) semi join places using (place)
    where hash(c.hash) % {parts} = {part}
"""
OWNED = """
    select p.g, {own} + p.nid as id, 1 as n, o.section, o.path, o.place, o.value, o.number
    from own o semi join latest using (run, node, part) join peers p using (node)
      semi join places using (place)
"""
FACTS = """
    select g, id, n, section, place, coalesce(value, 'null') as value, number,
      regexp_replace(path, '{device}', '[*]', 'g') as fact_path, hash(section, fact_path) as fact,
      fact_path <> path as device
    from ({rows})
"""
PART_OF = """
    create or replace temp table part as
      with facts as ({facts})
      select g, id, n, fact, section, fact_path as path, place, value, number is not null as numeric
      from facts {only} where not device
      union all
      select g, id, n, fact, section, fact_path, any_value(place),
        array_to_string(list_sort(list(value)), chr(31)), bool_and(number is not null)
      from facts {only} where device group by g, id, n, fact, section, fact_path
"""
COUNT = """
    insert into counts
      select g, fact, hash(value), sum(n), bool_and(numeric), bool_or(id >= {own})
      from part group by g, fact, hash(value)
"""
SUMS = """
    with counted as (
        select g, fact, value, sum(n) as n, bool_and(numeric) as numeric, bool_or(own) as own
        from counts group by g, fact, value),
      summed as (
        select g, fact, sum(n) as present, count(*) as kinds, max(n) as top, arg_max(value, n) as common,
          bool_and(numeric) as numeric, bool_or(own) as own
        from counted group by g, fact),
      named as (
        select fact, min(section) as section, min(path) as path, min(place) as place from names group by fact)
    select g, fact, section, path, place, present, kinds, top, common, numeric, own
    from summed join sizes using (g) join named using (fact) where kinds > 1 or present < size
    order by g, section, path
"""
DIGITS = """
    insert into digits select g, fact, number, sum(n) from ({facts}) semi join numeric using (g, fact)
    where number is not null group by g, fact, number
"""
HITS = """
    insert into hits select g, fact, hash(value), id from part join asked using (g, fact)
    where common is null or hash(value) <> common
"""
TEXTS = """
    insert into texts
      select g, fact, hash(value), any_value(value) from part semi join (
        select part.g, part.fact, value from part join asked using (g, fact)
        union all select g, fact, value from part join lacking using (g, fact) where hash(value) = most
      ) using (g, fact, value)
      group by g, fact, hash(value)
"""
HAVING_IT = "insert into having_it select g, fact, id from part semi join lacking using (g, fact)"
OFF = """
    insert into far select g, fact, id, arg_max(number, abs(number - middle))
    from ({facts}) join off using (g, fact) where abs(number - middle) > distance group by g, fact, id
"""
READABLE = """
    insert into readable select h.g, h.section, h.id
    from read_parquet({files}) c join here h using (hash)
    where c.path = h.section || '.state' and c.value = 'read'
"""
GONE = """
    select g, fact, id from lacking join readable using (g, section) anti join having_it using (g, fact, id)
    order by g, fact, id
"""
TABLES = {
    "counts": "g integer, fact ubigint, value ubigint, n bigint, numeric boolean, own boolean",
    "names": "fact ubigint, section varchar, path varchar, place varchar",
    "digits": "g integer, fact ubigint, number double, n bigint",
    "hits": "g integer, fact ubigint, value ubigint, id bigint",
    "texts": "g integer, fact ubigint, value ubigint, told varchar",
    "far": "g integer, fact ubigint, id bigint, number double",
    "having_it": "g integer, fact ubigint, id bigint",
    "readable": "g integer, section varchar, id bigint",
}

Key = tuple[int, int]
"""Group and number of a fact."""


class Fact(Struct, frozen=True):
    """What one group says of one fact."""

    group: int
    number: int
    section: str
    path: str
    place: str
    present: int
    """Nodes that have it."""
    kinds: int
    """Different values."""
    top: int
    """Nodes that have the most common value."""
    common: int
    """Number of that value."""
    numeric: bool
    own: bool
    """A fact of a node's own: that a node lacks it is not looked for."""

    @property
    def key(self) -> Key:
        """Group and number."""
        return self.group, self.number


class Wanted(Struct):
    """What is to be looked up: facts with their values, and facts that some nodes lack or are far off in."""

    values: dict[Key, int | None] = {}
    """The value that is left out, None for none."""
    lacking: dict[Key, tuple[str, int]] = {}
    """Their sections, and the value that most have."""
    off: dict[Key, tuple[float, float]] = {}
    """Middle, and the distance that is far."""


class Looked(Struct):
    """Who has what."""

    values: dict[Key, dict[int, tuple[str, ...]]] = {}
    """Nodes by number of the value."""
    texts: dict[Key, dict[int, str]] = {}
    lacking: dict[Key, tuple[str, ...]] = {}
    off: dict[Key, list[tuple[str, float]]] = {}
    """Node and the number that is furthest off."""


class Counting:
    """Counts the facts of groups of nodes."""

    def __init__(self, database: "duckdb.DuckDBPyConnection", groups: Sequence[Peers]) -> None:
        self._database = database
        self._names = [node for group in groups for node in group.nodes]
        self._nodes: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._links: dict[int, array[int]] = {}
        """Nodes by content, of those contents in which something is odd."""
        numbers = [number for number, group in enumerate(groups) for _ in group.nodes]
        rows = list(zip(self._names, range(len(numbers)), numbers, strict=True))
        fill(database, "peers", "node varchar, nid bigint, g integer", rows)
        fill(
            database,
            "sizes",
            "g integer, size integer",
            [(n, len(one.nodes)) for n, one in enumerate(groups)],
        )
        for query in (HERE, VARIED, LINKS):
            database.execute(query)
        every = "select distinct place from contents union select distinct place from own"
        places = [row[0] for row in database.execute(every).fetchall()]
        fill(database, "places", "place varchar", [(place,) for place in places if compared(place)])
        for name, columns in TABLES.items():
            fill(database, name, columns, ())

    def facts(self) -> list[Fact]:
        """Return the facts in which a group is not of one mind."""
        for rows in self._parts():
            self._part(rows)
            self._database.execute(COUNT.format(own=OWN))
            self._database.execute("insert into names select distinct fact, section, path, place from part")
        return [Fact(*row) for row in self._database.execute(SUMS).fetchall()]

    def spreads(self, facts: Iterable[Fact]) -> dict[Key, tuple[Spread, bool]]:
        """Return how the numbers of facts scatter, and whether they are whole."""
        keys = [fact.key for fact in facts]
        fill(self._database, "numeric", "g integer, fact ubigint", keys)
        for rows in self._parts() if keys else ():
            self._database.execute(DIGITS.format(facts=_facts(rows)))
        query = "select g, fact, number, sum(n) from digits group by g, fact, number order by g, fact, number"
        found: dict[Key, tuple[Spread, bool]] = {}
        for key, some in groupby(_rows(self._database.execute(query)), itemgetter(0, 1)):
            numbers = [(number, int(count)) for _, _, number, count in some]
            found[key] = spread(numbers), all(number.is_integer() for number, _ in numbers)
        return found

    def look(self, wanted: Wanted) -> Looked:
        """Return who has what."""
        asked = [(*key, common) for key, common in wanted.values.items()]
        lacking = [(*key, *told) for key, told in wanted.lacking.items()]
        fill(self._database, "asked", "g integer, fact ubigint, common ubigint", asked)
        fill(self._database, "lacking", "g integer, fact ubigint, section varchar, most ubigint", lacking)
        off = [(*key, *numbers) for key, numbers in wanted.off.items()]
        fill(self._database, "off", "g integer, fact ubigint, middle double, distance double", off)
        for rows in self._parts() if asked or lacking or off else ():
            self._look(rows)
        for files, _ in self._files() if lacking else ():
            self._database.execute(READABLE.format(files=listed(files)))
        self._links = self._linked()
        found = Looked(lacking={key: self._of(ids) for key, ids in _by(self._database.execute(GONE), 2)})
        hits = self._database.execute("select g, fact, value, id from hits order by all")
        for (group, fact, value), ids in _by(hits, 3):
            found.values.setdefault((group, fact), {})[value] = self._of(ids)
        for group, fact, value, told in _rows(
            self._database.execute("select g, fact, value, min(told) from texts group by g, fact, value")
        ):
            found.texts.setdefault((group, fact), {})[value] = told
        for group, fact, some, number in _rows(self._database.execute("select * from far order by all")):
            found.off.setdefault((group, fact), []).extend((node, number) for node in self._of((some,)))
        return found

    def _look(self, rows: str) -> None:
        only = "semi join (select g, fact from asked union all select g, fact from lacking) using (g, fact)"
        self._part(rows, only)
        for query in (HITS, TEXTS, HAVING_IT, OFF.format(facts=_facts(rows))):
            self._database.execute(query)

    def _part(self, rows: str, only: str = "") -> None:
        self._database.execute(PART_OF.format(facts=_facts(rows), only=only))

    def _parts(self) -> Iterator[str]:
        """Yield queries that together give all facts, each content whole."""
        for files, parts in self._files():
            for part in range(parts):
                yield CONTENTS.format(files=listed(files), parts=parts, part=part)
        yield OWNED.format(own=OWN)

    def _files(self) -> Iterator[tuple[list[str], int]]:
        """Yield files of facts that can be looked at together, and in how many parts."""
        query = f"select file from {FILES} where kind = 'contents'"  # noqa: S608 - our own table
        files = [row[0] for row in self._database.execute(query).fetchall()]
        together: list[str] = []
        facts = 0
        for file in files:
            count = self._rows_of(file)
            if together and facts + count > PART:
                yield together, -(-facts // PART) or 1
                together, facts = [], 0
            together.append(file)
            facts += count
        if together:
            yield together, -(-facts // PART) or 1

    def _rows_of(self, file: str) -> int:
        [(count,)] = self._database.execute("select count(*) from read_parquet($1)", [file]).fetchall()
        return int(count)

    def _of(self, contents: Sequence[int]) -> tuple[str, ...]:
        """Return the nodes that have one of these contents, by name."""
        key = tuple(contents)
        if key not in self._nodes:
            found = sorted(number for one in key for number in self._links.get(one, (one - OWN,)))
            self._nodes[key] = tuple(self._names[number] for number in found)
        return self._nodes[key]

    def _linked(self) -> "dict[int, array[int]]":
        query = (
            "select id, nid from links_here semi join (select id from hits union select id from far "
            "union select r.id from readable r semi join lacking using (g, section)) using (id)"
        )
        found: dict[int, array[int]] = {}
        for content, node in _rows(self._database.execute(query)):
            found.setdefault(content, array("I")).append(node)
        return found


def folder(database: "duckdb.DuckDBPyConnection") -> str | None:
    """Return the folder of the run, None if it is in no folder of this machine."""
    query = f"select file from {FILES} where kind = 'links' limit 1"  # noqa: S608 - our own table
    found = database.execute(query).fetchone()
    return os.path.dirname(found[0]) if found and os.path.isabs(found[0]) else None


def _facts(rows: str) -> str:
    return FACTS.format(rows=rows, device=ANY_DEVICE)


def _rows(answer: "duckdb.DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    while rows := answer.fetchmany(BATCH):
        yield from rows


def _by(answer: "duckdb.DuckDBPyConnection", key: int) -> Iterator[tuple[Any, list[int]]]:
    """Yield the last column of sorted rows, grouped by the first ones."""
    for found, rows in groupby(_rows(answer), itemgetter(*range(key))):
        yield found, [row[-1] for row in rows]
