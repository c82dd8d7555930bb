"""cpu-time-taken-by-others"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.feeding import PROCESSORS, tried

FAULT = "cpu-time-taken-by-others"


@pytest.mark.parametrize(
    ("processors", "variant"),
    [
        ({"effective": 30.0, "others": 31.0}, "processes"),
        ({"effective": 34.0, "stolen": 20.0, "others": 25.0}, "hypervisor"),
    ],
)
def test_fires_on_who_took_them(processors: dict[str, float], variant: str) -> None:
    [finding] = judge(FAULT, tried(processors)).findings

    assert (finding.variant, finding.kind) == (variant, Kind.RISK)


@pytest.mark.parametrize(
    "processors",
    [
        {"effective": 58.0, "others": 31.0},  # delivered all the same
        {"effective": 30.0, "others": 2.0},  # few cores with many threads, a low clock: nobody took it
        {"effective": 2.0, "quota": 2.0, "others": 40.0},  # no more was promised
        {"allowed": 128, "effective": 60.0, "others": 64.0},  # not all of them were tried
    ],
)
def test_clear_where_nobody_took_what_was_promised(processors: dict[str, float]) -> None:
    assert judge(FAULT, tried(processors)).outcome is Outcome.CLEAR


def test_clear_when_small() -> None:
    assert judge(FAULT, tried({"effective": 30.0, "others": 31.0}, small=True)).outcome is Outcome.CLEAR


def test_claims_nothing_without_the_trial() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED


def test_claims_nothing_where_the_kernel_does_not_tell_who_took_them() -> None:
    machine = tried({"effective": 30.0})
    told = {name: value for name, value in PROCESSORS.items() if name not in ("others", "stolen")}
    trial = {"state": "read", "devices": {"0": {"small": False, "processors": told | {"effective": 30.0}}}}

    assert judge(FAULT, machine).outcome is Outcome.CLEAR
    assert judge(FAULT, recording("h200-healthy", loader_trial=trial)).outcome is Outcome.SKIPPED
