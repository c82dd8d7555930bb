"""A run of the executor that is killed anywhere, and its recovery as well, ends wholly old or wholly new."""

from pathlib import Path

import pytest

from tests.conftest import thorough
from tests.fix import flows
from tests.fix.child import in_child
from tests.fix.flows import FLOWS, Count, Flow, killed
from tests.fix.kept import Folder
from tests.fix.traced import NUMBERS

pytestmark = pytest.mark.skipif(not NUMBERS, reason="the system calls of this machine have other numbers")

EVERY = 29
"""At so many points the recovery is killed too; ``python -m tests.fix.table`` does it at more of them."""


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("three_files", "apply"),
        ("two_in_one", "undo"),
        pytest.param("three_files", "in vain", marks=thorough),
        pytest.param("three_files", "undo", marks=thorough),
        pytest.param("two_in_one", "apply", marks=thorough),
        pytest.param("two_in_one", "in vain", marks=thorough),
    ],
)
def test_killed_anywhere(name: str, what: str, quick: tuple[Path, Folder]) -> None:
    flow = Flow(FLOWS[name], quick[0].parent)

    _judge(killed(flow, flow.starts()[what], EVERY), what)


@pytest.mark.root
@pytest.mark.parametrize("what", ["apply", "undo"])
def test_a_kernel_setting_killed_anywhere(what: str, quick: tuple[Path, Folder]) -> None:
    def work() -> None:
        flows.leave_network()
        flow = Flow(flows.setting, quick[0].parent)
        _judge(killed(flow, flow.starts()[what], EVERY), what)

    in_child(work)


def _judge(count: Count, what: str) -> None:
    assert count.points == count.old + count.new
    assert count.old and count.cut and count.again
    assert bool(count.new) == (what != "in vain")
