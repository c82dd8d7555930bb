"""torch-torchvision-version-mismatch"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "torch-torchvision-version-mismatch"


def judged(torch: str, vision: str) -> Verdict:
    python = {"distributions": {"torchvision": {"version": vision}}}
    return judge(FAULT, recording("h200-healthy", torch={"version": torch}, python=python))


def test_fires_as_a_risk_and_names_the_right_partner() -> None:
    [finding] = judged("2.11.0+cu130", "0.20.1").findings

    assert finding.kind is Kind.RISK
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {
        "python": "/opt/torch/.venv/bin/python3",
        "requirement": "torchvision==0.26.0+cu130",
        "index": "https://download.pytorch.org/whl/cu130",
    }


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: operator torchvision::nms does not exist",
        "RuntimeError: Couldn't load custom C++ ops. This can happen",
        "NotImplementedError: Could not run 'torchvision::nms' with arguments from the 'CUDA' backend.",
        "Detected that PyTorch and torchvision were compiled with different CUDA major versions.",
    ],
)
def test_fires_as_trouble_on_the_words_of_torchvision(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.kind is Kind.TROUBLE


@pytest.mark.parametrize(
    ("torch", "vision"),
    [
        ("2.11.0+cu130", "0.26.0"),
        ("2.2.1", "0.17.0+cu121"),
        ("2.11.0", "0.26.7"),
        ("2.6.0a0+ecf3bae40a.nv25.1", "0.20.0a0"),
    ],
    ids=["pair", "same-series", "unknown-patch", "preview"],
)
def test_clear_when_they_fit_or_nobody_knows(torch: str, vision: str) -> None:
    assert judged(torch, vision).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_version_of_torch_is_unknown() -> None:
    verdict = judge(FAULT, recording("h200-healthy", torch={"state": "error"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch: error")
