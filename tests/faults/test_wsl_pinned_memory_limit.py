"""wsl-pinned-memory-limit"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "wsl-pinned-memory-limit"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("failed to alloc 1073741824 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory"),
            Certainty.LIKELY,
        ),
        (
            ("W device_host_allocator.h:46] could not allocate pinned host memory of size: 966367744"),
            Certainty.LIKELY,
        ),
        ("RuntimeError: Caught RuntimeError in pin memory thread for device 0.", Certainty.POSSIBLE),
    ],
)
def test_fires_when_pinning_fails(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: CUDA error: out of memory",
        "RuntimeError: Caught ValueError in DataLoader worker process 0.",
    ],
)
def test_clear_on_a_full_gpu(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
