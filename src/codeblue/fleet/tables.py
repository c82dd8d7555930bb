"""Runs as tables: ``runs``, ``nodes``, ``findings`` and ``facts``, for questions in SQL.

Facts are taken out of the sections once and kept beside them, content by content: ``facts/F.parquet`` for a
file of contents F, ``RUN/links-N.parquet`` and ``RUN/own-N.parquet`` for a file of nodes.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import json

from codeblue.fleet.database import cursor, errors, fresh
from codeblue.fleet.files import unusable
from codeblue.fleet.paths import Place, facts, place_of
from codeblue.fleet.store import BATCH, SECTIONS, Store, quoted
from codeblue.fleet.verdicts import verdicts
from codeblue.model.fleet import Judged, Run
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

FILES = "files_of_tables"
"""The table of the files that the others are read from, with the kinds of what they hold."""
FACTS = "facts"
"""The folder of facts by content."""
FLAT = "flat_content integer, flat_place integer, value varchar, number double"
AT_ONCE = 50_000
"""Facts that are handed to the database together."""
ROWS = """
    select k.* exclude (flat_content), p.path, p.place, f.value, f.number
    from flat f join contents_of_flat k using (flat_content) join places_of_flat p using (flat_place)
"""
TWICE = """
    select hash, list(filename) from read_parquet($1, filename = true) semi join (
      select hash from read_parquet($1) group by hash having count(*) > 1) using (hash)
    group by hash
"""
VIEWS = """
    create view facts as
      select l.run, l.node, l.section, c.path, c.place, c.value, c.number
      from (select l.* from links l semi join latest using (run, node, part)) l join contents c using (hash)
      union all
      select o.run, o.node, o.section, o.path, o.place, o.value, o.number
      from own o semi join latest using (run, node, part)
"""
EMPTY = {
    "contents": "hash varchar, path varchar, place varchar, value varchar, number double",
    "links": "run varchar, part varchar, node varchar, section varchar, hash varchar",
    "own": "run varchar, part varchar, node varchar, section varchar, path varchar, place varchar, "
    "value varchar, number double",
}
RUNS = (
    "run varchar, time varchar, engine varchar, asked varchar, nodes bigint, codeblue varchar, data varchar"
)
NODES = (
    "run varchar, node varchar, grp varchar, state varchar, why varchar, verdict varchar, host varchar, "
    "seconds double"
)
FINDINGS = (
    "run varchar, node varchar, fault varchar, subject varchar, layer varchar, kind varchar, "
    "certainty varchar, role varchar, summary varchar"
)


def tables(
    store: Store, runs: Sequence[Run], judged: Sequence[tuple[Run, Sequence[Judged]]] | None = None
) -> "duckdb.DuckDBPyConnection":
    """Return a database with the tables of these runs; ``judged`` gives verdicts and findings.

    Raises Unusable.
    """
    built = _Built(store)
    files: dict[str, list[str]] = {"contents": built.contents(), "links": [], "own": []}
    latest: list[tuple[str, str, str]] = []
    for run in runs:
        parts = store.batches(run)
        files["links"] += built.links(parts)
        files["own"] += built.own(parts)
        latest += [(run.id, node, part) for node, part in store.latest(run).items()]
    database = fresh()
    store.files.teach(database)
    for name, columns in EMPTY.items():
        _view(database, name, columns, [store.files.url(one) for one in files[name]])
    fill(database, "latest", "run varchar, node varchar, part varchar", latest)
    fill(database, "runs", RUNS, [_of_run(run) for run in runs])
    told = [verdicts(run, nodes) for run, nodes in judged or [(run, _replies(store, run)) for run in runs]]
    fill(database, "nodes", NODES, [row for nodes, _ in told for row in nodes])
    fill(database, "findings", FINDINGS, [row for _, findings in told for row in findings])
    urls = [(kind, store.files.url(one)) for kind, part in files.items() for one in part]
    fill(database, FILES, "kind varchar, file varchar", urls)
    database.execute(VIEWS)
    return database


def _replies(store: Store, run: Run) -> list[Judged]:
    """Return the nodes of a run that nobody has judged."""
    return [
        Judged(
            node=n.name, group=n.group, state=n.state, why=n.why, verdict="", host=n.host, seconds=n.seconds
        )
        for n in store.nodes(run)
    ]


class _Built:
    """Tables of facts beside the files that they are taken from, each made once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files = store.files
        self._database = cursor()
        store.files.teach(self._database)

    def contents(self) -> list[str]:
        """Return the files of facts by content."""
        there = set(self._files.names(f"{FACTS}/*.parquet"))
        made = {name: name.replace(f"{SECTIONS}/", f"{FACTS}/", 1) for name in self._store.sections()}
        new = [name for name, kept in made.items() if kept not in there]
        twice = self._twice(made, new) if new else {}
        for name in new:
            url = self._files.url(name)
            rows = self._read("select hash, name, body from read_parquet($1)", [[url]])
            mine = ((one, body) for one, body in _keyed(rows) if twice.get(one[0], url) == url)
            self._flat(made[name], "hash varchar", mine)
        return list(made.values())

    def _twice(self, made: Mapping[str, str], new: Collection[str]) -> dict[str, str]:
        """Return for contents that two collectors have kept in which file they count."""
        files = {self._files.url(name): name in new for name in made}
        rows = self._read(TWICE, [list(files)])
        return {digest: min(names, key=lambda name: (files[name], name)) for digest, names in rows}

    def links(self, parts: Sequence[str]) -> list[str]:
        """Return the files that say which node has which contents."""
        query = (
            "select '{run}' as run, '{part}' as part, n.name as node, e.key as section, "
            "json_extract_string(e.value, '$') as hash from read_parquet($1) n, json_each(n.sections) e"
        )
        names = [(part, part.replace("/nodes-", "/links-")) for part in parts]
        for part, name in self._missing(names):
            self._copy(name, query.format(run=quoted(part.partition("/")[0]), part=quoted(part)), part)
        return [name for _, name in names]

    def own(self, parts: Sequence[str]) -> list[str]:
        """Return the files of the facts that are each node's own."""
        names = [(part, part.replace("/nodes-", "/own-")) for part in parts]
        for part, name in self._missing(names):
            run = part.partition("/")[0]
            rows = self._read("select name, own from read_parquet($1)", [[self._files.url(part)]])
            mine = (
                ((run, part, node, section, section), facts)
                for node, own in rows
                for section, facts in json.decode(own, type=dict[str, dict[str, Any]]).items()
            )
            self._flat(name, "run varchar, part varchar, node varchar, section varchar", mine)
        return [name for _, name in names]

    def _missing(self, names: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        there = {name for folder in {_folder(one) for _, one in names} for name in self._files.names(folder)}
        return [one for one in names if one[1] not in there]

    def _read(self, query: str, parameters: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        database, failures = cursor(), errors()
        self._files.teach(database)
        try:
            database.execute(query, parameters)
            while rows := database.fetchmany(BATCH):
                yield from rows
        except failures as error:
            raise Unusable(unusable(self._files.root, "read", error)) from None

    def _flat(
        self, name: str, columns: str, contents: Iterable[tuple[tuple[str, ...], dict[str, Any]]]
    ) -> None:
        """Write the facts of contents to a file; the last of the words before each is its section."""
        fill(self._database, "flat", FLAT, ())
        keys: list[tuple[Any, ...]] = []
        sections: dict[str, Place] = {}
        places: dict[Place, int] = {}
        rows: list[tuple[Any, ...]] = []
        for (*key, section), content in contents:
            start = sections.get(section) or sections.setdefault(section, place_of(section))
            number = len(keys)
            keys.append((number, *key))
            for place, value, measured in facts(content, start):
                rows.append((number, places.setdefault(place, len(places)), value, measured))
            if len(rows) > AT_ONCE:
                insert(self._database, "flat", FLAT, rows)
                rows = []
        insert(self._database, "flat", FLAT, rows)
        told = [(number, place.path, place.place) for place, number in places.items()]
        fill(self._database, "contents_of_flat", f"flat_content integer, {columns}", keys)
        fill(self._database, "places_of_flat", "flat_place integer, path varchar, place varchar", told)
        self._copy(name, ROWS)
        self._database.execute("drop table flat")

    def _copy(self, name: str, query: str, *files: str) -> None:
        try:
            with self._files.writing(name) as path:
                self._database.execute(
                    f"copy ({query}) to '{quoted(path)}' (format parquet, compression zstd)",
                    [[self._files.url(file) for file in files]] if files else [],
                )
        except errors() as error:
            raise Unusable(unusable(self._files.root, "write", error)) from None


def _keyed(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    for digest, section, body in rows:
        yield (digest, section), json.decode(body)


def _folder(name: str) -> str:
    """Return the pattern of all files like this one."""
    folder, _, file = name.partition("/")
    return f"{folder}/{file.partition('-')[0]}-*.parquet"


def _of_run(run: Run) -> tuple[str | int, ...]:
    time = f"{run.id[:4]}-{run.id[4:6]}-{run.id[6:11]}:{run.id[11:13]}:{run.id[13:15]}Z"
    return (run.id, time, run.engine, " ".join(run.asked), len(run.nodes), run.codeblue, run.data)


def _view(database: "duckdb.DuckDBPyConnection", name: str, columns: str, files: Sequence[str]) -> None:
    if files:
        database.execute(f"create view {name} as select * from read_parquet({listed(files)})")  # noqa: S608 - our own files
    else:
        database.execute(f"create table {name} ({columns})")


def fill(
    database: "duckdb.DuckDBPyConnection", name: str, columns: str, rows: Sequence[Sequence[object]]
) -> None:
    """Make a table of these rows."""
    database.execute(f"create or replace temp table {name} ({columns})")
    insert(database, name, columns, rows)


def insert(
    database: "duckdb.DuckDBPyConnection", name: str, columns: str, rows: Sequence[Sequence[object]]
) -> None:
    """Put rows into a table, each column as a text of JSON: four times as fast as lists."""
    if rows:
        kinds = [column.split()[1].upper() for column in columns.split(", ")]
        fields = [f"unnest(from_json(${n}, '[\"{kind}\"]'))" for n, kind in enumerate(kinds, 1)]
        texts = [json.encode(column).decode() for column in zip(*rows, strict=True)]
        database.execute(f"insert into {name} select {', '.join(fields)}", texts)


def listed(files: Iterable[str]) -> str:
    """Return the files as a list in SQL."""
    return "[" + ", ".join(f"'{quoted(file)}'" for file in files) + "]"
