"""Runs as Parquet files that DuckDB writes and reads, sections kept once by their content.

``RUN/run.json`` says what was asked; ``RUN/nodes-N.parquet`` has a row a node, whose sections are names and
hashes; ``sections/RUN-N.parquet`` beside all runs has each content once. A file appears whole or not at all,
contents before the rows that name them, so that a run which was killed can be read and gone on with.
Collectors at work on one store at the same time write files of different names.
"""

import os
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import MsgspecError, json

from codeblue.fleet.database import cursor, errors
from codeblue.fleet.files import Files, unusable
from codeblue.fleet.rows import COLUMNS, Node, from_row, to_row
from codeblue.model.fleet import Reply, Run
from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

BATCH = 500
"""Nodes of one file."""
AFTER = 30.0
"""Seconds after which fewer nodes are kept too: a collector that is killed loses no more."""
SECTIONS = "sections"
"""The folder of contents."""
READ = ", ".join(COLUMNS)


class Store:
    """All runs below one folder, or below the URL of an object store. Every method raises Unusable."""

    def __init__(self, root: str | Path) -> None:
        self.files = Files(root)
        self.damaged: dict[str, str] = {}
        """Files that cannot be read, and why; what they hold is missing from all answers."""
        self._known: set[str] | None = None
        self._good: set[str] = set()

    def begin(self, run: Run) -> None:
        """Make the folder of a run."""
        self.put(f"{run.id}/run.json", json.format(json.encode(run), indent=1))

    def put(self, name: str, content: bytes) -> None:
        """Write a file."""
        with self._writing():
            self.files.write(name, content)

    def runs(self) -> list[str]:
        """Return the ids of all runs, the oldest first."""
        return [name.partition("/")[0] for name in self.files.names("*/run.json")]

    def run(self, name: str) -> Run:
        """Return a run by its id, the beginning of it, or ``last``."""
        runs = self.runs()
        found = runs[-1:] if name == "last" else [run for run in runs if run.startswith(name)]
        if len(found) != 1:
            raise Unusable(
                message(
                    "{name}: there is no such run, or more than one, below {folder}; runs: {runs}",
                    "{name}：{folder} 下没有这个运行，或不止一个；现有：{runs}",
                    name=name,
                    folder=self.files.root,
                    runs=", ".join(runs[-5:]) or "-",
                )
            )
        try:
            return json.decode(self.files.read(f"{found[0]}/run.json"), type=Run)
        except MsgspecError as error:
            raise Unusable(
                message("{run}: cannot be read: {why}", "{run}：无法读取：{why}", run=found[0], why=error)
            ) from None

    def add(self, run: Run, replies: Iterable[Reply]) -> Iterator[Reply]:
        """Keep replies in batches, and hand each on once it is kept.

        An engine that fails loses nothing of what has come before.
        """
        batch: list[Reply] = []
        kept = time.monotonic()
        try:
            for reply in replies:
                batch.append(reply)
                if len(batch) >= BATCH or time.monotonic() - kept > AFTER:
                    full, batch = batch, []
                    self._keep(run, full)
                    kept = time.monotonic()
                    yield from full
        finally:
            if batch:
                self._keep(run, batch)
        yield from batch

    def batches(self, run: Run) -> list[str]:
        """Return the files of a run, the oldest first."""
        return self._readable(self.files.names(f"{run.id}/nodes-*.parquet"), READ)

    def nodes(self, run: Run) -> Iterator[Node]:
        """Yield the nodes of a run by name; of one that was asked twice the last reply."""
        if files := self._urls(self.batches(run)):
            rows = self._cursor().execute(
                f"select {READ} from read_parquet($1, filename=true) "  # noqa: S608 - names of our own columns
                "qualify row_number() over (partition by name order by filename desc) = 1 order by name",
                [files],
            )
            while some := rows.fetchmany(BATCH):
                yield from map(from_row, some)

    def answered(self, run: Run) -> int:
        """Return how many nodes of a run have given an answer."""
        if not (files := self._urls(self.batches(run))):
            return 0
        query = "select count(distinct name) from read_parquet($1) where state = 'answered'"
        [(count,)] = self._cursor().execute(query, [files]).fetchall()
        return int(count)

    def node(self, run: Run, name: str) -> Node | None:
        """Return the last reply of a node, None if the run has none."""
        if not (files := self._urls(self.batches(run))):
            return None
        query = (
            f"select {READ} from read_parquet($1, filename=true) where name = $2 "  # noqa: S608 - our own columns
            "order by filename desc limit 1"
        )
        row = self._cursor().execute(query, [files, name]).fetchone()
        return from_row(row) if row else None

    def batch(self, name: str) -> list[Node]:
        """Return the nodes of one file, also those that were asked again later."""
        query = f"select {READ} from read_parquet($1)"  # noqa: S608 - names of our own columns
        return [from_row(row) for row in self._cursor().execute(query, [self._urls([name])]).fetchall()]

    def latest(self, run: Run) -> dict[str, str]:
        """Return for every node of a run the file that holds its last reply."""
        names = self.batches(run)
        found: dict[str, str] = {}
        for name in names:
            rows = self._cursor().execute("select name from read_parquet($1)", [self._urls([name])])
            found.update(dict.fromkeys([row[0] for row in rows.fetchall()], name))
        return found

    def contents(self, hashes: Collection[str], near: str | None = None) -> dict[str, bytes]:
        """Return the contents of sections, JSON, by hash.

        ``near`` is a file of a run: what came first with its nodes is in one file of contents, read first.
        """
        every = self.sections()
        first = [name for name in every if near and name == f"{SECTIONS}/{near.replace('/nodes', '')}"]
        found = self._contents(hashes, first)
        left = [one for one in hashes if one not in found]
        return found | self._contents(left, [name for name in every if name not in first])

    def sections(self) -> list[str]:
        """Return the files of contents."""
        return self._readable(self.files.names(f"{SECTIONS}/*.parquet"))

    def _contents(self, hashes: Collection[str], names: Sequence[str]) -> dict[str, bytes]:
        if not names or not hashes:
            return {}
        query = "select hash, body from read_parquet($1) where hash in (select unnest($2))"
        try:
            rows = self._cursor().execute(query, [self._urls(names), list(hashes)]).fetchall()
        except errors():
            return self._contents(hashes, self._whole(names))
        return {name: body.encode() for name, body in rows}

    def _keep(self, run: Run, replies: Sequence[Reply]) -> None:
        new: dict[str, tuple[str, str]] = {}
        rows = [to_row(reply, new) for reply in replies]
        known = self._hashes()
        new = {digest: content for digest, content in new.items() if digest not in known}
        place = f"{len(self.files.names(f'{run.id}/nodes-*.parquet')):05}-{os.urandom(3).hex()}"
        if new:
            columns = [list(new), [name for name, _ in new.values()], [body for _, body in new.values()]]
            self.table(f"{SECTIONS}/{run.id}-{place}.parquet", ("hash", "name", "body"), columns)
        self.table(f"{run.id}/nodes-{place}.parquet", COLUMNS, list(zip(*rows, strict=True)))
        known.update(new)

    def table(self, name: str, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> None:
        """Write columns to a Parquet file."""
        fields = ", ".join(f"unnest(${place}) as {field}" for place, field in enumerate(names, 1))
        with self._writing(), self.files.writing(name) as path:
            self._cursor().execute(
                f"copy (select {fields}) to '{quoted(path)}' (format parquet, compression zstd)",
                [list(column) for column in columns],
            )

    def _hashes(self) -> set[str]:
        if self._known is None:
            files = self._urls(self.sections())
            query = "select distinct hash from read_parquet($1)"
            found = self._cursor().execute(query, [files]).fetchall() if files else []
            self._known = {row[0] for row in found}
        return self._known

    def _readable(self, names: Iterable[str], columns: str = "") -> list[str]:
        """Return the files that can be read; the others are noted as damaged.

        With ``columns`` their contents are read too; without, only that a file has its end is looked at.
        """
        for name in names:
            if name in self._good or name in self.damaged:
                continue
            try:
                # A sum of hashes: to count rows DuckDB reads no more than the end of the file.
                what = f"bit_xor(hash({columns}))" if columns else "count(*)"
                query = f"select {what} from read_parquet($1)"  # noqa: S608 - names of our own columns
                self._cursor().execute(query, [self._urls([name])]).fetchall()
                self._good.add(name)
            except errors() as error:
                self.damaged[name] = str(error).partition("\n")[0]
        return [name for name in names if name in self._good]

    def _whole(self, names: Sequence[str]) -> list[str]:
        """Return those of the files of contents that are whole. Raises Unusable if all are."""
        self._good.difference_update(names)
        left = self._readable(names, "hash, name, body")
        if len(left) == len(names):
            raise Unusable(message("{root}: cannot be read", "{root}：无法读取", root=self.files.root))
        return left

    def _urls(self, names: Iterable[str]) -> list[str]:
        return [self.files.url(name) for name in names]

    def _cursor(self) -> "duckdb.DuckDBPyConnection":
        database = cursor()
        self.files.teach(database)
        return database

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except errors() as error:
            raise Unusable(unusable(self.files.root, "write", error)) from None


def quoted(path: str) -> str:
    """Return the path as it stands between single quotes in SQL."""
    return path.replace("'", "''")
