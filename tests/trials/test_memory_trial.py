"""The memory trial, run for real on the processor."""

from pathlib import Path

import pytest

from codeblue.model.snapshot import View
from tests.trials.running import changed_torch, needs_torch, tried

pytestmark = needs_torch

FORGETFUL = """
real = module.empty
class Memory:
    def __init__(self, tensor):
        self.tensor = tensor
    def __getitem__(self, key):
        return self.tensor[key]
def empty(*arguments, **named):
    made = real(*arguments, **named)
    if named.get("dtype") is not module.int64:
        return made
    class Sick(Memory):
        def __getitem__(self, key):
            part = self.tensor[key]
            if key.start == 0:
                part[77] = 3
            return part
    return Sick(made)
module.empty = empty
"""
"""Memory whose 78th value always reads 3."""


@pytest.fixture(scope="module")
def view() -> View:
    return tried("memory")


def test_speeds_are_measured_and_nothing_is_lost(view: View) -> None:
    row = view.memory_trial.devices["0"]

    assert row.error is None
    assert row.device.copy_gbs > 0 and row.device.triad_gbs > 0
    assert (row.pattern.wrong, row.pattern.offsets) == (0, [])
    assert row.pattern.bytes > 1 << 20


def test_a_processor_has_no_way_to_a_device(view: View) -> None:
    assert view.memory_trial.devices["0"].host.error is not None


def test_a_cell_that_forgets_is_found_with_its_address(tmp_path: Path) -> None:
    pattern = (
        tried("memory", environment=changed_torch(tmp_path, FORGETFUL)).memory_trial.devices["0"].pattern
    )

    assert pattern.wrong == 2
    assert pattern.offsets == [77 * 8, 77 * 8]
