"""Compare two snapshots, fact by fact and row by row. A look that failed is no change."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import UNSET, Struct, structs, to_builtins

from codeblue.diagnose.evidence import source
from codeblue.model.changes import Change, ChangeKind, Comparison, Side
from codeblue.model.compared import EFFECTS, PER_BOOT, importance, volatile, within
from codeblue.model.section import Row, Section, State, why_unread
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import Message, message

LOOKED = (State.READ, State.ABSENT)
_NOBODY = View(kind="probe", name="")


def compare(old: Snapshot, new: Snapshot) -> Comparison:
    """Return what changed from the old snapshot to the new one."""
    before, after = old.machine or _NOBODY, new.machine or _NOBODY
    pairs = [(before, after), *_same_texts(old, new)]
    changes = [change for pair in pairs for change in _views(*pair)]
    around = _around(old), _around(new)
    if around[0] and around[1]:
        changes += [structs.replace(change, side="host") for change in _views(around[0], around[1])]
    changes.sort(key=_order)
    return Comparison(
        old=_side(old, before),
        new=_side(new, after),
        changes=tuple(changes),
        notes=tuple(_notes(old, new, before, after)),
    )


def causes(comparison: Comparison) -> list[Change]:
    """Return the changes that may be why it stopped working, at most one of each row.

    Not those that say how it went, and none that any boot may bring.
    """
    aside = (*EFFECTS, *PER_BOOT)
    chosen = {
        (change.side, change.path.rpartition("].")[0] or change.path): change
        for change in reversed(comparison.changes)
        if change.kind is not ChangeKind.NOT_COMPARABLE
        and not any(within(change.place, start) for start in aside)
    }
    return sorted(chosen.values(), key=_order)


def _order(change: Change) -> tuple[bool, int, str]:
    return change.kind is ChangeKind.NOT_COMPARABLE, importance(change.place), change.path


def _side(snapshot: Snapshot, view: View) -> Side:
    return Side(target=snapshot.target, host=view.host_name, boot=view.boot, time=view.time)


def _around(snapshot: Snapshot) -> View | None:
    """Return the host around the container that was looked at, if there is one."""
    return snapshot.host if snapshot.host is not snapshot.machine else None


def _texts(snapshot: Snapshot) -> dict[str, View]:
    return {view.name: view for view in snapshot.views if view.kind == "text"}


def _same_texts(old: Snapshot, new: Snapshot) -> list[tuple[View, View]]:
    before, after = _texts(old), _texts(new)
    return [(before[name], after[name]) for name in before if name in after]


def _notes(old: Snapshot, new: Snapshot, before: View, after: View) -> Iterator[Message]:
    if before.host_name and after.host_name and before.host_name != after.host_name:
        yield message(
            "two hosts are compared: {old} and {new}",
            "比较的是两台主机：{old} 与 {new}",
            old=before.host_name,
            new=after.host_name,
        )
    # A probe that was run by hand knows no target: its file stands for it.
    targets = [snapshot.target for snapshot in (old, new)]
    if targets[0] != targets[1] and not any(target.startswith("file:") for target in targets):
        yield message(
            "two targets are compared: {old} and {new}",
            "比较的是两个目标：{old} 与 {new}",
            old=old.target,
            new=new.target,
        )
    if before.time and after.time and before.time > after.time:
        yield message(
            "the first snapshot is the newer one ({old}, then {new})",
            "前一个快照反而较新（{old}，后一个为 {new}）",
            old=before.time,
            new=after.time,
        )
    if bool(_around(old)) != bool(_around(new)):
        yield message(
            "the host around the container was looked at only once; it is not compared",
            "容器所在的主机只查看过一次；不参与比较",
        )
    for snapshot, other in ((old, new), (new, old)):
        for name in _texts(snapshot).keys() - _texts(other).keys():
            yield message(
                "{name} was given to one of the two looks only; its lines are not compared",
                "{name} 只在其中一次检查时给出；其内容不参与比较",
                name=name,
            )


def _views(old: View, new: View) -> Iterator[Change]:
    for name in old.__struct_fields__:
        before, after = getattr(old, name), getattr(new, name)
        if isinstance(before, Section) or isinstance(after, Section):
            yield from _sections(name, before, after)


def _state(section: Any) -> State:
    return section.state if isinstance(section, Section) else State.NOT_ATTEMPTED


def _sections(name: str, old: Any, new: Any) -> Iterator[Change]:
    before, after = _state(old), _state(new)
    if before is after is State.READ:
        pair = _Pair(old, new)
        for field in old.__struct_fields__:
            if field not in Section.__struct_fields__:
                yield from pair.field(field)
        return
    if before is after or (before not in LOOKED and after not in LOOKED):
        return
    kind = ChangeKind.ADDED if before is State.ABSENT else ChangeKind.REMOVED
    if before not in LOOKED or after not in LOOKED:
        kind = ChangeKind.NOT_COMPARABLE
    known = next(one for one in (new, old) if _state(one) in LOOKED)
    yield Change(
        kind=kind, path=name, place=name, old_state=before, new_state=after, source=source(known, "")
    )


class _Place(Struct, frozen=True):
    """Where in a section a value stands."""

    path: str
    place: str
    field: str
    key: str = ""

    def row(self, key: str, table: bool) -> "_Place":
        path = self.path.rpartition(".")[0] if table else self.path
        return _Place(f"{path}[{key}]", self.place, self.field, self.key or key)

    def fact(self, name: str) -> "_Place":
        return _Place(f"{self.path}.{name}", f"{self.place}.{name}", self.field, self.key)


class _Pair:
    """One section as it was read twice."""

    def __init__(self, old: Section, new: Section) -> None:
        self.old, self.new = old, new
        self.facts = structs.asdict(old), structs.asdict(new)

    def field(self, name: str) -> Iterator[Change]:
        """Yield the changes of one field."""
        section = self.old.NAME
        where = _Place(f"{section}.{name}", f"{section}.{name}", name)
        if volatile(where.place):
            return
        before, after = self.facts[0][name], self.facts[1][name]
        if before is not UNSET and after is not UNSET:
            yield from self._values(where, before, after)
        elif before is not after:
            states = [
                why_unread(section, name) if value is UNSET else State.READ
                for section, value in ((self.old, before), (self.new, after))
            ]
            yield self._change(ChangeKind.NOT_COMPARABLE, where, states=(states[0], states[1]))

    def _values(self, where: _Place, old: Any, new: Any) -> Iterator[Change]:
        if isinstance(old, Row) and isinstance(new, Row):
            yield from self._rows(where, old, new)
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from self._tables(where, old, new)
        elif isinstance(old, list) and isinstance(new, list):
            before, after = _by_key(where.place, old), _by_key(where.place, new)
            if before.keys() == after.keys() and len(before) == len(old) == len(new) and old != new:
                before, after = {}, {}
                if not any(isinstance(one, Row) for one in old):
                    yield self._change(ChangeKind.CHANGED, where, old, new)
            yield from self._tables(where, before, after)
        elif old != new:
            yield self._change(ChangeKind.CHANGED, where, old, new)

    def _tables(self, where: _Place, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
        for key in {**old, **new}:
            if volatile(f"{where.place}[{key}]"):
                continue
            row = where.row(key, where.field == self.old.TABLE and not where.key)
            if key not in new:
                yield self._removed(row, old[key])
            elif key not in old:
                yield self._change(ChangeKind.ADDED, row, None, new[key])
            else:
                yield from self._values(row, old[key], new[key])

    def _removed(self, where: _Place, value: Any) -> Change:
        # A listing that has lost its beginning does not say that something is gone.
        if self.facts[1].get("complete") is False:
            states = (State.READ, State.NOT_ATTEMPTED)
            return self._change(ChangeKind.NOT_COMPARABLE, where, states=states)
        return self._change(ChangeKind.REMOVED, where, value, None)

    def _rows(self, where: _Place, old: Row, new: Row) -> Iterator[Change]:
        facts: list[Change] = []
        missing: list[Change] = []
        after = structs.asdict(new)
        for name, value in structs.asdict(old).items():
            fact = where.fact(name)
            if volatile(fact.place):
                continue
            if value is not UNSET and after[name] is not UNSET:
                facts += self._values(fact, value, after[name])
            elif value is not after[name]:
                states = [State.NOT_ATTEMPTED if one is UNSET else State.READ for one in (value, after[name])]
                missing.append(self._change(ChangeKind.NOT_COMPARABLE, fact, states=(states[0], states[1])))
        # A node that is gone has no mode: what changed in the row is why the rest is missing.
        yield from facts or missing

    def _change(
        self,
        kind: ChangeKind,
        where: _Place,
        old: Any = None,
        new: Any = None,
        states: tuple[State, State] = (State.READ, State.READ),
    ) -> Change:
        return Change(
            kind=kind,
            path=where.path,
            place=where.place,
            old=_plain(where.place, old),
            new=_plain(where.place, new),
            old_state=states[0],
            new_state=states[1],
            source=self._source(where, old, new),
        )

    def _source(self, where: _Place, old: Any, new: Any) -> str:
        row = new if new is not None else old
        if self.old.NAME == "sightings" and isinstance(row, Row):
            facts = structs.asdict(row)
            return f"{facts['file']}:{facts['line']}"
        unread = self.facts[1][where.field] is UNSET
        return source(self.old if unread else self.new, where.field, where.key)


def _by_key(place: str, values: Iterable[Any]) -> dict[str, Any]:
    """Return list items by what they are: rows by their facts that do not vary."""
    return {_key(place, value): value for value in values}


def _key(place: str, value: Any) -> str:
    if not isinstance(value, Row):
        return str(value)
    facts = structs.asdict(value)
    return " ".join(
        str(fact)
        for name, fact in facts.items()
        if fact is not UNSET and fact is not None and not volatile(f"{place}.{name}")
    )


def _plain(place: str, value: Any) -> Any:
    """Return a value as plain data without what varies; of a sighting, its line."""
    if not isinstance(value, Row):
        return to_builtins(value)
    if place == "sightings.seen":
        return structs.asdict(value)["text"]
    return {name: fact for name, fact in to_builtins(value).items() if not volatile(f"{place}.{name}")}
