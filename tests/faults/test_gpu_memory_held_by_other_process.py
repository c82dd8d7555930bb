"""gpu-memory-held-by-other-process"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

FAULT = "gpu-memory-held-by-other-process"


def refused(users: str, *, free: str = "1.00 GiB", allocated: str = "4.00 GiB") -> str:
    """Return PyTorch's message for 8 GiB refused on a card of 80 GiB."""
    return (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB. GPU 2 has a total capacity "
        f"of 80.00 GiB of which {free} is free. {users}Of the allocated memory {allocated} is allocated by "
        "PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated."
    )


OWN = "Including non-PyTorch memory, this process has {} memory in use. "


def test_fires_when_another_process_holds_most_of_the_memory() -> None:
    users = "Process 41 has 3.00 GiB memory in use. Process 42 has 71.00 GiB memory in use. "

    [finding] = judge(FAULT, text(refused(users + OWN.format("5.00 GiB")))).findings

    assert (finding.subject, finding.certainty) == ("gpu:2", Certainty.CERTAIN)
    assert "process 42 holds 71.00 GiB of GPU 2" in finding.summary.say("en")


def test_fires_likely_in_a_container_where_the_own_process_has_no_name() -> None:
    users = "Process 41 has 74.00 GiB memory in use. Process 42 has 4.60 GiB memory in use. "

    [finding] = judge(FAULT, text(refused(users))).findings

    assert finding.certainty is Certainty.LIKELY
    assert "process 41" in finding.summary.say("en")


def test_fires_likely_on_the_older_message_when_most_of_the_card_is_in_other_hands() -> None:
    older = (
        "RuntimeError: CUDA out of memory. Tried to allocate 200.00 MiB (GPU 0; 8.00 GiB total capacity; "
        "60.00 MiB already allocated; 20.00 MiB free; 80.00 MiB reserved in total by PyTorch)"
    )

    [finding] = judge(FAULT, text(older)).findings

    assert finding.certainty is Certainty.LIKELY
    assert "7.90 GiB of GPU 0" in finding.summary.say("en")


@pytest.mark.parametrize(
    ("users", "allocated"),
    [
        (OWN.format("79.00 GiB"), "78.00 GiB"),
        ("Process 41 has 0.40 GiB memory in use. " + OWN.format("78.50 GiB"), "78.00 GiB"),
        ("Process 41 has 79.00 GiB memory in use. ", "78.00 GiB"),
        ("Process 41 has 6.50 GiB memory in use. " + OWN.format("6.00 GiB"), "5.00 GiB"),
        ("", "78.00 GiB"),
        ("Process 41 has 10.00 GiB memory in use. " + OWN.format("68.00 GiB"), "67.00 GiB"),
        ("Process 41 has 79.00 GiB memory in use. ", "30.00 GiB"),
    ],
    ids=[
        "alone",
        "desktop beside it",
        "itself in a container",
        "too big anyway",
        "no list",
        "the larger one",
        "also outside PyTorch",
    ],
)
def test_clear_when_the_job_itself_is_too_big(users: str, allocated: str) -> None:
    assert judge(FAULT, text(refused(users, allocated=allocated))).findings == ()


def test_clear_on_the_older_message_when_others_hold_less_than_half_of_the_card() -> None:
    older = (
        "RuntimeError: CUDA out of memory. Tried to allocate 200.00 MiB (GPU 0; 8.00 GiB total capacity; "
        "5.50 GiB already allocated; 20.00 MiB free; 5.70 GiB reserved in total by PyTorch)"
    )

    assert judge(FAULT, text(older)).findings == ()


def test_clear_when_the_request_would_have_fitted() -> None:
    users = "Process 42 has 60.00 GiB memory in use. " + OWN.format("5.00 GiB")

    assert judge(FAULT, text(refused(users, free="15.00 GiB"))).findings == ()


def held(gib: int, **changes: Any) -> dict[str, Any]:
    """Return NVML's rows for a card of 140 GiB of which a process holds ``gib``."""
    processes = [{"pid": 41, "memory_bytes": gib << 30, "name": "serve"}] if gib else []
    row = {"memory_total": 140 << 30, "memory_used": gib << 30, "processes": processes}
    return {"gpus": {"0": row | changes, "1": {"handle": 15}}}


BARE_ERROR = "RuntimeError: CUDA error: out of memory"
REFUSED = {"devices": {"0": {"ok": False, "error": BARE_ERROR}}}
BUSY = {"devices": ..., "unread": {"devices": "busy"}}


def test_fires_when_the_trial_found_no_memory_and_a_process_holds_it() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nvml=held(139), torch_trial=REFUSED)).findings

    assert (finding.subject, finding.kind, finding.certainty) == ("gpu:0", Kind.TROUBLE, Certainty.LIKELY)
    assert "serve (41)" in finding.summary.say("en")
    assert finding.evidence[-1].path == "torch_trial[0].error"


def test_fires_as_a_possibility_when_only_a_text_says_that_memory_ran_out() -> None:
    machine = recording("h200-healthy", nvml=held(100), torch_trial={"state": "not-attempted"})

    [finding] = judge(FAULT, joined(machine, text(BARE_ERROR))).findings

    assert finding.certainty is Certainty.POSSIBLE


def test_a_full_gpu_that_could_not_be_tried_is_only_a_risk() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nvml=held(140), torch_trial=BUSY)).findings

    assert (finding.kind, finding.severity.value) == (Kind.RISK, "note")


def test_clear_on_a_gpu_in_use_that_nobody_else_needs() -> None:
    for nvml, trial in ((held(139), {}), (held(100), BUSY), (held(0), REFUSED)):
        snapshot = recording("h200-healthy", nvml=nvml, torch_trial=trial)
        assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text_and_without_nvml() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"}, nvml={"state": "timeout"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
