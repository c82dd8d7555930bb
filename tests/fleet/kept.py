"""Runs of synthetic fleets, kept in a store."""

from pathlib import Path
from typing import Any

from benchmarks.synthetic import Change, Sections, replies, run_of
from codeblue.cli.fleet.judging import judged
from codeblue.cli.fleet.kept import opened
from codeblue.fleet.oddities import oddities
from codeblue.fleet.store import Store
from codeblue.model.fleet import Judged, Run
from codeblue.model.oddities import Oddities
from codeblue.sources.site import Loaded


def keep(store: Store, nodes: int, change: Change | None = None, name: str = "1", **how: Any) -> Run:
    """Keep a run over so many healthy nodes; ``change`` edits the sections of a node by its number."""
    run = run_of(nodes, f"20261201T000000-{name:>04}")
    store.begin(run)
    list(store.add(run, replies(run, faults=False, change=change, **how)))
    return run


def odd(folder: Path, nodes: int, change: Change | None = None) -> Oddities:
    """Return who is odd in such a run."""
    store = Store(folder)
    run = keep(store, nodes, change)
    database, [(_, found)] = opened(store, [run], Loaded())
    return oddities(database, run, found)


def verdicts(store: Store, run: Run) -> dict[str, Judged]:
    """Return the verdicts on a run by node."""
    return {node.node: node for node in judged(store, run, Loaded())}


def edit(sections: Sections, section: str, **fields: Any) -> None:
    """Put other facts into a section of one node."""
    sections[section] = {**sections[section], **fields}


def edit_row(sections: Sections, section: str, table: str, key: str, **fields: Any) -> None:
    """Put other facts into a row of a table."""
    rows = sections[section][table]
    edit(sections, section, **{table: {**rows, key: {**rows[key], **fields}}})
