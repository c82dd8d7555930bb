"""Ranks, hosts and times, as lines and file names say them."""

from pathlib import Path

import pytest

from codeblue.model.facts import Stream
from codeblue.sources.scan.times import stamp
from codeblue.sources.scan.whose import Whose, numbered, of_files, of_line
from tests.scan.tools import FULL, scanned, written


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("[rank3]: x", 3),
        ("web-1  | [rank12]: x", 12),
        ("[Rank 4] x", 4),
        ("[1,5]<stderr>: x", 5),
        ("[1,5]<stdout>:x", 5),
        ("[default6]: x", 6),
        ("(VllmWorker rank=2 pid=71) x", 2),
        ("plain", None),
        ("[12345678]: x", None),
    ],
)
def test_the_rank_of_a_line(line: str, rank: int | None) -> None:
    assert of_line(line).rank == rank


def test_bare_numbers_are_ranks_where_the_file_shows_it() -> None:
    assert of_line("3: x") == Whose()
    assert of_line("3: x", True) == of_line(" 3: x", True) == of_line("[3]: x", True) == Whose(3)
    assert numbered(["0: a", "1: b", "0: c", "1: d"])
    assert not numbered(["1: a", "2: b", "3: c"])
    assert not numbered(["0: a", "1: b", "0: c", "words", "more words"])
    assert not numbered(["0: a", "0: b"])


def test_the_host_of_a_line_is_what_nccl_says() -> None:
    assert of_line("node7:12:34 [2] NCCL WARN x") == Whose(None, "node7")
    assert of_line("[rank1]: node7:12:34 [2] NCCL WARN x").rank == 1


@pytest.mark.parametrize(
    ("paths", "ranks"),
    [
        (["/job/none_abc/attempt_0/3/stderr.log"], [3]),
        (["/job/rank_3.log", "/job/log-rank-07.txt", "/job/rank12.out"], [3, 7, 12]),
        (["/job/out_t3.log", "/job/task4.out"], [3, 4]),
        (["/job/train-worker-0.log", "/job/train-worker-1.log"], [0, 1]),
        (["/job/a-master-0.log", "/job/a-worker-0.log", "/job/a-worker-1.log"], [0, 1, 2]),
        # Beside a launcher, or alone, the number of a pod is no rank.
        (["/job/a-launcher-0.log", "/job/a-worker-0.log"], [None, None]),
        (["/job/a-worker-3.log"], [None]),
        # An element of a job array is no rank.
        (["/job/slurm-123_4.out"], [None]),
        (["/job/local_rank_3.log", "/job/frank3.log", "/job/train.log"], [None, None, None]),
        # Two launches of one job on two nodes count their own processes.
        (["/n1/abc/attempt_0/0/stderr.log", "/n2/abc/attempt_0/0/stderr.log"], [None, None]),
    ],
)
def test_the_rank_of_a_file(paths: list[str], ranks: list[int | None]) -> None:
    found = of_files(paths)

    assert [found[path].rank for path in paths] == ranks


def test_slurm_names_the_host_of_a_file() -> None:
    assert of_files(["/job/slurm-123-node07.out"]) == {"/job/slurm-123-node07.out": Whose(None, "node07")}


@pytest.mark.parametrize(
    ("line", "written_as", "when"),
    [
        ("2026-11-30T10:00:00.5+01:00 x", "2026-11-30T10:00:00.5+01:00", "2026-11-30T10:00:00.5+01:00"),
        ("2026-11-30T10:00:00Z x", "2026-11-30T10:00:00Z", "2026-11-30T10:00:00Z"),
        ("2026-11-30 10:00:00,123 - x", "2026-11-30 10:00:00,123", "2026-11-30T10:00:00.123"),
        ("2026-11-30 10:00:00 +0100 x", "2026-11-30 10:00:00 +0100", "2026-11-30T10:00:00+01:00"),
        ("[rank1]: 2026/11/30 10:00:00 x", "2026/11/30 10:00:00", "2026-11-30T10:00:00"),
        ("[Mon Nov 30 10:00:00 2026] NVRM: x", "Mon Nov 30 10:00:00 2026", "2026-11-30T10:00:00"),
        ("[Tue Dec  1 10:00:00 2026] NVRM: x", "Tue Dec  1 10:00:00 2026", "2026-12-01T10:00:00"),
        ("Nov 30 10:00:00 node1 kernel: x", "Nov 30 10:00:00", None),
        ("E1130 10:00:00.123456 71 x.cpp:1] x", "1130 10:00:00.123456", None),
        ("INFO 11-30 10:00:00 [engine.py:9] x", "11-30 10:00:00", None),
        ('{"ts":1795600800.25,"msg":"x"}', "1795600800.25", "2026-11-25T10:00:00.25Z"),
        ("1795600800 x", "1795600800", "2026-11-25T10:00:00Z"),
        ("2026-13-45 99:00:00 x", "2026-13-45 99:00:00", None),
    ],
)
def test_a_time_is_kept_as_written_and_as_iso_where_the_year_is_known(
    line: str, written_as: str, when: str | None
) -> None:
    assert stamp(line) == (written_as, when)


@pytest.mark.parametrize("line", ["step 12 of 300", "loss 1795600800", "12:30 lunch", "v2026-11-30", ""])
def test_other_numbers_are_no_times(line: str) -> None:
    assert stamp(line) is None


def streams(log: str) -> dict[str, Stream]:
    """Return the streams of a log by their labels."""
    return {one.label: one for one in scanned(log).streams}


def test_the_rank_that_fell_silent_first_is_seen(tmp_path: Path) -> None:
    lines = [f"[rank{n % 4}]: 2026-11-30 10:{n // 60:02d}:{n % 60:02d},000 step" for n in range(400)]
    lines = [line for n, line in enumerate(lines) if not (n % 4 == 2 and n > 100)]
    log = written(tmp_path, *lines, "[rank1]: Traceback (most recent call last):")

    seen = streams(log)

    assert set(seen) == {"", "[rank0]:", "[rank1]:", "[rank2]:", "[rank3]:"}
    assert (seen["[rank2]:"].rank, seen["[rank2]:"].last_when) == (2, "2026-11-30T10:01:38.000")
    assert (seen["[rank2]:"].lines, seen["[rank3]:"].lines) == (25, 100)
    assert seen["[rank3]:"].last_when == "2026-11-30T10:06:39.000"
    # A line without a time has that of the line before it, of the same rank.
    assert seen["[rank1]:"].last_when == "2026-11-30T10:06:37.000"
    assert seen["[rank1]:"].last_text == "[rank1]: Traceback (most recent call last):"
    assert seen[""].lines == seen["[rank1]:"].last_line == len(lines) + 1
    assert seen["[rank2]:"].last_line == lines.index("[rank2]: 2026-11-30 10:01:38,000 step") + 1
    assert seen["[rank0]:"].first_when == "2026-11-30T10:00:00.000"


def test_a_file_of_one_rank_is_one_stream(tmp_path: Path) -> None:
    log = written(tmp_path, "2026-11-30 10:00:00 start", "x", "2026-11-30 10:09:00 end", name="rank_3.log")

    [stream] = scanned(log).streams

    assert (stream.rank, stream.lines, stream.first_time) == (3, 3, "2026-11-30 10:00:00")
    assert (stream.last_time, stream.last_text) == ("2026-11-30 10:09:00", "2026-11-30 10:09:00 end")


def test_labels_of_srun_and_compose_tell_streams_apart(tmp_path: Path) -> None:
    srun = written(tmp_path, *(f"{n % 3}: step" for n in range(30)), name="srun.log")
    compose = written(tmp_path, *(f"web-{n % 2}  | step" for n in range(10)), name="compose.log")

    assert [(one.rank, one.lines) for one in streams(srun).values()] == [
        (None, 30),
        (0, 10),
        (1, 10),
        (2, 10),
    ]
    assert set(streams(compose)) == {"", "web-0  |", "web-1  |"}


def test_sightings_have_the_rank_of_their_file_unless_the_line_says_another(tmp_path: Path) -> None:
    log = written(tmp_path, FULL, f"[rank5]: {FULL}", name="rank_3.log")

    assert [one.rank for one in scanned(log).seen] == [3, 5]


def test_the_time_of_a_sighting_is_the_last_one_before_it(tmp_path: Path) -> None:
    log = written(tmp_path, "2026-11-30 10:00:00 a", "x", "Killed")

    assert [(one.time, one.when) for one in scanned(log).seen] == [
        ("2026-11-30 10:00:00", "2026-11-30T10:00:00")
    ]


def test_repeated_lines_are_folded_with_count_and_last(tmp_path: Path) -> None:
    lines = [f"2026-11-30 10:00:{n:02d} [rank1]: {FULL}" for n in range(50)]

    seen = scanned(written(tmp_path, *lines)).seen

    assert (len(seen), sum(one.repeats for one in seen)) == (20, 50)
    assert (seen[-1].line, seen[-1].repeats, seen[-1].last_line) == (20, 31, 50)
    assert seen[-1].last_when == "2026-11-30T10:00:49"
