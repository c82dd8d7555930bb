"""What changed between two snapshots: facts, rows and sections, and what is no change."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

import msgspec
import pytest
from msgspec import UnsetType, structs

from codeblue import state
from codeblue.cli.kept import since_good
from codeblue.diagnose.compare import causes, compare
from codeblue.model.changes import Change, ChangeKind
from codeblue.model.compared import EFFECTS, ORDER, PER_BOOT, VOLATILE, volatile
from codeblue.model.diagnosis import Overall
from codeblue.model.section import Row, Section, State
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.pipeline import judge
from codeblue.report import changes as pages
from tests.conftest import joined, recording, text

HEALTHY = "h200-healthy"
SOUNDS_VOLATILE = re.compile(
    r"seconds$|uptime|free$|_used$|_current$|temperature|^pid$|^time$|utili[sz]ation"
)


def changed(old: Snapshot, new: Snapshot) -> dict[str, Change]:
    """Return the changes by path."""
    return {change.path: change for change in compare(old, new).changes}


def of_kind(kind: type) -> Any:
    """Return the kind behind a fact that may be unread or None."""
    known = [one for one in get_args(kind) if one not in (UnsetType, NoneType)]
    return of_kind(known[0]) if known and get_origin(kind) not in (dict, list) else kind


def facts(kind: type[Section] | type[Row], start: str) -> Iterator[tuple[str, Any]]:
    """Yield place and type of every fact of a section, those in its rows too."""
    for field in structs.fields(kind):
        if field.name in Section.__struct_fields__ and issubclass(kind, Section):
            continue
        inner = of_kind(field.type)
        row = next((one for one in get_args(inner) if isinstance(one, type) and issubclass(one, Row)), None)
        yield f"{start}.{field.name}", inner
        if row and issubclass(kind, Section):
            yield from facts(row, f"{start}.{field.name}")


PLACES = {place: kind for name, section in SECTIONS.items() for place, kind in facts(section, name)}


def sample(kind: Any, second: bool) -> Any:
    """Return one of two values of a type."""
    if get_origin(kind) is dict:
        return {"key": sample(of_kind(get_args(kind)[1]), second)}
    if get_origin(kind) is list:
        return [sample(of_kind(get_args(kind)[0]), second)]
    if isinstance(kind, type) and issubclass(kind, Row):
        return {
            field.name: sample(of_kind(field.type), second)
            for field in structs.fields(kind)
            if of_kind(field.type) not in (bool,)
        }
    return {str: ("a", "b"), int: (1, 2), float: (1.0, 2.0), bool: (False, True)}[kind][second]


SHAPED = {
    "expectations.driver": ("580", ">=590"),
    "expectations.cuda": ("13.0", ">=12"),
    "expectations.torch": ("2.11.*", "2.12"),
    "expectations.shm": ("16G", "32G"),
    "expectations.memlock": ("16G", "unlimited"),
}
"""Values of facts that not every text fits."""


def snapshot_with(place: str, second: bool) -> Snapshot:
    """Return a snapshot that differs at one place only from its twin."""
    section, field, *rest = place.split(".")
    shaped = SHAPED.get(place)
    value = shaped[second] if shaped else sample(PLACES[f"{section}.{field}"], second)
    if rest:
        value = sample(PLACES[f"{section}.{field}"], False)
        row = value["key"] if isinstance(value, dict) else value[0]
        row[rest[0]] = sample(PLACES[place], second)
    content = {"kind": "probe", "name": "local", section: {field: value}}
    return msgspec.convert({"views": [content]}, Snapshot)


@pytest.mark.parametrize("place", PLACES)
def test_every_fact_is_compared_or_declared_volatile(place: str) -> None:
    found = compare(snapshot_with(place, False), snapshot_with(place, True)).changes

    start = place.rpartition(".")[0] if place.count(".") > 1 else place
    assert bool(found) != (volatile(place) or volatile(start))


def test_facts_that_sound_volatile_are_declared() -> None:
    sound = {
        place
        for place in PLACES
        if SOUNDS_VOLATILE.search(place.rpartition(".")[2])
        and not volatile(place)
        and not volatile(place.rpartition(".")[0])
    }

    assert sound == set(), "declare them in model/compared.py, or prove that they are steady"


def test_what_is_declared_exists() -> None:
    declared = {f"{section}.{rest.partition('[')[0]}" for section in VOLATILE for rest in VOLATILE[section]}
    assert declared - PLACES.keys() == set()
    assert {
        start for start in (*ORDER, *EFFECTS, *PER_BOOT) if start
    } - PLACES.keys() - SECTIONS.keys() == set()


def test_a_snapshot_does_not_differ_from_itself() -> None:
    assert compare(recording(HEALTHY), recording(HEALTHY)).changes == ()


def test_a_changed_fact_has_path_both_values_and_source() -> None:
    found = changed(
        recording(HEALTHY), recording(HEALTHY, nodes={"nodes": {"/dev/nvidiactl": {"mode": "0644"}}})
    )

    [(path, change)] = found.items()
    assert path == "nodes[/dev/nvidiactl].mode"
    assert (change.kind, change.old, change.new) == (ChangeKind.CHANGED, "0666", "0644")
    assert change.source == "stat /dev/nvidiactl"


def test_tables_are_compared_row_by_row() -> None:
    old = recording(HEALTHY, environment={"variables": {"OMP_NUM_THREADS": "4", "NCCL_DEBUG": "INFO"}})
    new = recording(HEALTHY, environment={"variables": {"OMP_NUM_THREADS": "8", "CUDA_CACHE_DISABLE": "1"}})

    found = changed(old, new)

    assert {path: (one.kind.value, one.old, one.new) for path, one in found.items()} == {
        "environment[OMP_NUM_THREADS]": ("changed", "4", "8"),
        "environment[NCCL_DEBUG]": ("removed", "INFO", None),
        "environment[CUDA_CACHE_DISABLE]": ("added", None, "1"),
    }


def test_lists_are_compared_item_by_item_and_in_their_order() -> None:
    old = recording(HEALTHY, host={"cmdline": ["pci=realloc=off", "iommu=pt"]})

    assert set(changed(old, recording(HEALTHY, host={"cmdline": ["iommu=pt"]}))) == {
        "host.cmdline[pci=realloc=off]"
    }
    turned = changed(old, recording(HEALTHY, host={"cmdline": ["iommu=pt", "pci=realloc=off"]}))
    assert turned["host.cmdline"].kind is ChangeKind.CHANGED


def test_unread_is_not_removed() -> None:
    unread = recording(HEALTHY, driver={"state": "denied", "reason": "no"})

    for old, new in ((recording(HEALTHY), unread), (unread, recording(HEALTHY))):
        [change] = compare(old, new).changes
        assert (change.kind, change.path) == (ChangeKind.NOT_COMPARABLE, "driver")
    assert (change.old_state, change.new_state) == (State.DENIED, State.READ)


def test_a_fact_that_was_not_read_is_not_removed() -> None:
    [change] = compare(
        recording(HEALTHY), recording(HEALTHY, host={"glibc": ..., "unread": {"glibc": "error"}})
    ).changes

    assert (change.kind, change.path, change.new_state) == (
        ChangeKind.NOT_COMPARABLE,
        "host.glibc",
        State.ERROR,
    )


def test_absent_is_removed_and_comes_back_as_added() -> None:
    absent = recording(HEALTHY, driver={"state": "absent"})

    assert changed(recording(HEALTHY), absent)["driver"].kind is ChangeKind.REMOVED
    assert changed(absent, recording(HEALTHY))["driver"].kind is ChangeKind.ADDED
    assert changed(absent, absent) == {}


def test_a_node_that_is_gone_is_one_change() -> None:
    gone = {"exists": False, "mode": ..., "owner": ..., "group": ..., "open_rw": ...}
    found = changed(recording(HEALTHY), recording(HEALTHY, nodes={"nodes": {"/dev/nvidia0": gone}}))

    assert list(found) == ["nodes[/dev/nvidia0].exists"]


def test_a_kernel_log_that_lost_its_beginning_removes_nothing() -> None:
    xid = {"code": 79, "device": "0000:00:06", "seconds": 5.0, "text": "fallen off the bus"}
    old = recording(HEALTHY, kernel_log={"xids": [xid]})
    later = recording(HEALTHY, kernel_log={"xids": [xid | {"seconds": 9.0, "text": "again"}]})

    assert changed(old, later) == {}
    path = "kernel_log.xids[79 0000:00:06]"
    assert changed(old, recording(HEALTHY))[path].kind is ChangeKind.REMOVED
    lost = changed(old, recording(HEALTHY, kernel_log={"complete": False}))
    assert lost[path].kind is ChangeKind.NOT_COMPARABLE


def test_lines_are_compared_only_where_the_text_was_given_twice() -> None:
    quiet, loud = (
        text("epoch 3"),
        text("RuntimeError: No CUDA GPUs are available"),
    )

    both = compare(joined(recording(HEALTHY), quiet), joined(recording(HEALTHY), loud))
    once = compare(recording(HEALTHY), joined(recording(HEALTHY), loud))

    assert [(change.kind, change.source) for change in both.changes] == [(ChangeKind.ADDED, "train.log:1")]
    assert once.changes == ()
    assert "train.log" in once.notes[0].say("en")


def test_other_hosts_are_named_and_still_compared() -> None:
    old = recording(HEALTHY)
    view = structs.replace(old.views[0], host_name="host-other")

    found = compare(old, structs.replace(old, views=[view], target="python:/x"))

    notes = [note.say("zh") for note in found.notes]
    assert len(notes) == 2
    assert "host-other" in notes[0]


def test_what_matters_most_comes_first_and_effects_last() -> None:
    new = recording(
        HEALTHY,
        cuda={"init": 100},
        environment={"variables": {"OMP_NUM_THREADS": "8"}},
        driver={"module_version": "590.10"},
        nodes={"nodes": {"/dev/nvidiactl": {"mode": "0644"}}},
        host={"boot_id": "boot-other"},
    )

    found = compare(recording(HEALTHY), new)

    assert [change.path for change in found.changes] == [
        "driver.module_version",
        "host.boot_id",
        "nodes[/dev/nvidiactl].mode",
        "environment[OMP_NUM_THREADS]",
        "cuda.init",
    ]
    assert [change.path for change in causes(found)] == [
        "driver.module_version",
        "nodes[/dev/nvidiactl].mode",
        "environment[OMP_NUM_THREADS]",
    ]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_values_are_harmless_on_every_face(lang: str) -> None:
    new = recording(HEALTHY, environment={"variables": {"NCCL_DEBUG": "\x1b[2J<script>|x"}})
    found = compare(recording(HEALTHY), new)

    shown = "\n".join(line for line, _ in pages.lines(found, lang))
    assert "\x1b" not in shown
    assert "<script>" in shown
    assert "<script>" not in pages.page(found, lang)


def trouble() -> Snapshot:
    """Return the healthy machine with a variable that hides its GPU."""
    return recording(
        HEALTHY,
        environment={"variables": {"CUDA_VISIBLE_DEVICES": ""}},
        cuda={"init": 100, "count": None, "unmasked_init": 0, "unmasked_count": 1, "devices": {}},
    )


def test_check_says_what_changed_since_it_last_worked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    new, good = trouble(), recording(HEALTHY)
    assert since_good(new, judge(new)).notes == judge(new).notes

    state.remember_good(new.target, msgspec.json.encode(good))
    note = since_good(new, judge(new)).notes[-1]

    assert 'environment[CUDA_VISIBLE_DEVICES] ∅ → ""' in note.say("en")
    assert "codeblue diff --since-good python:" in note.say("zh")
    assert since_good(good, judge(good)) == judge(good)
    assert judge(good).verdict is Overall.HEALTHY


def test_another_machine_with_the_same_state_directory_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    good = recording(HEALTHY)
    other = structs.replace(good, views=[structs.replace(good.views[0], host_name="host-other")])
    state.remember_good(good.target, msgspec.json.encode(other))

    assert since_good(trouble(), judge(trouble())) == judge(trouble())


def test_a_view_without_a_machine_is_compared_with_nothing() -> None:
    empty = Snapshot(views=[View(kind="text", name="train.log")])

    kinds = {change.kind for change in compare(recording(HEALTHY), empty).changes}

    assert kinds == {ChangeKind.NOT_COMPARABLE}


def both_sides(**host: Any) -> Snapshot:
    """Return a container and the host around it."""
    inside, around = recording(HEALTHY).views[0], recording(HEALTHY, **host).views[0]
    views = [structs.replace(inside, side="container"), structs.replace(around, side="host")]
    return Snapshot(target="docker:job", views=views)


def test_the_host_around_a_container_is_compared_with_itself() -> None:
    changed_host = both_sides(driver={"module_version": "590.10"})

    [change] = compare(both_sides(), changed_host).changes
    once = compare(recording(HEALTHY), both_sides())

    assert (change.side, pages.brief(change)) == ("host", "host: driver.module_version 580.159.04 → 590.10")
    assert "looked at only once" in once.notes[-1].say("en")
