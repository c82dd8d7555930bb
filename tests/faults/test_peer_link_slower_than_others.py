"""peer-link-slower-than-others"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.trials.test_links_trial import ACROSS, NVLINK, machine

FAULT = "peer-link-slower-than-others"
SLOW = {"gbs": 150.0}


def test_fires_on_a_pair_that_stays_behind_the_others() -> None:
    verdict = judge(FAULT, machine(4, NVLINK, {"2-3": SLOW}))
    [finding] = verdict.findings

    assert (finding.subject, finding.kind) == ("link:2-3", Kind.TROUBLE)
    assert finding.summary.values["speed"] == "150"


def test_fires_on_two_gpus_below_what_their_links_carry() -> None:
    both = {"0-1": {"gbs": 50.0}, "1-0": {"gbs": 50.0}}

    assert len(judge(FAULT, machine(2, NVLINK, both)).findings) == 2


def test_over_pcie_it_is_a_risk() -> None:
    pairs = {f"{one}-{other}": {"gbs": 40.0} for one in range(3) for other in range(3) if one != other}
    [finding] = judge(FAULT, machine(3, ACROSS, pairs | {"0-2": {"gbs": 12.0}})).findings

    assert (finding.subject, finding.kind) == ("link:0-2", Kind.RISK)


@pytest.mark.parametrize(
    ("count", "peer", "pairs"),
    [
        (8, NVLINK, {}),
        (4, NVLINK, {"0-1": {"gbs": 320.0}}),
        (2, ACROSS, {"0-1": {"gbs": 3.0}}),
        (4, NVLINK, {"0-1": {"error": "RuntimeError: out of memory", "gbs": 1.0}}),
        (4, ACROSS, {"0-1": {"access": False, "gbs": 3.0}}),
    ],
    ids=["healthy", "a little", "nothing to compare with", "not measured", "through main memory"],
)
def test_clear_on_ordinary_speeds(
    count: int, peer: dict[str, str], pairs: dict[str, dict[str, object]]
) -> None:
    assert judge(FAULT, machine(count, peer, pairs)).outcome is Outcome.CLEAR


def test_claims_nothing_when_it_was_not_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
