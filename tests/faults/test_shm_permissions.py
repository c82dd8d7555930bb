"""shm-permissions"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "shm-permissions"


def shm(**row: Any) -> dict[str, Any]:
    return {"filesystems": {"/dev/shm": row}}


def test_fires_when_the_user_may_not_write() -> None:
    closed = shm(mode="0755", writable=False)

    [finding] = judge(FAULT, recording("h200-healthy", filesystems=closed)).findings

    assert (finding.subject, finding.certainty) == ("filesystem:/dev/shm", Certainty.CERTAIN)
    assert [e.value for e in finding.evidence] == [False, "0755", 65534]
    assert finding.remedy and finding.remedy.steps[0].args == {"path": "/dev/shm", "mode": "1777"}


def test_fires_as_read_only() -> None:
    [finding] = judge(
        FAULT, recording("h200-healthy", filesystems=shm(read_only=True, writable=False))
    ).findings

    assert finding.variant == "read-only"


@pytest.mark.parametrize(
    "line",
    [
        "PermissionError: [Errno 13] Permission denied: '/dev/shm/sem.abc'",
        "unable to open shared memory object </torch_1> in read-write mode: Permission denied",
        "NCCL WARN Error: could not open /dev/shm/nccl-x1: Permission denied",
    ],
)
def test_fires_on_what_programs_say(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is Certainty.LIKELY


@pytest.mark.parametrize("row", [{}, {"mode": "0777"}, {"mode": "0755"}])
def test_clear_when_the_user_may_write(row: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", filesystems=shm(**row))).outcome is Outcome.CLEAR


def test_clear_on_another_path() -> None:
    assert judge(FAULT, text("PermissionError: [Errno 13] Permission denied: '/data/x'")).findings == ()


def test_claims_nothing_when_nobody_tried_to_write() -> None:
    assert judge(FAULT, recording("h200-healthy", filesystems=shm(writable=...))).outcome is Outcome.SKIPPED


SAID = (
    (
        "PermissionError: [Errno 13] Permission denied",
        '  File "multiprocessing/synchronize.py", line 57, in __init__',
        "    sl = self._semlock = _multiprocessing.SemLock(",
    ),
    (
        (
            "# note: drwxr-xr-x root root /dev/shm, dataloader workers of normal users die "
            "with Permission denied"
        ),
    ),
)
NEAR = (
    "RuntimeError: unable to write to file </torch_1>: No space left on device",
    "# note: /dev/shm is 64M",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
