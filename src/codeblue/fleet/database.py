"""One DuckDB of this process, in memory: it reads and writes the Parquet files of a store."""

import atexit
import os
import shutil
import tempfile
from functools import cache
from typing import TYPE_CHECKING

from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    import duckdb

MEMORY = "512MB"
"""What a question may use; beyond it DuckDB says so, unless it was given a folder for the rest."""
THREADS = 2


def cursor() -> "duckdb.DuckDBPyConnection":
    """Return a connection of its own to the database. Raises Unusable where DuckDB is not installed."""
    return _database().cursor()


def fresh() -> "duckdb.DuckDBPyConnection":
    """Return a database that shares nothing with others. Raises Unusable where DuckDB is not installed."""
    try:
        import duckdb
    except ImportError:
        raise Unusable(
            message(
                "fleet needs DuckDB: pip install 'codeblue[fleet]'",
                "fleet 需要 DuckDB：pip install 'codeblue[fleet]'",
            )
        ) from None
    made = duckdb.connect(":memory:")
    made.execute(f"set memory_limit = '{MEMORY}'; set threads = {THREADS}; set temp_directory = ''")
    return made


def make_room(database: "duckdb.DuckDBPyConnection", folder: str | None) -> None:
    """Let a database write aside what does not fit into memory: DuckDB's own folder, which goes with it.

    It is made in ``folder`` where that can be written, else in the system's place for such.
    """
    if folder is None or not os.access(folder, os.W_OK):
        folder = tempfile.mkdtemp(prefix="codeblue-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    place = os.path.join(folder, f".aside-{os.urandom(4).hex()}").replace("'", "''")
    database.execute(f"set temp_directory = '{place}'")


def errors() -> tuple[type[Exception], ...]:
    """Return what reading and writing Parquet files raises, for ``except``."""
    import duckdb

    return (duckdb.Error, OSError)


def no_memory() -> type[Exception]:
    """Return what a question raises that needs more than it may use, for ``except``."""
    import duckdb

    return duckdb.OutOfMemoryException


@cache
def _database() -> "duckdb.DuckDBPyConnection":
    made = fresh()
    made.execute("set preserve_insertion_order = false")  # it would hold whole files in memory
    # Its threads must have ended before the interpreter does: one of them may want it for a last time.
    atexit.register(made.close)
    return made
