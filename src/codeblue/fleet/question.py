"""One question in SQL: it reads the tables and nothing else, in bounded memory and time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from codeblue.fleet.database import errors
from codeblue.fleet.store import BATCH, Store
from codeblue.fleet.tables import FILES, listed
from codeblue.model.text import Message, message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb


GRACE = 10.0
"""Seconds for which DuckDB may go on after it was told to stop: within one step it does not listen."""
GAVE_UP = b"codeblue: SQL: no answer in time, and DuckDB does not stop; ended\n"


def _give_up() -> None:
    """End the process: nothing else ends a step of DuckDB."""
    os.write(2, GAVE_UP)
    os._exit(2)


class Answer(Struct, frozen=True):
    """What came back, row by row."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def ask(store: Store, database: "duckdb.DuckDBPyConnection", sql: str, seconds: float) -> Iterator[Answer]:
    """Give the answer to one SELECT. Raises Unusable with one line, also while rows are fetched."""
    late = False

    def stop() -> None:
        nonlocal late
        late = True
        database.interrupt()

    timer = Timer(seconds, stop)
    last = Timer(seconds + GRACE, _give_up)
    for one in (timer, last):
        one.daemon = True
        one.start()
    try:
        _lock(store, database)
        _only_asks(database, sql)
        database.execute(sql)
        yield Answer([column[0] for column in database.description or ()], _rows(database))
    except errors() as error:
        if late:
            raise Unusable(message("no answer within {s} s", "{s} 秒内没有结果", s=f"{seconds:g}")) from None
        raise Unusable(_line(error)) from None
    finally:
        for one in (timer, last):
            one.cancel()
            one.join()
        database.close()


def _rows(database: "duckdb.DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    while rows := database.fetchmany(BATCH):
        yield from rows


def _lock(store: Store, database: "duckdb.DuckDBPyConnection") -> None:
    """Shut all files away but those of the tables, for good."""
    files = [file for _, file in database.table(FILES).fetchall()]
    database.execute(f"set allowed_paths = {listed(files)}")
    database.execute("set enable_external_access = false")
    database.execute("set lock_configuration = true")


def _only_asks(database: "duckdb.DuckDBPyConnection", sql: str) -> None:
    import duckdb

    found = database.extract_statements(sql)
    kinds = [statement.type for statement in found]
    if kinds not in ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN]):
        raise Unusable(message("give one SELECT and nothing else", "请只给出一条 SELECT 语句"))


def _line(error: Exception) -> Message:
    """Return the complaint of DuckDB as one line, without the picture of the place."""
    words = str(error).partition("\n")[0]
    return message("SQL: {why}", "SQL：{why}", why=words)
