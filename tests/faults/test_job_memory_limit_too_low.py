"""job-memory-limit-too-low"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "job-memory-limit-too-low"
SHOWS = (
    (
        (
            "slurmstepd: error: Detected 1 oom_kill event in StepId=412.batch. Some of the step "
            "tasks have been OOM Killed."
        ),
    ),
    ("slurmstepd: error: Exceeded job memory limit at some point.",),
    (
        "    Reason:       OOMKilled",
        "    Exit Code:    137",
    ),
    ('          "reason": "OOMKilled",',),
    (
        "#SBATCH --mem=8G",
        "Killed",
        "# the job loads a checkpoint",
    ),
    ("# note: 作业只申请了 8G 内存，加载数据时被 kill",),
)
OTHERS = (
    (
        "torch.OutOfMemoryError: CUDA out of memory.",
        "#SBATCH --mem=8G",
    ),
    ("The node was low on resource: memory. Container was using 30Gi, request is 8Gi",),
    ("Killed",),
    ('            "OOMKilled": true,',),
    ('            "OOMKilled": false,',),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_limit_that_was_reached(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_shortages_of_memory(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
