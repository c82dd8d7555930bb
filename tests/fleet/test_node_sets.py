"""Sets of node names in the notation of schedulers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeblue.model.node_sets import BadPattern, expand, fold


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("gpu1", ["gpu1"]),
        ("gpu[1-3]", ["gpu1", "gpu2", "gpu3"]),
        ("gpu[08-10],login", ["gpu08", "gpu09", "gpu10", "login"]),
        ("r[1-2]n[1,3]", ["r1n1", "r1n3", "r2n1", "r2n3"]),
        ("alice@gpu[1-2].example.org", ["alice@gpu1.example.org", "alice@gpu2.example.org"]),
        ("a,a, b", ["a", "b"]),
    ],
)
def test_patterns_stand_for_names(pattern: str, names: list[str]) -> None:
    assert expand(pattern) == names


@pytest.mark.parametrize("pattern", ["gpu[1-", "gpu]1[", "gpu[x]", "gpu[3-1]", "gpu[1-999999999]", "g[[1]]"])
def test_slips_are_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        expand(pattern)


def test_names_are_folded_as_schedulers_do() -> None:
    assert fold(["gpu001", "gpu002", "gpu003", "gpu010", "login"]) == "gpu[001-003,010],login"
    assert fold(["gpu9", "gpu10"]) == "gpu[9-10]"
    assert fold(["n1.example.org", "n2.example.org"]) == "n[1-2].example.org"
    assert fold(["alone7"]) == "alone7"


@given(st.lists(st.from_regex(r"\A[a-z]{1,3}\d{0,3}(-\d{1,3})?\Z"), min_size=1, max_size=30))
def test_folding_and_expanding_gives_the_same_names(names: list[str]) -> None:
    assert sorted(expand(fold(names))) == sorted(set(names))
