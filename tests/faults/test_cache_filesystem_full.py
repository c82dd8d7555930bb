"""cache-filesystem-full"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cache-filesystem-full"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("OSError: [Errno 28] No space left on device: '/home/me/.cache/huggingface/hub/tmp1'"),
            Certainty.CERTAIN,
        ),
        (
            ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"),
            Certainty.CERTAIN,
        ),
        ("UserWarning: Not enough free disk space to download the file.", Certainty.LIKELY),
    ],
)
def test_fires_on_a_full_cache_or_temporary_folder(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("RuntimeError: unable to write to file </torch_12_3>: No space left on device (28)"),
        "OSError: [Errno 28] No space left on device: '/dev/shm/psm_1'",
        "pipeline 3: No space left on device",
    ],
)
def test_clear_on_shared_memory_and_other_disks(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
