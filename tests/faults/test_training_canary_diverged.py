"""training-canary-diverged"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.fingerprints import CURVE, base, device, machine

FAULT = "training-canary-diverged"
FLAT = [1.4] * 20


@pytest.mark.parametrize("losses", [FLAT, [*CURVE[:-1], -1.0]])
def test_fires_when_the_loss_does_not_fall_or_is_no_number(losses: list[float]) -> None:
    [finding] = judge(FAULT, machine(device(losses=losses))).findings

    assert finding.subject == "gpu:0"
    assert "by chance" in finding.summary.say("en")


def test_fires_once_when_it_leaves_its_own_band_and_that_of_the_base() -> None:
    verdict = judge(FAULT, machine(device(losses=FLAT), against=base(device())))

    assert len(verdict.findings) == 1


def test_fires_when_it_leaves_the_band_of_the_base() -> None:
    """The processor computes wrongly too: only the base knows how it should go."""
    here = device(losses=FLAT)
    here["canary"]["exact"] = FLAT
    here["canary"]["orders"] = [[loss * scale for loss in FLAT] for scale in (0.98, 0.99, 1.01, 1.02)]

    assert judge(FAULT, machine(here)).outcome is Outcome.CLEAR
    assert len(judge(FAULT, machine(here, against=base(device()))).findings) == 1


def test_clear_when_it_ends_within_chance() -> None:
    other = [loss * 1.03 for loss in CURVE]

    assert judge(FAULT, machine(device(losses=other), against=base(device()))).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
