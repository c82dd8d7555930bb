"""Runs on disk: Parquet files that DuckDB writes and reads, sections kept once by their content.

``RUN/run.json`` says what was asked; ``RUN/nodes-N.parquet`` has a row a node, whose sections are names and
hashes; ``sections/S-N.parquet`` beside all runs has each content once. A batch is written beside its place
and renamed, so that a run which was killed can be read and gone on with.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import MsgspecError, Struct, json

from codeblue.model.fleet import NodeState, Reply, Run
from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

HASH = 16
"""Bytes of a section's hash."""
BATCH = 500
"""Nodes of one file."""
UNSTABLE = ("seconds",)
"""Fields that say how long reading took, not what was read."""


class Node(Struct, frozen=True, kw_only=True):
    """One node of a run as it is kept."""

    name: str
    group: str
    state: NodeState
    why: str
    seconds: float
    header: dict[str, Any]
    """The probe's answer without its sections."""
    sections: dict[str, str]
    """Name to hash."""


class Store:
    """All runs below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: set[str] | None = None

    def begin(self, run: Run) -> None:
        """Make the folder of a run. Raises OSError."""
        folder = self.folder / run.id
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.folder / "sections").mkdir(exist_ok=True, mode=0o700)
        (folder / "run.json").write_bytes(json.format(json.encode(run), indent=1))

    def runs(self) -> list[str]:
        """Return the ids of all runs, the oldest first."""
        return sorted(path.parent.name for path in self.folder.glob("*/run.json"))

    def run(self, name: str) -> Run:
        """Return a run by its id, the beginning of it, or ``last``. Raises Unusable."""
        runs = self.runs()
        found = runs[-1:] if name == "last" else [run for run in runs if run.startswith(name)]
        if len(found) != 1:
            raise Unusable(
                message(
                    "{name}: there is no such run, or more than one, below {folder}; runs: {runs}",
                    "{name}：{folder} 下没有这个运行，或不止一个；现有：{runs}",
                    name=name,
                    folder=self.folder,
                    runs=", ".join(runs[-5:]) or "-",
                )
            )
        try:
            return json.decode((self.folder / found[0] / "run.json").read_bytes(), type=Run)
        except (OSError, MsgspecError) as error:
            raise Unusable(
                message("{run}: cannot be read: {why}", "{run}：无法读取：{why}", run=found[0], why=error)
            ) from None

    def add(self, run: Run, replies: Iterable[Reply]) -> Iterator[Reply]:
        """Keep replies in batches, and hand each on once it is kept. Raises OSError."""
        batch: list[Reply] = []
        try:
            for reply in replies:
                batch.append(reply)
                if len(batch) >= BATCH:
                    self._write(run, batch)
                    yield from batch
                    batch = []
        finally:
            if batch:
                self._write(run, batch)
        yield from batch

    def nodes(self, run: Run) -> Iterator[Node]:
        """Yield the nodes of a run; of one that was asked twice the last reply."""
        files = self._files(run)
        if not files:
            return
        rows = _connection().execute(
            "select name, grp, state, why, seconds, header, sections from read_parquet($1, filename=true) "
            "qualify row_number() over (partition by name order by filename desc) = 1 order by name",
            [files],
        )
        while rows_now := rows.fetchmany(BATCH):
            for name, group, state, why, seconds, header, sections in rows_now:
                yield Node(
                    name=name,
                    group=group,
                    state=NodeState(state),
                    why=why,
                    seconds=seconds,
                    header=json.decode(header),
                    sections=json.decode(sections),
                )

    def contents(self, hashes: Sequence[str]) -> dict[str, bytes]:
        """Return the contents of sections, JSON, by hash."""
        files = [str(path) for path in sorted((self.folder / "sections").glob("*.parquet"))]
        if not files or not hashes:
            return {}
        rows = _connection().execute(
            "select hash, body from read_parquet($1) where hash in (select unnest($2))", [files, list(hashes)]
        )
        return {name: body.encode() for name, body in rows.fetchall()}

    def _files(self, run: Run) -> list[str]:
        return [str(path) for path in sorted((self.folder / run.id).glob("nodes-*.parquet"))]

    def _write(self, run: Run, replies: Sequence[Reply]) -> None:
        new: dict[str, tuple[str, str]] = {}
        rows = [_row(reply, new, self._hashes()) for reply in replies]
        number = len(self._files(run))
        if new:
            columns = [list(new), [name for name, _ in new.values()], [body for _, body in new.values()]]
            _save(
                self.folder / "sections" / f"{run.id}-{number:05}.parquet", ("hash", "name", "body"), columns
            )
            self._hashes().update(new)
        names = ("name", "grp", "state", "why", "seconds", "header", "sections")
        _save(self.folder / run.id / f"nodes-{number:05}.parquet", names, list(zip(*rows, strict=True)))

    def _hashes(self) -> set[str]:
        if self._known is None:
            files = [str(path) for path in (self.folder / "sections").glob("*.parquet")]
            query = "select distinct hash from read_parquet($1)"
            self._known = (
                {row[0] for row in _connection().execute(query, [files]).fetchall()} if files else set()
            )
        return self._known


def _row(reply: Reply, new: dict[str, tuple[str, str]], known: set[str]) -> tuple[Any, ...]:
    header: dict[str, Any] = {}
    hashes: dict[str, str] = {}
    if reply.document is not None:
        try:
            header = json.decode(reply.document, type=dict[str, Any])
            if header.get("part") == "error":
                return _failed(reply, str(header.get("reason")))
            for name, section in header.pop("sections").items():
                body = json.encode({key: section[key] for key in sorted(section) if key not in UNSTABLE})
                digest = hashlib.blake2b(body, digest_size=HASH).hexdigest()
                hashes[name] = digest
                if digest not in known:
                    new[digest] = (name, body.decode())
        except (MsgspecError, KeyError, TypeError, AttributeError) as error:
            return _failed(reply, f"unexpected answer: {type(error).__name__}: {error}")
    texts = (json.encode(header).decode(), json.encode(hashes).decode())
    return (reply.node, reply.group, reply.state.value, reply.why, reply.seconds, *texts)


def _failed(reply: Reply, why: str) -> tuple[Any, ...]:
    return (reply.node, reply.group, NodeState.UNUSABLE.value, why[:500], reply.seconds, "{}", "{}")


def _save(path: Path, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> None:
    """Write columns to a Parquet file, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    connection = _connection()
    fields = ", ".join(f"unnest(${place}) as {name}" for place, name in enumerate(names, 1))
    connection.execute(f"create table rows as select {fields}", [list(column) for column in columns])
    connection.execute(f"copy rows to '{_quoted(temporary)}' (format parquet, compression zstd)")
    temporary.replace(path)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _connection() -> "duckdb.DuckDBPyConnection":
    """Return a database of its own in memory. Raises Unusable where DuckDB is not installed."""
    try:
        import duckdb
    except ImportError:
        raise Unusable(
            message(
                "fleet needs DuckDB: pip install 'codeblue[fleet]'",
                "fleet 需要 DuckDB：pip install 'codeblue[fleet]'",
            )
        ) from None
    return duckdb.connect(":memory:")
