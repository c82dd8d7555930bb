"""secure-boot-rejects-next-module"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge
from tests.faults.next_boot import RUNNING, machine

FAULT = "secure-boot-rejects-next-module"
ON = {"secure_boot": True}
UNSIGNED = {"module_signed": False}


@pytest.mark.parametrize("more", [{}, {"kernel": RUNNING, "module_version": "590.1.1"}])
def test_fires_on_an_unsigned_module(more: dict[str, Any]) -> None:
    [finding] = judge(FAULT, machine(UNSIGNED | more, host=ON)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, Certainty.LIKELY)


@pytest.mark.parametrize(
    ("next_boot", "host"),
    [
        ({}, ON),
        (UNSIGNED, {"secure_boot": False}),
        (UNSIGNED, {"secure_boot": None}),
        (UNSIGNED | {"kernel": RUNNING}, ON),
        ({"modules": [], "module_signed": None}, ON),
        (UNSIGNED, ON | {"mok_validation": False}),
    ],
    ids=["signed", "off", "no UEFI", "proved by this boot", "no module", "shim does not check"],
)
def test_clear_where_it_will_load(next_boot: dict[str, Any], host: dict[str, Any]) -> None:
    assert judge(FAULT, machine(next_boot, host=host)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_module_could_not_be_unpacked() -> None:
    assert judge(FAULT, machine({"module_signed": ...}, host=ON)).outcome is Outcome.SKIPPED
    assert judge(FAULT, machine({"module_signed": ...}, host={"secure_boot": False})).outcome is Outcome.CLEAR
