"""Output of nccl-tests in all its shapes becomes facts; what is garbled stays unread."""

import pytest

from codeblue.model.facts import CollectiveTests
from codeblue.model.section import NotRead
from codeblue.sources.clues import Line
from codeblue.sources.pasted import sections

HEAD = "# nThread 1 nGpus 2 minBytes 1048576 maxBytes 268435456 step: 256(factor) warmup iters: 5 iters: 20"
RANKS = (
    "#  Rank  0 Group  0 Pid   4711 on     node-a device  0 [0000:1b:00] NVIDIA H200",
    "#  Rank  1 Group  0 Pid   4712 on     node-a device  1 [0000:43:00] NVIDIA H200",
)
NOW = (
    "#   size   count   type   redop   root   time   algbw   busbw #wrong   time   algbw   busbw #wrong",
    "#      (B)    (elements)      (us)  (GB/s)  (GB/s)      (us)  (GB/s)  (GB/s)",
    "    1048576   262144   float   sum   -1   46.10   22.75   22.75   0   44.92   23.34   23.34   0",
    "   268435456   67108864   float   sum   -1   880.2  304.97  304.97   0   871.4  308.05  308.05   0",
)


def read(*lines: str) -> CollectiveTests:
    told = sections([Line(text, "out.txt", n, False) for n, text in enumerate(lines, start=1)])
    section = told["collective_tests"]
    assert isinstance(section, CollectiveTests)
    return section


def test_the_shape_of_today() -> None:
    [test] = read(
        "# Collective test starting: all_reduce_perf",
        HEAD,
        "# Using devices",
        *RANKS,
        *NOW,
        "# Out of bounds values : 0 OK",
        "# Avg bus bandwidth    : 165.4 ",
        "# Collective test concluded: all_reduce_perf",
    ).tests

    assert (test.program, test.wrong, test.average) == ("all_reduce_perf", 0, 165.4)
    assert [(gpu.machine, gpu.device, gpu.name) for gpu in test.gpus.values()] == [
        (0, 0, "NVIDIA H200"),
        (0, 1, "NVIDIA H200"),
    ]
    largest = test.transfers[-1]
    assert (largest.size_bytes, largest.reduction, largest.bus_bandwidth) == (268435456, "sum", 308.05)
    assert largest.wrong == 0


@pytest.mark.parametrize(
    ("head", "row", "reduction"),
    [
        (
            "#      size      count    type     time   algbw   busbw  error     time   algbw   busbw  error",
            "   268435456    8388608   float   1192.2  225.16  197.01  0e+00   1136.0  236.29  206.76  4e-07",
            None,
        ),
        (
            "#   size   count   type   redop   time   algbw   busbw  error   time   algbw   busbw  error",
            "  268435456 67108864 float sum 2112.2 127.09 222.40 5e-07 2111.8 127.11 206.76 5e-07",
            "sum",
        ),
        (
            "#   size   count   type   root   time   algbw   busbw  error   time   algbw   busbw  error",
            "   268435456  67108864  float  0  1190.7  225.44  206.76  0e+00  1201.1  223.49  203.49  N/A",
            None,
        ),
    ],
)
def test_old_shapes_without_root_or_reduction_count_no_wrong_values(
    head: str, row: str, reduction: str | None
) -> None:
    older = "#   Rank  0 Pid  12164 on   node-a device  0 [0x1a] A100-SXM4-40GB"

    [test] = read(HEAD, older, head, row).tests

    [transfer] = test.transfers
    assert (transfer.reduction, transfer.wrong) == (reduction, None)
    assert transfer.bus_bandwidth in (206.76, 222.40)
    assert test.gpus["0"].name == "A100-SXM4-40GB"


def test_wrong_values_are_counted_also_where_they_are_many() -> None:
    row = "   33554432  8388608  float  sum  -1  4633.1  7.24  7.24  1.67772e+07  4585.1  7.32  7.32  3"

    [test] = read(HEAD, NOW[0], row, "# Out of bounds values : 108 FAILED").tests

    assert (test.transfers[0].wrong, test.wrong) == (16777200, 108)


def test_values_that_were_not_compared_are_not_right() -> None:
    row = "   268435456  67108864  float  sum  -1  880.2  304.97  304.97  N/A  871.4  308.05  308.05  N/A"

    assert read(HEAD, NOW[0], row).tests[0].transfers[0].wrong is None


@pytest.mark.parametrize("label", ["[1,0]<stdout>:", "(head, rank=0, pid=3808) [1,0]<stdout>:", "[rank0]:"])
def test_labels_of_launchers_are_no_part_of_the_lines(label: str) -> None:
    [test] = read(*(label + line for line in (HEAD, *RANKS, *NOW))).tests

    assert len(test.gpus) == 2
    assert len(test.transfers) == 2


def test_runs_are_told_apart_and_other_lines_are_skipped() -> None:
    first, second = read(
        "$ ./build/all_reduce_perf -b 1M -e 256M -g 2",
        HEAD,
        *RANKS,
        "node-a:4711:4711 [0] NCCL INFO Using network Socket",
        *NOW[:3],
        "node-a:4711:4720 [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM",
        "$ NCCL_PROTO=LL ./build/sendrecv_perf -b 1M -e 256M -g 2",
        HEAD,
        NOW[3],
    ).tests

    assert (first.program, len(first.transfers)) == ("all_reduce_perf", 1)
    assert (second.program, len(second.transfers)) == ("sendrecv_perf", 1)


def test_variables_that_slow_a_run_are_noticed() -> None:
    told = read(
        HEAD, "n:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Tree", "NCCL_MAX_NCHANNELS=1", *NOW
    )

    assert told.tuned == ["NCCL_ALGO", "NCCL_MAX_NCHANNELS"]
    assert read(HEAD, *NOW).tuned == []


def test_a_run_that_was_cut_short_says_no_sum() -> None:
    [test] = read(HEAD, *RANKS, *NOW[:3]).tests

    for fact in ("wrong", "average"):
        with pytest.raises(NotRead):
            getattr(test, fact)


def test_ranks_of_processes_that_did_not_find_each_other_are_not_read() -> None:
    """Without MPI every process is a test of its own, and all call themselves rank 0."""
    [test] = read(HEAD, RANKS[0], RANKS[0], *NOW).tests

    with pytest.raises(NotRead):
        _ = test.gpus


@pytest.mark.parametrize(
    "row",
    [
        "   268435456     67108864     float     sum     -1   880.2  nan  nan     0   871.4  nan  nan     0",
        "   268435456      67108864     float     sum      -1   880.2  304.97",
        "  268435456 67108864 float sum -1 880.2 304.97 304.97 0 1.0 2.0 3.0 4.0 871.4 1 2 3",
        "   268435456    67108864    float    sum    -1   880.2  304.97  3e999  0   871.4  308.05  3e999  0",
        "   268435456 apples and pears",
    ],
)
def test_garbled_rows_are_left_out(row: str) -> None:
    assert read(HEAD, *RANKS, NOW[0], row).tests[0].transfers == []


def test_a_text_without_a_run_says_nothing() -> None:
    assert "collective_tests" not in sections([Line(text, "f", n, False) for n, text in enumerate(NOW)])
