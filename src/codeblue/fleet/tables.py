"""Runs as tables: ``runs``, ``nodes``, ``findings`` and ``facts``, for questions in SQL.

Facts are taken out of the sections once and kept beside them, content by content: ``facts/F.parquet`` for a
file of contents F, ``RUN/links-N.parquet`` and ``RUN/own-N.parquet`` for a file of nodes.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from codeblue.fleet.database import cursor, errors, fresh
from codeblue.fleet.files import unusable
from codeblue.fleet.paths import named
from codeblue.fleet.store import SECTIONS, Store, quoted
from codeblue.fleet.verdicts import verdicts
from codeblue.model.fleet import Judged, Run
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

FILES = "files_of_tables"
"""The table of the files that the others are read from, with the kinds of what they hold."""
FACTS = "facts"
"""The folder of facts by content."""
PARTS = 8
TREE = """
    {into}
    select s.* exclude (body), t.fullkey, t.type,
      case when t.type = 'ARRAY' then t.value else t.atom end as json
    from (select * from ({source}) where hash(body) % {parts} = {part}) s, json_tree(s.body) t
    -- a part at a time: the trees of thousands of sections do not fit into memory together
    where t.type <> 'OBJECT' and t.fullkey not like '%]'
      and not (t.type = 'ARRAY' and t.value like '[{{%')
      and not regexp_matches(t.fullkey, '^\\$\\.(source|sources|seconds)(\\.|$)')
"""
"""Every fact is a row; a list of plain values is one fact, one of tables is a fact an item's field."""
ROWS = """
    select {keys}, n.path, n.place, json_extract_string(t.json, '$') as value,
      case when t.type in ('UBIGINT', 'BIGINT', 'DOUBLE') then try_cast(t.json as double) end as number
    from tree t join names n using (section, fullkey)
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
        found: list[str] = []
        earlier: list[str] = []
        for name in self._store.sections():
            kept = name.replace(f"{SECTIONS}/", f"{FACTS}/", 1)
            if kept not in there:
                source = "select hash, name as section, body from read_parquet($1)"
                if earlier:  # two collectors may have kept the same
                    source += f" where hash not in (select hash from read_parquet({listed(earlier)}))"  # noqa: S608 - our own files
                self._make(kept, source, name, "t.hash")
            found.append(kept)
            earlier.append(self._files.url(name))
        return found

    def links(self, parts: Sequence[str]) -> list[str]:
        """Return the files that say which node has which contents."""
        query = (
            "select '{run}' as run, '{part}' as part, n.name as node, e.key as section, "
            "json_extract_string(e.value, '$') as hash from read_parquet($1) n, json_each(n.sections) e"
        )
        return [self._beside(part, "links", query) for part in parts]

    def own(self, parts: Sequence[str]) -> list[str]:
        """Return the files of the facts that no two nodes share."""
        query = (
            "select '{run}' as run, '{part}' as part, n.name as node, e.key as section, e.value as body "
            "from read_parquet($1) n, json_each(n.own) e"
        )
        return [self._beside(part, "own", query) for part in parts]

    def _beside(self, part: str, kind: str, query: str) -> str:
        name = part.replace("/nodes-", f"/{kind}-")
        if name not in self._files.names(name):
            source = query.format(run=quoted(part.partition("/")[0]), part=quoted(part))
            if kind == "own":
                self._make(name, source, part, "t.run, t.part, t.node, t.section")
            else:
                self._copy(name, source, part)
        return name

    def _make(self, name: str, source: str, file: str, keys: str) -> None:
        try:
            for part in range(PARTS):
                into = "insert into tree" if part else "create or replace temp table tree as"
                query = TREE.format(into=into, source=source, parts=PARTS, part=part)
                self._database.execute(query, [[self._files.url(file)]])
        except errors() as error:
            raise Unusable(unusable(self._files.root, "read", error)) from None
        keyed = self._database.execute("select distinct section, fullkey from tree").fetchall()
        rows = [(section, fullkey, *named(section, fullkey)) for section, fullkey in keyed]
        fill(self._database, "names", "section varchar, fullkey varchar, path varchar, place varchar", rows)
        self._copy(name, ROWS.format(keys=keys))
        self._database.execute("drop table tree")

    def _copy(self, name: str, query: str, *files: str) -> None:
        try:
            with self._files.writing(name) as path:
                self._database.execute(
                    f"copy ({query}) to '{quoted(path)}' (format parquet, compression zstd)",
                    [[self._files.url(file) for file in files]] if files else [],
                )
        except errors() as error:
            raise Unusable(unusable(self._files.root, "write", error)) from None


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
    """Make a table of these rows, column by column: row by row takes a hundred times as long."""
    database.execute(f"create or replace temp table {name} ({columns})")
    if rows:
        fields = ", ".join(f"unnest(${place})" for place in range(1, len(rows[0]) + 1))
        database.execute(f"insert into {name} select {fields}", [list(c) for c in zip(*rows, strict=True)])


def listed(files: Iterable[str]) -> str:
    """Return the files as a list in SQL."""
    return "[" + ", ".join(f"'{quoted(file)}'" for file in files) + "]"
