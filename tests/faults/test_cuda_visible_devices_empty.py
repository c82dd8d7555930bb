"""cuda-visible-devices-empty"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording

FAULT = "cuda-visible-devices-empty"
HIDDEN: dict[str, Any] = {"init": 100, "count": None, "devices": {}, "unmasked_init": 0, "unmasked_count": 1}


def masked(value: str, **changes: Any) -> Snapshot:
    """Return the machine with the variable set to ``value`` and every GPU hidden."""
    environment = {"variables": {"CUDA_VISIBLE_DEVICES": value}}
    return recording("h200-healthy", environment=environment, **({"cuda": HIDDEN} | changes))


@pytest.mark.parametrize(
    ("value", "variant"), [("", "empty"), (" ", "empty"), ("-1", "-1"), ("NoDevFiles", "NoDevFiles")]
)
def test_fires_when_the_value_hides_every_gpu(value: str, variant: str) -> None:
    [finding] = judge(FAULT, masked(value)).findings

    assert (finding.subject, finding.variant) == ("env:CUDA_VISIBLE_DEVICES", variant)
    assert finding.certainty is Certainty.CERTAIN
    assert "cuda.unmasked_count" in [e.path for e in finding.evidence]


def test_fires_when_only_nvml_still_sees_the_gpu() -> None:
    blind = {**HIDDEN, "unmasked_init": 999, "unmasked_count": None}

    [finding] = judge(FAULT, masked("", cuda=blind)).findings

    assert "nvml.count" in [e.path for e in finding.evidence]


def test_asks_slurm_for_a_gpu_instead_of_touching_its_variable() -> None:
    [finding] = judge(FAULT, masked("NoDevFiles")).findings

    assert finding.remedy is not None
    assert "Slurm" in finding.remedy.summary.say("en")


@pytest.mark.parametrize("value", ["0", "9", "0,-1"])
def test_clear_when_the_value_names_devices(value: str) -> None:
    assert judge(FAULT, masked(value)).outcome is Outcome.CLEAR


def test_clear_when_the_variable_is_not_set() -> None:
    assert judge(FAULT, recording("h200-healthy", cuda=HIDDEN)).outcome is Outcome.CLEAR


def test_clear_when_cuda_works_in_spite_of_the_value() -> None:
    works = {"init": 0, "count": 1, "unmasked_init": 0, "unmasked_count": 1}

    assert judge(FAULT, masked("-1", cuda=works)).outcome is Outcome.CLEAR


def test_clear_on_a_machine_without_a_gpu() -> None:
    nothing = {**HIDDEN, "unmasked_init": 100, "unmasked_count": None}
    no_nvml = {"state": "absent"}

    assert judge(FAULT, masked("", cuda=nothing, nvml=no_nvml)).outcome is Outcome.CLEAR


def test_claims_nothing_when_it_is_not_known_what_is_there_without_the_value() -> None:
    unknown = {**HIDDEN, "unmasked_count": ...}

    assert judge(FAULT, masked("", cuda=unknown)).outcome is Outcome.SKIPPED


def test_claims_nothing_when_the_environment_was_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", environment={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "environment: denied")


def test_fires_on_the_count_of_nvml_when_cuda_was_not_called() -> None:
    [finding] = judge(FAULT, masked("", cuda={"state": "timeout"})).findings

    assert [e.path for e in finding.evidence] == ["environment[CUDA_VISIBLE_DEVICES]", "nvml.count"]


def test_claims_nothing_when_neither_library_was_called() -> None:
    verdict = judge(FAULT, masked("", cuda={"state": "timeout"}, nvml={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout; nvml: timeout")
