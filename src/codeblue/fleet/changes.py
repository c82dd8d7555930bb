"""What changed from one run to another, and when one node did."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeblue.fleet.weights import weight
from codeblue.model.compared import volatile
from codeblue.model.fleet import Judged, Run
from codeblue.model.fleet_changes import FactChange, FaultChange, Moment, RunChanges, StateChange

if TYPE_CHECKING:
    import duckdb

BOOT = "host.boot_id"
STATE = "state"
"""Stands in a history for what became of the node."""
CHANGED = """
    with wanted as (select run, node, section, hash from links semi join latest using (run, node, part)),
      pairs as (
        select coalesce(a.node, b.node) as node, coalesce(a.section, b.section) as section,
          a.hash as old, b.hash as new
        from (select * from wanted where run = $1) a
        full join (select * from wanted where run = $2) b using (node, section)
        where a.hash is distinct from b.hash),
      both_asked as (
        select node from (select distinct run, node from wanted) group by node having count(*) = 2),
      owned as (
        select o.* from own o semi join latest using (run, node, part) where place in (select unnest($3))),
      sums as (select run, node, section, bit_xor(hash(path, value)) as sum from owned group by all),
      own_pairs as (
        select coalesce(a.node, b.node) as node, coalesce(a.section, b.section) as section
        from (select * from sums where run = $1) a full join (select * from sums where run = $2) b
        using (node, section) where a.sum is distinct from b.sum),
      own_changed as (select * from owned semi join own_pairs using (node, section)),
      before as (
        select p.node, c.path, c.place, c.value from pairs p join contents c on c.hash = p.old
        union all select node, path, place, value from own_changed where run = $1),
      after as (
        select p.node, c.path, c.place, c.value from pairs p join contents c on c.hash = p.new
        union all select node, path, place, value from own_changed where run = $2)
    select path, coalesce(any_value(x.place), any_value(y.place)), x.value, y.value, list(node order by node)
    from before x full join after y using (node, path)
    where node in (from both_asked) and x.value is distinct from y.value
    group by path, x.value, y.value
"""
OF_A_NODE = ("host.hostname", "environment.variables")
"""Facts of a node's own that say who it is, no state of it."""
BOOTED = """
    select a.node from own a join own b using (node, path)
    semi join latest l on l.run = a.run and l.node = a.node and l.part = a.part
    where a.run = $1 and b.run = $2 and path = $3 and a.value <> b.value order by a.node
"""


def changes(
    database: "duckdb.DuckDBPyConnection",
    old: tuple[Run, Sequence[Judged]],
    new: tuple[Run, Sequence[Judged]],
) -> RunChanges:
    """Return what differs between two runs whose tables the database holds."""
    runs = [old[0].id, new[0].id]
    booted = database.execute(BOOTED, [*runs, BOOT]).fetchall()
    return RunChanges(
        old=runs[0],
        new=runs[1],
        states=tuple(_states(old[1], new[1])),
        faults=tuple(_faults(old[1], new[1])),
        facts=tuple(_facts(database, runs)),
        rebooted=tuple(dict.fromkeys(row[0] for row in booted)),
    )


def history(
    database: "duckdb.DuckDBPyConnection", runs: Sequence[str], node: str, fact: str
) -> Iterator[Moment]:
    """Yield when a node changed, run by run; with ``fact``, the beginning of a path, only there.

    A run in which the node gave no answer says nothing of its facts.
    """
    rows = database.execute(
        "select run, path, place, value from facts where node = $1 and starts_with(path, $2)", [node, fact]
    ).fetchall()
    seen: dict[str, dict[str, str | None]] = {}
    for run, path, place, value in rows:
        if not _varies(place) or path == BOOT or fact == path:
            seen.setdefault(run, {})[path] = value
    states = dict(database.execute("select run, state from nodes where node = $1", [node]).fetchall())
    before: dict[str, str | None] | None = None
    since: str | None = None
    state: str | None = None
    for run in runs:
        now = states.get(run)
        if now != state and (state or now) and not fact:
            yield Moment(run=run, path=STATE, old=state, new=now, since=since)
        state = now
        after = seen.get(run)
        if after is None:
            continue
        for path in sorted({*after, *(before or {})}) if before is not None or fact else ():
            old, new = (before or {}).get(path), after.get(path)
            if old != new or before is None:
                yield Moment(run=run, path=path, old=old, new=new, since=since)
        before, since = after, run


def _facts(database: "duckdb.DuckDBPyConnection", runs: Sequence[str]) -> list[FactChange]:
    places = [row[0] for row in database.execute("select distinct place from own").fetchall()]
    lasting = [place for place in places if not _varies(place) and place not in OF_A_NODE]
    found = [
        FactChange(
            path=path, place=place, old=old, new=new, nodes=tuple(nodes), weight=weight(path, place, ())[0]
        )
        for path, place, old, new, nodes in database.execute(CHANGED, [*runs, lasting]).fetchall()
        if not _varies(place)
    ]
    return sorted(found, key=lambda one: (-one.weight, -len(one.nodes), one.path, one.nodes))


def _varies(place: str) -> bool:
    """True for what changes on a node that nobody has changed."""
    field = place.rpartition(".")[2]
    return volatile(place) or field in ("reason", "uptime_seconds") or ".unread" in place or place == BOOT


def _states(old: Sequence[Judged], new: Sequence[Judged]) -> list[StateChange]:
    before, after = ({node.node: node.verdict or node.state.value for node in nodes} for nodes in (old, new))
    found: dict[tuple[str | None, str | None], list[str]] = {}
    for node in sorted({*before, *after}):
        pair = before.get(node), after.get(node)
        if pair[0] != pair[1]:
            found.setdefault(pair, []).append(node)
    rows = (StateChange(old=pair[0], new=pair[1], nodes=tuple(nodes)) for pair, nodes in found.items())
    return sorted(rows, key=lambda one: (-len(one.nodes), str(one.old), str(one.new)))


def _faults(old: Sequence[Judged], new: Sequence[Judged]) -> list[FaultChange]:
    before, after = ({(one.fault, n.node) for n in nodes for one in n.findings} for nodes in (old, new))
    # Of a node that was not looked at, nobody knows what it has.
    asked = {n.node for n in old if n.verdict} & {n.node for n in new if n.verdict}
    found: dict[tuple[str, bool], list[str]] = {}
    for fault, node in sorted(before ^ after):
        if node in asked:
            found.setdefault((fault, (fault, node) in after), []).append(node)
    rows = (FaultChange(fault=key[0], came=key[1], nodes=tuple(nodes)) for key, nodes in found.items())
    return sorted(rows, key=lambda one: (not one.came, -len(one.nodes), one.fault))
