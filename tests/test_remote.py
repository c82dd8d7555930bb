"""What is said of a machine on which the probe could not be started."""

import pytest

from codeblue.sources.remote import refusal
from codeblue.sources.target import parse
from codeblue.transport import complaints

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


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            b"ssh: connect to host 10.0.0.1 port 22: Connection refused\n"
            b"kex_exchange_identification: Connection closed by remote host\n"
            b"Connection closed by UNKNOWN port 65535\n",
            "ssh: connect to host 10.0.0.1 port 22: Connection refused",
        ),
        (
            b"channel 0: open failed: connect failed: No route to host\nstdio forwarding failed\n",
            "channel 0: open failed: connect failed: No route to host",
        ),
        (b"Connection closed by UNKNOWN port 65535\r\n", "Connection closed by UNKNOWN port 65535"),
        (b"first\nlast\n\n", "last"),
        (b" \n", ""),
    ],
)
def test_the_reason_is_told_and_not_its_echo(said: bytes, told: str) -> None:
    assert complaints.last(said) == told
