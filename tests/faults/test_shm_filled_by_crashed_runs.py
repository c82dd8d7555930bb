"""shm-filled-by-crashed-runs"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "shm-filled-by-crashed-runs"
SAID = (
    (
        (
            "NCCL WARN Error: failed to extend /dev/shm/nccl-a1B2c3 to 9637892 bytes, error: No space "
            "left on device (28)"
        ),
        "# note: pod has restarted 14 times; segments from the crashed workers are still there",
    ),
    (
        "$ df -h /dev/shm",
        "shm  16G  16G  0 100% /dev/shm",
        "$ ls -lt /dev/shm | head -3",
        "-rw------- 1 root root 300M nccl-x0Y1z2",
        "-rw------- 1 root root 300M nccl-q3R4s5",
    ),
    (
        "# note: 训练崩溃之后 /dev/shm 里的文件没有清理，占满了，重启后 NCCL 直接失败",
        "posix_fallocate failed : No space left on device",
    ),
    (
        "DataLoader worker (pid 77) is killed by signal: Bus error.",
        "# note: /dev/shm is full of leftovers from previous runs on this node",
    ),
)
OTHERS = (
    (
        "NCCL WARN Call to posix_fallocate failed : No space left on device",
        "# Kubernetes pod, default 64M; NCCL_SHM_DISABLE=1 makes it run",
    ),
    (
        (
            "RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error. It is possible that "
            "dataloader's workers are out of shared memory."
        ),
    ),
    (
        "RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error.",
        "# note: the container crashes as soon as num_workers > 0, /dev/shm is full",
    ),
    (
        (
            "UserWarning: resource_tracker: There appear to be 5 leaked semaphore objects to clean up at "
            "shutdown"
        ),
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
