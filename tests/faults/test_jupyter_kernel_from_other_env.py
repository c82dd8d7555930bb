"""jupyter-kernel-from-other-env"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import joined, judge, recording, text

FAULT = "jupyter-kernel-from-other-env"
OTHER = {"interpreter": "/usr/bin/python3", "exists": True, "own": False, "torch": False}


def notebooks(**kernels: dict[str, Any]) -> Snapshot:
    return recording("h200-healthy", jupyter={"state": "read", "kernels": {"python3": OTHER} | kernels})


def test_fires_where_no_kernel_has_torch() -> None:
    [finding] = judge(FAULT, notebooks()).findings

    assert finding.kind is Kind.RISK
    assert finding.summary.values["interpreter"] == "/usr/bin/python3"


def test_fires_as_the_cause_of_a_failed_import() -> None:
    [cause] = diagnose(joined(notebooks(), text("ModuleNotFoundError: No module named 'torch'"))).causes

    assert (cause.finding.fault, cause.others) == (FAULT, ("torch-not-installed",))


@pytest.mark.parametrize(
    "snapshot",
    [
        notebooks(mine=OTHER | {"own": True, "torch": True}),
        notebooks(also=OTHER | {"torch": True}),
        notebooks(server={"interpreter": "python"}),
        notebooks(python3=OTHER | {"exists": False}),
        recording("h200-healthy", jupyter={"state": "absent"}),
    ],
    ids=["registered", "another-torch", "of-the-server", "gone", "no-kernels"],
)
def test_clear_where_a_kernel_fits_or_nobody_can_tell(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_where_torch_of_the_kernel_is_unread() -> None:
    unread = {key: value for key, value in OTHER.items() if key != "torch"}

    assert judge(FAULT, notebooks(python3=unread)).outcome is Outcome.SKIPPED
