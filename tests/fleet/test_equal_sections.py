"""Two sections that could not be read have the same content, and are two sections all the same."""

from codeblue.fleet.facts import Pool
from codeblue.model.facts import Cuda, Nvml


def test_equal_contents_of_two_sections_are_told_apart() -> None:
    pool = Pool({"d1": b'{"state": "timeout", "reason": "no answer"}'})

    assert isinstance(pool.section("cuda", "d1"), Cuda)
    assert isinstance(pool.section("nvml", "d1"), Nvml)
    assert pool.section("cuda", "d1") is pool.section("cuda", "d1")
