"""gpu-memory-held-by-other-process"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

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
    assert judge(FAULT, text(refused(users, allocated=allocated))).outcome is Outcome.CLEAR


def test_clear_on_the_older_message_when_others_hold_less_than_half_of_the_card() -> None:
    older = (
        "RuntimeError: CUDA out of memory. Tried to allocate 200.00 MiB (GPU 0; 8.00 GiB total capacity; "
        "5.50 GiB already allocated; 20.00 MiB free; 5.70 GiB reserved in total by PyTorch)"
    )

    assert judge(FAULT, text(older)).outcome is Outcome.CLEAR


def test_clear_when_the_request_would_have_fitted() -> None:
    users = "Process 42 has 60.00 GiB memory in use. " + OWN.format("5.00 GiB")

    assert judge(FAULT, text(refused(users, free="15.00 GiB"))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
