"""process-in-uninterruptible-sleep"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording


def judged(**process: Any) -> Verdict:
    section = {"state": "read", "uninterruptible": True, "waits_in": "rpc_wait_bit_killable"} | process
    return judge("process-in-uninterruptible-sleep", recording("h200-healthy", process=section))


@pytest.mark.parametrize(
    ("place", "variant"),
    [
        ("rpc_wait_bit_killable", "storage"),
        ("ldlm_completion_ast", "storage"),
        ("_nv012345rm", "driver"),
        ("nvidia_ioctl", "driver"),
        ("uvm_va_space_destroy", "driver"),
    ],
)
def test_fires_in_the_driver_and_in_a_network_file_system(place: str, variant: str) -> None:
    [finding] = judged(waits_in=place).findings

    assert (finding.variant, finding.certainty) == (variant, Certainty.LIKELY)


@pytest.mark.parametrize("place", ["io_schedule", "folio_wait_bit_common", "nvme_submit_sync", None])
def test_clear_while_it_waits_for_a_disk_or_nobody_knows_where(place: str | None) -> None:
    assert judged(waits_in=place).outcome is Outcome.CLEAR


def test_clear_when_a_signal_would_reach_it() -> None:
    assert judged(uninterruptible=False).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_place_was_not_read() -> None:
    content = {"state": "read", "uninterruptible": True, "unread": {"waits_in": "denied"}}
    verdict = judge("process-in-uninterruptible-sleep", recording("h200-healthy", process=content))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "process.waits_in: denied")
