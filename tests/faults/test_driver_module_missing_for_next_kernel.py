"""driver-module-missing-for-next-kernel"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge
from tests.faults.next_boot import NEXT, RUNNING, machine

FAULT = "driver-module-missing-for-next-kernel"
MISSING: dict[str, Any] = {"modules": [], "module_version": None, "module_signed": None}


@pytest.mark.parametrize(
    ("more", "certainty"),
    [
        ({}, Certainty.CERTAIN),
        ({"chosen_by": "newest-file"}, Certainty.LIKELY),
        ({"enabled": ["dkms"]}, Certainty.POSSIBLE),
        ({"enabled": ["dkms"], "headers": False}, Certainty.CERTAIN),
    ],
)
def test_fires_when_only_the_running_kernel_has_a_module(more: dict[str, Any], certainty: Certainty) -> None:
    [finding] = judge(FAULT, machine(MISSING | more)).findings

    assert (finding.kind, finding.certainty) == (Kind.RISK, certainty)
    assert NEXT in finding.summary.say("en") and RUNNING in finding.summary.say("zh")
    assert finding.remedy is not None and NEXT in finding.remedy.steps[0].why.say("en")


@pytest.mark.parametrize(
    ("next_boot", "changes"),
    [
        ({}, {}),
        (MISSING | {"kernel": RUNNING}, {}),
        (MISSING | {"kernels": [NEXT]}, {}),
        (MISSING, {"modules": {"on_disk": []}}),
        (MISSING, {"pci": {"nvidia_gpus": []}}),
    ],
    ids=["module there", "same kernel", "kernel from outside", "driver from elsewhere", "no GPU"],
)
def test_clear_where_nothing_is_lost(next_boot: dict[str, Any], changes: dict[str, Any]) -> None:
    assert judge(FAULT, machine(next_boot, **changes)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_kernel_is_not_known() -> None:
    verdict = judge(FAULT, machine({"kernel": ...}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "next_boot.kernel: not-attempted")
