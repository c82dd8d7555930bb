"""Bad nodes and links of simulated fabrics are found, in few runs."""

from collections.abc import Collection
from itertools import combinations
from math import ceil, log2

from hypothesis import assume, given
from hypothesis import strategies as st

from codeblue.fleet.bisection import Found, bisect

PLENTY = 10_000


def found(count: int, nodes: set[int], links: Collection[tuple[int, int]] = (), most: int = PLENTY) -> Found:
    """Return what is found of these bad nodes and links."""
    names = [f"n{number}" for number in range(count)]
    bad = {f"n{number}" for number in nodes}
    ways = [{f"n{a}", f"n{b}"} for a, b in links]
    ran: list[tuple[str, ...]] = []

    def good(chosen: tuple[str, ...]) -> bool:
        assert len(set(chosen)) == len(chosen) >= 2
        ran.append(chosen)
        return not (bad & set(chosen)) and not any(way <= set(chosen) for way in ways)

    told = bisect(names, good, most)
    assert told.runs == len(ran) <= most
    return told


@given(st.integers(3, 300), st.data())
def test_one_bad_node(count: int, data: st.DataObject) -> None:
    bad = data.draw(st.integers(0, count - 1))
    told = found(count, {bad})
    assert (told.nodes, told.links, told.undecided) == ((f"n{bad}",), (), ())
    assert told.runs <= 2 * ceil(log2(count)) + 8


@given(st.integers(4, 200), st.data())
def test_one_bad_link(count: int, data: st.DataObject) -> None:
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda two: two[0] < two[1]
    )
    link = data.draw(pairs)
    told = found(count, set(), {link})
    assert (told.nodes, told.links) == ((), ((f"n{link[0]}", f"n{link[1]}"),))
    assert told.runs <= 2 * ceil(log2(count)) + 9


@given(st.integers(8, 100), st.sets(st.integers(0, 99), min_size=2, max_size=4))
def test_several_bad_nodes(count: int, bad: set[int]) -> None:
    assume(max(bad) < count)
    told = found(count, bad)
    assert set(told.nodes) == {f"n{one}" for one in bad}
    assert told.links == ()


@given(st.integers(6, 60), st.data())
def test_nothing_healthy_is_ever_blamed(count: int, data: st.DataObject) -> None:
    bad = data.draw(st.sets(st.integers(0, count - 1), max_size=3))
    pairs = st.sampled_from([*combinations(range(count), 2)])
    links = data.draw(st.sets(pairs, max_size=2))
    told = found(count, bad, links)
    ends = {f"n{end}" for link in links for end in link}
    # All links of a node that were tried may be bad: then nobody can tell it from a bad node.
    assert set(told.nodes) <= {f"n{one}" for one in bad} | ends
    assert set(told.links) <= {(f"n{a}", f"n{b}") for a, b in links}


@given(st.integers(2, 200), st.integers(0, 6), st.data())
def test_no_more_runs_than_allowed(count: int, most: int, data: st.DataObject) -> None:
    bad = data.draw(st.integers(0, count - 1))
    told = found(count, {bad}, most=most)
    assert f"n{bad}" in (*told.nodes, *told.undecided)


def test_two_nodes_alone_cannot_be_told_apart() -> None:
    told = found(2, {0})
    assert (told.nodes, told.links, told.undecided) == ((), (), ("n0", "n1"))


def test_all_well_is_one_run() -> None:
    assert found(8, set()) == Found(runs=1)


def test_all_bad_is_undecided_not_guessed() -> None:
    told = found(4, {0, 1, 2, 3})
    assert told.nodes == () and len(told.undecided) >= 2
