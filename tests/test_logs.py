"""Text to sightings: hostile bytes, ranks, repeats, lines nobody knows."""

from pathlib import Path

import pytest

from codeblue.model.facts import Sightings
from codeblue.model.fault import Signature
from codeblue.sources import texts
from codeblue.sources.logs import Signatures, clean, read_lines
from codeblue.sources.target import Unusable
from codeblue.state import Pseudonyms

SIGNATURES = Signatures(
    [
        ("disk-full", (Signature("No space left", r"No space left on device: '(?P<path>[^']+)'"),)),
        ("disk-any", (Signature("space", r"space left"),)),
    ]
)
FULL = "OSError: [Errno 28] No space left on device: '/data/x'"


def read(*lines: str) -> Sightings:
    """Return the sightings of lines."""
    return read_lines(lines, "job.log", SIGNATURES)


def test_a_line_is_captured_with_its_place_and_values() -> None:
    seen = read("start", FULL).seen

    assert [(s.fault, s.line, s.values) for s in seen] == [
        ("disk-full", 2, {"path": "/data/x"}),
        ("disk-any", 2, {}),
    ]


@pytest.mark.parametrize("prefix", ["[rank3]: ", "[rank3]:[W1130 12:00:00.1 x.cpp:1] ", "[Rank 3] "])
def test_the_rank_of_a_line_is_kept(prefix: str) -> None:
    assert read(prefix + FULL).seen[0].rank == 3


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "trainer-1  | ",
        "Nov 30 12:00:00 node7 train[71]: ",
        "2026-11-30T12:00:00+01:00 node7 train[71]: ",
        "2026-11-30T12:00:00.123456789Z stderr F ",
        "2026-11-30 12:00:00,123 - trainer - ERROR - ",
        "[2026-11-30 12:00:00,123] [ERROR] [launch.py:325] ",
        "[   12.345678] ",
        "[Mon Nov 30 12:00:00 2026] ",
        "(RayWorkerWrapper pid=71, ip=10.0.0.1) ERROR 11-30 12:00:00 [engine.py:9] ",
        "[1,3]<stderr>: ",
        "[default3]:",
        "3: ",
        "E0000 00:00:1732.5   71 cuda_dnn.cc:83] ",
        "E       ",
        "app | (Worker pid=3) [rank3]: ",
    ],
)
def test_a_line_is_known_behind_what_others_put_in_front(prefix: str) -> None:
    anchored = Signatures([("ended", (Signature("Killed", r"^Killed$"),))])

    assert [s.fault for s in read_lines([prefix + "Killed"], "job.log", anchored).seen] == ["ended"]
    assert read(prefix + "MyError: odd").unrecognised_errors == [prefix + "MyError: odd"]


def test_a_rank_in_front_can_be_asked_for_behind_other_prefixes() -> None:
    ranked = Signatures([("raised", (Signature("[rank", r"^\[rank\d+\]: KeyError"),))])

    assert read_lines(["web-1  | [rank2]: KeyError: 'x'"], "job.log", ranked).seen[0].rank == 2


@pytest.mark.parametrize("line", ["| 0  N/A  Killed |", "was Killed", "docker: Error: Killed"])
def test_words_that_are_no_prefix_stay(line: str) -> None:
    anchored = Signatures([("ended", (Signature("Killed", r"^Killed"),))])

    assert read_lines([line], "job.log", anchored).seen == []


@pytest.mark.parametrize("mark", ["# note: ", "  # NOTE: ", "// note: ", "# 备注："])
def test_what_the_reporter_says_is_marked_as_a_note(mark: str) -> None:
    section = read(mark + FULL, mark + "MyError: x", FULL)

    assert [(s.line, s.note) for s in section.seen if s.fault == "disk-full"] == [(1, True), (3, False)]
    assert section.unrecognised_errors == []


def test_escape_sequences_and_nul_bytes_are_taken_out() -> None:
    assert clean("\x1b[31mred\x1b[0m \x00x\x1b]0;title\x07y\r\n") == "red xy"
    assert read("\x1b[1mOSError: No \x00space left on device: '/a'").seen[0].values == {"path": "/a"}


def test_a_line_that_repeats_for_ever_is_kept_a_few_times() -> None:
    assert len([s for s in read(*[FULL] * 1000).seen if s.fault == "disk-full"]) == 20


def test_the_last_errors_nobody_knows_are_reported() -> None:
    section = read("MyError: first", "fine", "[rank0]: package.OtherError: second", FULL)

    assert section.unrecognised_errors == ["MyError: first", "[rank0]: package.OtherError: second"]


def test_a_file_of_raw_bytes_is_read(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(b"\xff\xfe\x00\n" + b"x" * 300_000 + b"\n" + FULL.encode() + b"\n")

    view = texts.read(str(log), SIGNATURES, Pseudonyms("key"))

    assert [s.fault for s in view.section(Sightings).seen] == ["disk-full", "disk-any"]


def test_the_host_that_nccl_names_is_kept_as_a_pseudonym(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("node7:12:12 [0] NCCL INFO Bootstrap: Using eth0\nnode7:13:13 [1] NCCL INFO x\n")
    pseudonyms = Pseudonyms("key")

    assert texts.read(str(log), SIGNATURES, pseudonyms).host_name == pseudonyms.pseudonym("host", "node7")


def test_a_log_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot read the log: No such file"):
        texts.read(str(tmp_path / "none.log"), SIGNATURES, Pseudonyms("key"))
