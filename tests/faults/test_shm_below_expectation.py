"""shm-below-expectation"""

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from codeblue.remedy.shell import command
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "shm-below-expectation"
DOCKER = {"state": "read", "engine": "docker", "injected": []}
GIB = 1 << 30


def machine(total: object, wanted: str | None, **sections: object) -> Snapshot:
    """Return a machine with a /dev/shm of this size."""
    row = {"filesystems": {"/dev/shm": {"total": total}}}
    return recording("h200-healthy", filesystems=row, expectations=expecting(shm=wanted), **sections)


def test_fires_on_a_smaller_one() -> None:
    [finding] = judge(FAULT, machine(8 * GIB, "16G")).findings

    assert [e.value for e in finding.evidence] == [8 * GIB, "16G"]
    assert finding.remedy
    assert command(finding.remedy.steps[0]) == "sudo mount -o remount,size=16g /dev/shm"


def test_fires_in_a_container_with_another_way_out() -> None:
    [finding] = judge(FAULT, machine(64 << 20, "16G", container=DOCKER)).findings

    assert finding.remedy and finding.remedy.steps[0].verb is Verb.INSTRUCT


def test_fires_where_there_is_none() -> None:
    none = {"state": "read", "source": "statvfs {key}", "filesystems": {}}
    snapshot = recording("h200-healthy", filesystems=none, expectations=expecting(shm="1M"))

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


@pytest.mark.parametrize(("total", "wanted"), [(16 * GIB, "16G"), (0, "16G"), (1 << 20, None), (9, "9")])
def test_clear_when_it_is_large_enough(total: int, wanted: str | None) -> None:
    assert judge(FAULT, machine(total, wanted)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_size_was_not_read() -> None:
    assert judge(FAULT, machine(..., "16G")).outcome is Outcome.SKIPPED
