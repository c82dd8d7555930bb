"""numpy2-with-older-torch"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "numpy2-with-older-torch"


def judged(torch: str, numpy: str, installer: str = "pip") -> Verdict:
    rows = {
        "torch": {"version": torch, "installer": installer},
        "numpy": {"version": numpy, "installer": installer},
    }
    return judge(FAULT, recording("h200-healthy", python={"distributions": rows}))


def test_fires_on_numpy_2_beside_torch_before_2_3() -> None:
    [finding] = judged("2.2.2", "2.0.1").findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["requirement"] == "numpy<2"


@pytest.mark.parametrize(
    "line",
    [
        "A module that was compiled using NumPy 1.x cannot be run in NumPy 2.1.0 as it may crash.",
        "RuntimeError: Numpy is not available",
    ],
)
def test_fires_on_the_warning(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "verdict",
    [judged("2.3.0", "2.0.1"), judged("2.2.2", "1.26.4"), judged("2.2.2", "2.0.1", "conda")],
    ids=["newer-torch", "numpy-1", "conda"],
)
def test_clear_when_they_fit(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_packages_were_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", python={"distributions": ...}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python.distributions: not-attempted")
