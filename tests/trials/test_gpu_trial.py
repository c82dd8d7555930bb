"""The compute trial, run for real on the processor."""

from pathlib import Path

import pytest

from codeblue.model.section import State
from codeblue.model.snapshot import View
from tests.trials.running import changed_torch, needs_torch, tried

pytestmark = needs_torch

FLIPPED = """
real, calls = module.mm, []
def mm(*arguments, **named):
    result = real(*arguments, **named)
    calls.append(1)
    if len(calls) > 6:
        result[3, 5] += 1000
    return result
module.mm = mm
"""
"""Spoils one value of later matrix products, as a sick chip would."""


@pytest.fixture(scope="module")
def view() -> View:
    return tried("gpu")


def test_products_are_measured_and_right(view: View) -> None:
    products = view.gpu_trial.devices["0"].products

    assert set(products) == {"fp32", "bf16"}
    assert all(product.error is None and product.tflops > 0 for product in products.values())
    assert products["fp32"].relative_error < 2e-6 < products["bf16"].relative_error < 1e-2
    assert all(product.changed == 0 and 1 < product.worst_row < 20 for product in products.values())


def test_only_the_processor_is_tried_once(view: View) -> None:
    assert list(view.gpu_trial.devices) == ["0"]
    assert view.gpu_trial.passed_over == {}


def test_a_spoilt_value_is_seen(tmp_path: Path) -> None:
    spoilt = (
        tried("gpu", environment=changed_torch(tmp_path, FLIPPED)).gpu_trial.devices["0"].products["fp32"]
    )

    assert spoilt.changed == 1
    assert spoilt.worst_row > 20


def test_a_gpu_that_is_not_there_is_not_tried() -> None:
    trial = tried("gpu", gpus=[3]).gpu_trial

    assert (trial.state, trial.reason) == (
        State.NOT_ATTEMPTED,
        "there is no GPU 3; this machine has none",
    )


def test_without_torch_nothing_is_tried(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('libfoo.so: cannot open shared object file')")

    trial = tried("gpu", environment={"PYTHONPATH": str(tmp_path)}).gpu_trial

    assert trial.state is State.NOT_ATTEMPTED
    assert "cannot be imported" in trial.reason
