"""Causes that many nodes share, told apart from faults of single nodes."""

from pathlib import Path

import pytest
from msgspec import structs

from benchmarks.synthetic import Change, Sections
from codeblue.fleet.cascades import cascades
from codeblue.fleet.store import Store
from codeblue.model.fault import Certainty
from codeblue.model.fleet import Cascade, CascadeKind, Judged, NodeState
from tests.fleet.kept import edit, keep, verdicts

OLD, NEW = "580.159.04", "590.48.01"


def found(tmp_path: Path, nodes: int, change: Change | None = None) -> list[Cascade]:
    """Return what the nodes of a synthetic run have in common."""
    store = Store(tmp_path)
    return cascades(list(verdicts(store, keep(store, nodes, change)).values()))


def fleet(*silent: int, names: str = "gpu{:03}", group: str = "gpu", nodes: int = 64) -> list[Judged]:
    """Return nodes of which some gave no answer."""
    return [
        Judged(
            node=names.format(number),
            group=group,
            state=NodeState.SILENT if number in silent else NodeState.ANSWERED,
            why="no answer within 50 s" if number in silent else "",
            verdict="" if number in silent else "healthy",
        )
        for number in range(nodes)
    ]


def test_a_healthy_fleet_has_no_cascade(tmp_path: Path) -> None:
    assert found(tmp_path, 40) == []


def test_scattered_silent_nodes_are_single_faults() -> None:
    assert cascades(fleet(3, 17, 22, 40, 51)) == []


def test_a_whole_silent_group_is_one_thing() -> None:
    nodes = [*fleet(), *fleet(*range(16), names="big{:02}", group="big", nodes=16)]

    [one] = cascades(nodes)

    assert (one.kind, one.group, len(one.nodes), one.of) == (CascadeKind.SILENT_GROUP, "big", 16, 16)
    assert one.certainty is Certainty.LIKELY
    assert "64 of 80" in one.because[0].say("en")


def test_a_silent_rack_is_seen_by_the_names() -> None:
    racks = [
        node
        for rack in range(4)
        for node in fleet(*(range(16) if rack == 2 else ()), names=f"r{rack}n{{:02}}", nodes=16)
    ]

    [one] = cascades(racks)

    assert (one.kind, one.group, one.certainty) == (CascadeKind.SILENT_GROUP, "r2n*", Certainty.LIKELY)


def test_silent_neighbours_are_only_possibly_one_thing() -> None:
    [one] = cascades(fleet(*range(32, 44)))

    assert (one.nodes[0], one.nodes[-1], one.certainty) == ("gpu032", "gpu043", Certainty.POSSIBLE)


def test_when_nobody_answers_the_way_there_is_not_blamed_on_a_group() -> None:
    assert cascades(fleet(*range(64))) == []


@pytest.mark.parametrize(("nodes", "certainty"), [(38, Certainty.LIKELY), (10, Certainty.POSSIBLE)])
def test_a_file_server_that_answers_nobody(tmp_path: Path, nodes: int, certainty: Certainty) -> None:
    def change(number: int, sections: Sections) -> None:
        table = {**sections["filesystems"]["filesystems"], "home": {"kind": "nfs4"}}
        healthy = {**table["/"], "kind": "nfs4"}
        table["home"] = {"kind": "nfs4"} if number < nodes else healthy
        edit(sections, "filesystems", filesystems=table)

    [one] = found(tmp_path, 40, change)

    assert (one.kind, len(one.nodes), one.certainty) == (CascadeKind.FILE_SERVER, nodes, certainty)
    assert "nfs4" in one.summary.say("zh") and "home" in one.summary.say("zh")


def test_a_file_system_that_one_node_cannot_reach_is_its_own_trouble(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        row = (
            {"kind": "nfs4"}
            if number == 5
            else {**sections["filesystems"]["filesystems"]["/"], "kind": "nfs4"}
        )
        edit(sections, "filesystems", filesystems={**sections["filesystems"]["filesystems"], "home": row})

    assert found(tmp_path, 40, change) == []


def updated(uptime_of_new: float) -> Change:
    """Return a change that gives the first 15 nodes the newer driver and this time since their boot."""

    def change(number: int, sections: Sections) -> None:
        if number < 15:
            edit(sections, "driver", module_version=NEW)
            libraries = {
                path.replace(OLD, NEW): {**row, "version": NEW}
                for path, row in sections["driver_files"]["libraries"].items()
            }
            edit(sections, "driver_files", libraries=libraries)
        edit(sections, "host", uptime_seconds=(uptime_of_new if number < 15 else 5e6) + number)

    return change


def test_a_driver_roll_out_is_seen_by_the_boots(tmp_path: Path) -> None:
    [one] = [c for c in found(tmp_path, 40, updated(3600)) if c.kind is CascadeKind.ROLL_OUT]

    assert one.certainty is Certainty.LIKELY
    assert one.nodes[0] == "gpu00016" and len(one.nodes) == 25  # those that still wait
    assert one.summary.say("en") == f"driver roll-out in progress from {OLD} to {NEW}: 15 of 40 nodes have it"
    assert "100%" in one.because[0].say("zh")


def test_two_versions_without_an_order_of_boots_are_no_roll_out(tmp_path: Path) -> None:
    [one] = [c for c in found(tmp_path, 40, updated(5e6 + 20)) if c.kind is CascadeKind.ROLL_OUT]

    assert one.certainty is Certainty.POSSIBLE
    assert len(one.nodes) == 15
    assert "two driver versions" in one.summary.say("en")


def test_one_node_with_another_driver_is_no_roll_out(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number == 3:
            edit(sections, "driver", module_version=NEW)

    assert [c for c in found(tmp_path, 40, change) if c.kind is CascadeKind.ROLL_OUT] == []


def test_installed_and_not_loaded_waits_for_reboots(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number < 9:
            libraries = {
                path.replace(OLD, NEW): {**row, "version": NEW}
                for path, row in sections["driver_files"]["libraries"].items()
            }
            edit(sections, "driver_files", libraries=libraries)

    [one] = [c for c in found(tmp_path, 40, change) if c.kind is CascadeKind.ROLL_OUT]

    assert (len(one.nodes), one.certainty) == (9, Certainty.LIKELY)
    assert "waits for reboots" in one.summary.say("en")


@pytest.mark.parametrize(
    ("hit", "certainty"), [(range(8, 16), Certainty.LIKELY), (range(0, 40, 5), Certainty.POSSIBLE)]
)
def test_a_port_that_is_down_on_many(tmp_path: Path, hit: range, certainty: Certainty) -> None:
    def change(number: int, sections: Sections) -> None:
        ports = {"1": {"state": "down" if number in hit else "active", "link_layer": "infiniband"}}
        unused = {"1": {"state": "down", "link_layer": "infiniband"}}
        rdma = {"mlx5_0": {"ports": ports}, "mlx5_9": {"ports": unused}}
        sections["network"] = {"state": "read", "interfaces": {}, "rdma": rdma}

    [one] = [c for c in found(tmp_path, 40, change) if c.kind is CascadeKind.SWITCH]

    assert (one.summary.values["port"], len(one.nodes), one.certainty) == ("mlx5_0/1", 8, certainty)


def test_a_fault_that_nearly_all_have_is_in_what_they_share(tmp_path: Path) -> None:
    store = Store(tmp_path)
    nodes = list(verdicts(store, keep(store, 12, base="shm-4m")).values())
    healthy = [structs.replace(node, findings=()) for node in nodes]

    [one] = cascades([*nodes[:11], healthy[11]])

    assert (one.kind, len(one.nodes), one.of) == (CascadeKind.COMMON_FAULT, 11, 12)
    assert cascades([*nodes[:4], *healthy[4:]]) == []
