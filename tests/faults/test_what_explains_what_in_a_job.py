"""Which of a job's lines is its cause, and which are consequences"""

import pytest

from codeblue.diagnose.engine import assemble, evaluate
from codeblue.diagnose.rank import rank
from codeblue.faults import index
from codeblue.model.snapshot import Snapshot
from tests.conftest import recording, text

ENDED = "E1130 10:00:00.0 77 api.py:986] failed (exitcode: 1) local_rank: 1 (pid: 81) of binary: python"
TIMED_OUT = (
    "[rank0]:[E1130 10:00:00.0 ProcessGroupNCCL.cpp:689] [Rank 0] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=4)"
)
FULL = (
    "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB. GPU 1 has a total "
    "capacity of 80.00 GiB of which 1.00 GiB is free. {}Of the allocated memory 3.00 GiB is allocated by "
    "PyTorch, and {} is reserved by PyTorch but unallocated."
)
OTHER = (
    "Process 42 has 71.00 GiB memory in use. "
    "Including non-PyTorch memory, this process has 4.00 GiB memory in use. "
)
OWN = "Including non-PyTorch memory, this process has 79.00 GiB memory in use. "
ASSERTION = "Embedding.cu:9: block: [0,0,0], thread: [0,0,0] Assertion `index < size` failed."


def split(snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """Return the names of causes and consequences."""
    faults = [index.load(entry) for entry in index.entries().values()]
    verdicts = evaluate(faults, assemble(snapshot))
    causes, consequences = rank([f for v in verdicts for f in v.findings], index.explains())
    return [c.finding.fault for c in causes], [c.finding.fault for c in consequences]


@pytest.mark.parametrize(
    ("lines", "cause", "consequences"),
    [
        (
            ["[rank0]: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 60", ENDED],
            "ranks-share-one-gpu",
            {"rank-raised-exception"},
        ),
        (
            [FULL.format(OWN, "0 bytes"), ENDED, TIMED_OUT],
            "oom-on-one-rank",
            {"gpu-memory-exhausted", "rank-raised-exception", "rank-hung"},
        ),
        (
            [FULL.format(OTHER, "0 bytes"), ENDED],
            "gpu-memory-held-by-other-process",
            {"gpu-memory-exhausted", "rank-raised-exception"},
        ),
        ([FULL.format(OWN, "9.00 GiB")], "allocator-fragmentation", {"gpu-memory-exhausted"}),
        (
            [TIMED_OUT, "failed (exitcode: -9) local_rank: 1 (pid: 81) of binary: python"],
            "rank-killed",
            {"rank-hung"},
        ),
        (
            [ASSERTION, "RuntimeError: CUDA error: device-side assert triggered"],
            "index-out-of-range-on-gpu",
            {"kernel-trapped"},
        ),
        (
            ["[rank1]: KeyError: 'labels'", ENDED, TIMED_OUT],
            "rank-raised-exception",
            {"rank-hung"},
        ),
    ],
)
def test_the_specific_line_is_the_cause(lines: list[str], cause: str, consequences: set[str]) -> None:
    causes, explained = split(text(*lines))

    assert causes == [cause]
    assert set(explained) == consequences


def test_an_empty_mask_explains_that_cuda_and_torch_see_no_gpu() -> None:
    snapshot = recording(
        "h200-healthy",
        environment={"variables": {"CUDA_VISIBLE_DEVICES": ""}},
        cuda={"init": 100, "count": None, "devices": {}, "unmasked_init": 0, "unmasked_count": 1},
    )

    causes, explained = split(snapshot)

    assert causes[0] == "cuda-visible-devices-empty"
    assert "cuda-init-failed" in explained
