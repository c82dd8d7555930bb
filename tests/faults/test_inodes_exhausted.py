"""inodes-exhausted"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import joined, judge, recording, text

FAULT = "inodes-exhausted"


def disk(role: str = "/tmp", **row: Any) -> Snapshot:
    return recording("h200-healthy", filesystems={"filesystems": {role: {"inodes_free": 0} | row}})


def test_fires_as_a_risk_while_nothing_fails() -> None:
    [finding] = judge(FAULT, disk()).findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "filesystem:/tmp")


@pytest.mark.parametrize(
    "line",
    [
        "OSError: [Errno 28] No space left on device",
        "OSError: [Errno 28] No space left on device: '/root/.cache/huggingface/x'",
    ],
)
def test_fires_as_the_cause_of_a_disk_that_seems_full(line: str) -> None:
    [cause] = diagnose(joined(disk(), text(line))).causes

    assert (cause.finding.fault, cause.finding.kind) == (FAULT, Kind.TROUBLE)
    assert "filesystem-full" in cause.others


@pytest.mark.parametrize(
    "snapshot",
    [recording("h200-healthy"), disk(inodes=0), disk(inodes_free=1), disk("/dev/shm"), disk(read_only=True)],
    ids=["many", "on-demand", "one-left", "shared-memory", "image"],
)
def test_clear_where_files_can_be_made(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_about_a_disk_that_did_not_answer() -> None:
    assert judge(FAULT, disk(inodes_free=...)).outcome is Outcome.SKIPPED


SAID = (
    (
        "OSError: [Errno 28] No space left on device",
        "$ df -h /",
        "/dev/sda2  200G  90G  110G  45% /",
        "$ df -i /",
        "/dev/sda2  13M  13M  0  100% /",
    ),
    (
        "No space left on device",
        "# note: 磁盘还有一半空间，但是 inode 用完了",
    ),
    (
        "pip: OSError: [Errno 28] No space left on device",
        "# note: df shows 60 % used, but IUse% is 100% — millions of small files",
        "os: Ubuntu",
    ),
)
NEAR = (
    "OSError: [Errno 28] No space left on device",
    "/dev/sda2  200G  200G  0  100% /",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
