"""gpu-memory-fraction-limit"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-memory-fraction-limit"
NEW = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB. GPU 1 has a total capacity of "
    "80.00 GiB of which {free} is free. Including non-PyTorch memory, this process has 20.50 GiB memory in "
    "use. {allowed}Of the allocated memory 19.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by "
    "PyTorch but unallocated."
)
OLD = (
    "RuntimeError: CUDA out of memory. Tried to allocate 6.00 GiB (GPU 1; 80.00 GiB total capacity; "
    "19.00 GiB already allocated; 55.00 GiB free; 24.00 GiB allowed; 20.00 GiB reserved in total by PyTorch)"
)


@pytest.mark.parametrize("line", [NEW.format(free="55.00 GiB", allowed="24.00 GiB allowed; "), OLD])
def test_fires_when_the_card_had_room_beyond_the_share(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.subject == "gpu:1"
    assert "55.00 GiB free: the process may use 24.00 GiB" in finding.summary.say("en")


def test_clear_when_the_card_itself_was_full() -> None:
    line = NEW.format(free="2.00 GiB", allowed="24.00 GiB allowed; ")

    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_clear_when_the_process_has_no_share() -> None:
    line = NEW.format(free="55.00 GiB", allowed="")

    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
