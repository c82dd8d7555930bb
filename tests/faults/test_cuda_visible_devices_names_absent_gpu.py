"""cuda-visible-devices-names-absent-gpu"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording

FAULT = "cuda-visible-devices-names-absent-gpu"
SECOND = {"exists": True, "char": True, "mode": "0666", "open_rw": "ok"}


def machine(value: str, usable: int, there: int | None = 2, **changes: Any) -> Snapshot:
    """Return a machine of two GPUs on which CUDA enumerates ``usable`` devices."""
    cuda = {
        "init": 0 if usable else 100,
        "count": usable or None,
        "unmasked_init": 0 if there else 100,
        "unmasked_count": there,
    }
    sections = {
        "environment": {"variables": {"CUDA_VISIBLE_DEVICES": value}},
        "cuda": cuda,
        "nodes": {"nodes": {"/dev/nvidia1": SECOND}},
    }
    return recording("h200-healthy", **(sections | changes))


@pytest.mark.parametrize(
    ("value", "usable", "variant"),
    [
        ("9", 0, "index"),
        ("2", 0, "index"),
        ("0,9", 1, "index"),
        ("abc", 0, "word"),
        ("all", 0, "word"),
        ("0,x,1", 1, "word"),
        ("0,0", 0, "duplicate"),
        ("0,-1,1", 1, "word"),
    ],
)
def test_fires_on_an_entry_that_cuda_cannot_accept(value: str, usable: int, variant: str) -> None:
    [finding] = judge(FAULT, machine(value, usable)).findings

    assert (finding.variant, finding.certainty) == (variant, Certainty.CERTAIN)
    assert f"{usable} of {value.count(',') + 1} named" in finding.summary.say("en")


def test_fires_likely_when_no_uuid_of_the_list_is_there() -> None:
    [finding] = judge(FAULT, machine("gpu-00000000ffff", 0)).findings

    assert (finding.variant, finding.certainty) == ("uuid", Certainty.LIKELY)


def test_fires_on_the_number_of_the_host_inside_a_container_with_one_gpu() -> None:
    closed = {"nodes": {"/dev/nvidia1": {**SECOND, "open_rw": "EPERM"}}}

    [finding] = judge(FAULT, machine("1", 0, there=1, nodes=closed)).findings

    assert finding.variant == "index"


@pytest.mark.parametrize(
    ("value", "usable"),
    [("0,1", 2), ("1", 1), ("0", 1), ("0,", 1), ("gpu-00000000ffff", 1), ("mig-00000000ffff,gpu-1", 1)],
)
def test_clear_when_everything_that_is_named_is_usable(value: str, usable: int) -> None:
    assert judge(FAULT, machine(value, usable)).outcome is Outcome.CLEAR


def test_clear_when_the_named_gpu_is_there_and_closed_to_the_user() -> None:
    closed = {"nodes": {"/dev/nvidia1": {**SECOND, "mode": "0600", "open_rw": "EACCES"}}}

    assert judge(FAULT, machine("0,1", 1, there=1, nodes=closed)).outcome is Outcome.CLEAR


def test_clear_when_cuda_accepts_more_than_the_rule_expects() -> None:
    assert judge(FAULT, machine("0,9,1", 2)).outcome is Outcome.CLEAR


def test_clear_when_a_closed_gpu_shifts_the_numbers() -> None:
    closed = {"nodes": {"/dev/nvidia0": {"open_rw": "EACCES"}, "/dev/nvidia1": SECOND}}

    assert judge(FAULT, machine("1", 0, there=1, nodes=closed)).outcome is Outcome.CLEAR


@pytest.mark.parametrize("value", ["", "-1", "NoDevFiles"])
def test_clear_on_values_that_hide_every_gpu(value: str) -> None:
    assert judge(FAULT, machine(value, 0)).outcome is Outcome.CLEAR


def test_clear_on_a_machine_without_a_gpu() -> None:
    snapshot = machine("3", 0, there=None, nodes={"state": "absent"})

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_variable_is_not_set() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_when_cuda_was_not_tried() -> None:
    verdict = judge(FAULT, machine("9", 0, cuda={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")
