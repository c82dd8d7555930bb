"""What changed between two runs, and when a node did."""

from pathlib import Path

from benchmarks.synthetic import Sections, replies, run_of
from codeblue.cli.fleet.kept import opened
from codeblue.fleet.changes import changes, history
from codeblue.fleet.store import Store
from codeblue.fleet.tables import tables
from codeblue.model.fleet import Listed, NodeState, Reply, Run
from codeblue.model.fleet_changes import RunChanges
from codeblue.report.fleet import changes as page
from codeblue.sources.site import Loaded
from tests.fleet.kept import edit, edit_row, keep


def rolled_out(number: int, sections: Sections) -> None:
    """Give the first ten nodes another driver, and one of them a fault."""
    if number < 10:
        edit(sections, "driver", module_version="580.200.01")
        edit(sections, "host", boot_id=f"boot-{number:012x}")
    if number == 3:
        edit_row(sections, "filesystems", "filesystems", "/dev/shm", total=1 << 22, free=1 << 22)


def between(store: Store, old: Run, new: Run) -> RunChanges:
    """Return what changed."""
    database, [before, after] = opened(store, [old, new], Loaded())
    return changes(database, before, after)


def test_the_same_fleet_looked_at_twice_has_not_changed(tmp_path: Path) -> None:
    store = Store(tmp_path)

    found = between(store, keep(store, 20, name="1"), keep(store, 20, name="2"))

    assert (found.states, found.faults, found.facts, found.rebooted) == ((), (), (), ())
    assert "nothing" in "".join(text for text, _ in page.lines(found, "en"))


def test_a_roll_out_is_one_row_with_its_nodes(tmp_path: Path) -> None:
    store = Store(tmp_path)

    found = between(store, keep(store, 30, name="1"), keep(store, 30, rolled_out, name="2"))

    driver = next(fact for fact in found.facts if fact.path == "driver.module_version")
    assert (driver.old, driver.new, len(driver.nodes)) == ("580.159.04", "580.200.01", 10)
    assert found.facts[0].path == "driver.module_version"
    assert ("shm-too-small", True, ("gpu00004",)) in [(f.fault, f.came, f.nodes) for f in found.faults]
    assert '"gpu[00001-00010]"' in page.render(found)
    assert ("filesystems[/dev/shm].total", ("gpu00004",)) in [(f.path, f.nodes) for f in found.facts]


def test_another_gpu_in_the_same_node_is_a_change(tmp_path: Path) -> None:
    def changed(number: int, sections: Sections) -> None:
        if number == 5:
            edit_row(sections, "nvml", "gpus", "0", uuid="gpu-new")

    store = Store(tmp_path)
    found = between(store, keep(store, 10, name="1"), keep(store, 10, changed, name="2"))

    assert [(f.path, f.new, f.nodes) for f in found.facts] == [("nvml[0].uuid", "gpu-new", ("gpu00006",))]


def test_nodes_that_came_and_went_and_fell_silent(tmp_path: Path) -> None:
    store = Store(tmp_path)
    old = keep(store, 10, name="1")
    listed = (*old.nodes[1:], Listed("gpu00011", group="gpu"))
    new = Run(id="20261201T000000-0002", engine="ssh", nodes=listed)
    store.begin(new)
    answers = list(replies(run_of(11), faults=False))[1:10]
    silent = Reply(node="gpu00011", state=NodeState.SILENT, why="no answer within 50 s")
    list(store.add(new, [*answers, silent]))

    found = between(store, old, new)

    assert [(s.old, s.new, s.nodes) for s in found.states] == [
        (None, "silent", ("gpu00011",)),
        ("healthy", None, ("gpu00001",)),
    ]
    assert found.facts == ()


def test_the_history_of_a_node_names_the_run_that_saw_it_first(tmp_path: Path) -> None:
    store = Store(tmp_path)
    runs = [keep(store, 12, name="1"), keep(store, 12, name="2"), keep(store, 12, rolled_out, name="3")]
    database = tables(store, runs)
    ids = [run.id for run in runs]

    moments = list(history(database, ids, "gpu00001", "driver.module_version"))

    assert [(m.run, m.old, m.new, m.since) for m in moments] == [
        (ids[0], None, "580.159.04", None),
        (ids[2], "580.159.04", "580.200.01", ids[1]),
    ]
    whole = [(m.run, m.path) for m in history(database, ids, "gpu00001", "")]
    assert whole == [(ids[0], "state"), (ids[2], "driver.module_version")]
    assert list(history(database, ids, "gpu00012", "driver.flavour"))[1:] == []
    told = [text for text, _ in page.history("gpu00001", 3, moments, "zh")]
    assert told[1:2] == ["  driver.module_version  ∅ → 580.159.04"]
