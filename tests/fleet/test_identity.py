"""Names, twins and clocks: noted where they are certain, and never trouble."""

import pytest

from codeblue.fleet.identity import noted, offset
from codeblue.model.fleet import Judged, Listed, NodeState, Run

STARTED = "2026-12-01T10:00:00Z"
EPOCH = 1796119200.0
"""The same moment."""


def node(name: str, host: str | None, boot: str = "", skew: float | None = None) -> Judged:
    return Judged(
        node=name,
        group="",
        state=NodeState.ANSWERED,
        why="",
        verdict="healthy",
        host=host,
        boot=boot or f"boot of {name}",
        skew=skew,
    )


def notes(*nodes: Judged, listed: tuple[Listed, ...] = ()) -> dict[str, list[str]]:
    run = Run(id="r", engine="ssh", nodes=listed)
    found = noted(nodes, run, lambda name: f"host-{name}")
    return {one.node: [note.say("en") for note in one.notes] for one in found}


def test_a_node_with_another_name_is_noted_where_the_others_have_theirs() -> None:
    some = [node("root@gpu1", "host-gpu1"), node("gpu2.site", "host-gpu2"), node("gpu3", "host-gpu9")]
    assert [name for name, told in notes(*some).items() if told] == ["gpu3"]
    aliases = [node("a", "host-x1"), node("b", "host-x2")]
    assert not any(notes(*aliases).values())


def test_the_engine_may_know_another_name_of_the_machine() -> None:
    listed = (Listed("node1", host="gpu1"), Listed("node2", host="gpu2"), Listed("node3", host="gpu3"))
    some = [node("node1", "host-gpu1"), node("node2", "host-gpu2"), node("node3", "host-other")]
    assert [name for name, told in notes(*some, listed=listed).items() if told] == ["node3"]


def test_two_names_of_a_machine_and_two_machines_of_a_name() -> None:
    same = [node("a", "host-a", "b1"), node("a.site", "host-a", "b1"), node("c", "host-c"), node("d", None)]
    assert notes(*same) == {
        "a": ["is the same machine as a.site"],
        "a.site": ["is the same machine as a"],
        "c": [],
        "d": [],
    }
    found = notes(node("a", "host-a", "b1"), node("a.two", "host-a", "b2"))
    assert found["a"] == ["is another machine than a.two, yet has the same host name"]


def test_one_name_on_all_nodes_is_told_in_few_words() -> None:
    many = [node(f"n{number}", "localhost", f"b{number // 30}") for number in range(29, 30 * 999)]

    found = notes(*many)

    assert found["n30"] == ["is the same machine as 29 other nodes"]
    assert found["n29"] == [f"has the same host name as {len(many) - 1} other nodes"]
    assert sum(len(line) for lines in found.values() for line in lines) < 60 * len(many)


@pytest.mark.parametrize(
    ("heard", "asked_for", "off"),
    [
        (EPOCH + 9, 10.0, 0.0),  # asked at -1, ended at 8
        (EPOCH + 60, 70.0, 0.0),  # it came late: nothing is certain
        (EPOCH - 100, 10.0, 108.0),
        (EPOCH + 300, 10.0, -289.0),
    ],
)
def test_a_clock_is_off_only_if_nothing_else_can_be(heard: float, asked_for: float, off: float) -> None:
    assert offset(STARTED, 8.0, heard, asked_for) == off


def test_clocks_are_told_with_their_sign() -> None:
    found = notes(
        node("a", "host-a", skew=125.0), node("b", "host-b", skew=-40.0), node("c", "host-c", skew=9.0)
    )
    assert found == {
        "a": ["its clock is at least 125 s ahead of this machine's"],
        "b": ["its clock is at least 40 s behind this machine's"],
        "c": [],
    }
