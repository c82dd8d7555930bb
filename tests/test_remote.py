"""What is said of a machine on which the probe could not be started."""

import pytest

from codeblue.sources.remote import refusal
from codeblue.sources.target import parse

SRUN = "srun: error: Unable to allocate resources: "


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            f"{SRUN}Requested nodes are busy",
            "slurm:n1: not looked at: allocated; jobs are at work there, and ours would queue",
        ),
        (
            f"{SRUN}Required node not available (down, drained or reserved)",
            "slurm:n1: Slurm starts nothing there: Required node not available (down, drained or reserved); "
            "try ssh:n1",
        ),
        (
            f"{SRUN}Invalid account or account/partition combination specified",
            f"slurm:n1: {SRUN}Invalid account or account/partition combination specified",
        ),
    ],
)
def test_what_srun_says_is_told_as_sinfo_would_have_told_it(words: str, told: str) -> None:
    assert refusal(parse("slurm:n1"), words).say("en") == told
