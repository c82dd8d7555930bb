"""allocator-fragmentation"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "allocator-fragmentation"
NEW = (
    "CUDA out of memory. Tried to allocate {tried}. GPU 0 has a total capacity of 24.00 GiB of which "
    "300.00 MiB is free. Including non-PyTorch memory, this process has 23.60 GiB memory in use. Of the "
    "allocated memory 18.00 GiB is allocated by PyTorch, with 64.00 MiB allocated in private pools (e.g., "
    "CUDA Graphs), and {idle} is reserved by PyTorch but unallocated."
)
OLD = (
    "CUDA out of memory. Tried to allocate {tried} (GPU 0; 24.00 GiB total capacity; 18.00 GiB already "
    "allocated; 300.00 MiB free; 23.00 GiB reserved in total by PyTorch)"
)


@pytest.mark.parametrize(
    "line", [NEW.format(tried="2.00 GiB", idle="5.00 GiB"), OLD.format(tried="2.00 GiB")]
)
def test_fires_when_the_unused_memory_would_have_been_enough(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.subject == "gpu:0"
    assert "2.00 GiB were refused on GPU 0 although PyTorch holds 5.00 GiB" in finding.summary.say("en")


@pytest.mark.parametrize(
    "line", [NEW.format(tried="2.00 GiB", idle="900.00 MiB"), OLD.format(tried="6.00 GiB")]
)
def test_clear_when_even_the_unused_memory_is_too_little(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_clear_when_the_line_gives_no_numbers() -> None:
    assert judge(FAULT, text("RuntimeError: CUDA error: out of memory")).outcome is Outcome.CLEAR


def test_each_gpu_is_reported_once() -> None:
    line = NEW.format(tried="2.00 GiB", idle="5.00 GiB")

    verdict = judge(FAULT, text(line, line, line.replace("GPU 0", "GPU 1")))

    assert [f.subject for f in verdict.findings] == ["gpu:0", "gpu:1"]


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
