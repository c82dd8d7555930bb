"""filesystem-full"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import joined, judge, recording, text

FAULT = "filesystem-full"
LINE = "OSError: [Errno 28] No space left on device"


def disk(role: str = "cwd", **row: Any) -> Snapshot:
    return recording("h200-healthy", filesystems={"filesystems": {role: {"free": 1 << 20} | row}})


def test_fires_as_a_risk_until_a_write_fails() -> None:
    [quiet] = judge(FAULT, disk()).findings
    [told] = judge(FAULT, joined(disk(), text(LINE))).findings

    assert (quiet.kind, quiet.subject, quiet.evidence[0].value) == (Kind.RISK, "filesystem:cwd", 1 << 20)
    assert (told.kind, told.certainty) == (Kind.TROUBLE, Certainty.LIKELY)


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        "error: failed to write to file: No space left on device (os error 28)",
        "write /var/lib/docker/tmp/x: no space left on device",
    ],
)
def test_fires_on_text(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_fires_once_for_roles_on_one_disk() -> None:
    row = {"kind": "ext4", "total": 1 << 40, "free": 0, "inodes": 9, "inodes_free": 9, "read_only": False}
    roles = dict.fromkeys(("/", "/tmp", "cwd"), row)

    assert len(judge(FAULT, recording("h200-healthy", filesystems={"filesystems": roles})).findings) == 1


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (
            "OSError: [Errno 28] No space left on device: '/home/u/.cache/huggingface/x'",
            "cache-filesystem-full",
        ),
        ("OSError: [Errno 28] No space left on device: '/dev/shm/torch_1'", "shm-too-small"),
    ],
)
def test_the_more_special_cause_goes_first(line: str, cause: str) -> None:
    assert [one.finding.fault for one in diagnose(text(line)).causes] == [cause]


@pytest.mark.parametrize(
    "snapshot",
    [
        recording("h200-healthy"),
        disk(free=2 << 30),
        disk(free=1 << 29, total=1 << 30),
        disk(read_only=True),
        disk(free=0, total=0),
        disk("/dev/shm", free=0),
    ],
    ids=["room", "large-disk", "small-disk", "image", "no-size", "shared-memory"],
)
def test_clear_where_there_is_room_or_nobody_writes(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_on_the_limit_of_watches() -> None:
    assert judge(FAULT, text("Failed to watch /data: No space left on device")).findings == ()


def test_claims_nothing_about_a_disk_that_did_not_answer() -> None:
    verdict = judge(FAULT, disk(free=...))

    assert (verdict.outcome, verdict.findings) == (Outcome.SKIPPED, ())
