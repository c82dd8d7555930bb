"""two-torch-installs-mixed"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording, text

FAULT = "two-torch-installs-mixed"


def judged(*copies: str) -> Verdict:
    return judge(FAULT, recording("h200-healthy", python={"duplicates": {"torch": list(copies)}}))


def test_fires_as_a_risk_on_two_copies_in_one_folder() -> None:
    [finding] = judged("2.11.0 at /env/lib", "2.9.1 at /env/lib").findings

    assert finding.kind is Kind.RISK
    assert "2.11.0, 2.9.1" in finding.summary.say("en")
    assert finding.remedy is not None
    assert [step.verb for step in finding.remedy.steps] == [
        Verb.PIP_UNINSTALL,
        Verb.PIP_UNINSTALL,
        Verb.PIP_INSTALL,
    ]


@pytest.mark.parametrize(
    "line",
    [
        "ImportError: /env/torch/lib/libtorch_python.so: undefined symbol: _ZN2at4_ops3fooE",
        "AttributeError: module 'torch._C' has no attribute '_dispatch_foo'",
        "AttributeError: 'module' object has no attribute '_init_names'",
    ],
)
def test_fires_on_libraries_that_do_not_belong_together(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.kind is Kind.TROUBLE


@pytest.mark.parametrize(
    "line",
    [
        "AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'",
        "ImportError: /env/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommFoo",
        "ImportError: /env/my_ops.cpython-312.so: undefined symbol: _ZN2at4_ops3fooE",
    ],
)
def test_clear_on_other_missing_names(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is not Outcome.FIRED


def test_clear_when_copies_lie_apart() -> None:
    assert judged("2.11.0 at /env/lib", "2.9.1 at /usr/lib").outcome is Outcome.CLEAR
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_packages_were_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", python={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python: denied")
