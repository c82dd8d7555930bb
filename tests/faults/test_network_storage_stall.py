"""network-storage-stall"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "network-storage-stall"
SHOWS = (
    ("[Tue Nov 10 10:00:00 2026] nfs: server store1 not responding, still trying",),
    (
        (
            "Lustre: work-OST0001: Connection to work-OST0001 (at 10.0.0.9@o2ib) was lost; in "
            "progress operations using this service will wait for recovery to complete"
        ),
    ),
    (
        "alice  4211  D+  python train.py",
        ("# note: the process reads the dataset from an nfs share that dropped and cannot be killed"),
    ),
    ("OSError: [Errno 107] Transport endpoint is not connected: '/mnt/data/train.tar'",),
    ("# note: 数据放在网络盘上，网络盘掉线后训练进程卡死，kill 也杀不掉",),
)
OTHERS = (
    ("# note: the process hangs in the first all-reduce, data on local disk",),
    (
        "alice 4211 D+ python",
        "uvm_va_space_mm",
    ),
    ("import torch from nfs is slow: the triton cache and torchinductor hang on nfs data",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_storage_that_is_silent(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_waits_of_another_kind(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
