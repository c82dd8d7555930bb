"""Files of every kind and size: packed, foreign, damaged, hostile, many."""

import bz2
import gzip
import lzma
import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from codeblue.model.skipped import words
from codeblue.sources.scan import chunks, read, work
from codeblue.sources.scan.opened import binary
from codeblue.sources.scan.read import scan
from tests.scan.tools import FULL, SIMPLE, pairs, scanned, written

TEXT = f"start\n{FULL}\nend\n".encode()


def found(path: Path | str) -> set[tuple[int, str]]:
    """Return line and fault of what is found in a file."""
    return pairs(scanned(str(path)).seen)


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, partial(lzma.compress, preset=0)], ids=["gz", "bz2", "xz"]
)
def test_a_packed_log_is_read_whatever_its_name(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    log = tmp_path / "job.log"
    log.write_bytes(pack(TEXT))

    assert found(log) == {(2, "disk-full")}


def test_several_packed_parts_in_a_row_are_one_text(tmp_path: Path) -> None:
    log = tmp_path / "job.log.gz"
    log.write_bytes(gzip.compress(b"start\n") + gzip.compress(FULL.encode() + b"\n"))

    assert found(log) == {(2, "disk-full")}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the standard library reads zstd")
def test_zstd_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "job.log.zst"
    log.write_bytes(bytes.fromhex("28b52ffd") + TEXT)
    monkeypatch.setitem(sys.modules, "zstandard", None)

    [skipped] = scanned(str(log)).skipped

    assert "pip install zstandard" in words(skipped.why, skipped.detail).say("en")


def test_zstd_is_read(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    log = tmp_path / "job.log.zst"
    log.write_bytes(zstandard.compress(TEXT))

    assert found(log) == {(2, "disk-full")}


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, partial(lzma.compress, preset=0)], ids=["gz", "bz2", "xz"]
)
def test_a_cut_archive_is_judged_as_far_as_it_goes(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    log = tmp_path / "job.log.gz"
    noise = os.urandom(3_000_000).hex().encode()
    whole = pack(TEXT + b"\n".join(noise[n : n + 90] for n in range(0, len(noise), 90)))
    log.write_bytes(whole[: len(whole) * 2 // 3])

    result = scanned(str(log))

    assert pairs(result.seen) == {(2, "disk-full")}
    assert [(one.file, one.why) for one in result.skipped] == [(str(log), "damaged")]


def test_a_damaged_archive_is_said_to_be_damaged(tmp_path: Path) -> None:
    log = tmp_path / "job.log.gz"
    log.write_bytes(b"\x1f\x8b\x08" + b"\0" * 5)

    assert [one.why for one in scanned(str(log)).skipped] == ["damaged"]


@pytest.mark.parametrize(
    "content",
    [
        TEXT.decode().encode("utf-16"),
        TEXT.decode().encode("utf-16-be").join([b"\xfe\xff", b""]),
        TEXT.decode().encode("utf-16-le"),
        TEXT.decode().encode("utf-32"),
        b"\xef\xbb\xbf" + TEXT,
        "caf\u00e9\n".encode("latin-1") + FULL.encode("latin-1"),
        TEXT.replace(b"\n", b"\r\n"),
        b"start\n" + TEXT.split(b"\n")[1].replace(b"space", b"\0sp\x1b[31mace"),
        b"\0" * 100_000 + b"start\n" + FULL.encode(),
        b"start\n" + FULL.encode(),
    ],
    ids=[
        "utf-16",
        "utf-16-be",
        "no-mark",
        "utf-32",
        "utf-8-mark",
        "latin-1",
        "crlf",
        "escapes",
        "hole",
        "no-end",
    ],
)
def test_a_foreign_text_is_read(tmp_path: Path, content: bytes) -> None:
    log = tmp_path / "job.log"
    log.write_bytes(content)

    assert found(log) == {(2, "disk-full")}


def test_words_of_another_encoding_stay_readable(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_bytes("No space left on device: '/données'".encode("latin-1"))

    assert scanned(str(log)).seen[0].values == {"path": "/données"}


@pytest.mark.parametrize(
    "content",
    [b"\x7fELF" + bytes(range(256)) * 90, os.urandom(20_000), b"\x89PNG\r\n\x1a\n" + b"x" * 99],
    ids=["elf", "random", "png"],
)
def test_what_is_no_text_is_listed(tmp_path: Path, content: bytes) -> None:
    log = tmp_path / "core"
    log.write_bytes(content + FULL.encode())

    result = scanned(str(log))

    assert (result.seen, [one.why for one in result.skipped]) == ([], ["binary"])


@pytest.mark.parametrize(
    "text", ["训练日志：显存不足\n" * 200, "\x1b[1mok\x1b[0m\n" * 99, "", "журнал\n" * 9]
)
def test_ordinary_text_is_no_binary(text: str) -> None:
    assert not binary(text.encode())
    assert not binary(text.encode("gb18030"))


def test_a_progress_bar_is_one_line_and_its_last_word_counts(tmp_path: Path) -> None:
    bar = "".join(f"{n}%|###\r" for n in range(10_000))
    log = written(tmp_path, "start", f"{bar}Killed", "end", FULL)

    assert found(log) == {(2, "ended"), (4, "disk-full")}


@pytest.mark.parametrize("size", [chunks.LINE, chunks.LINE + 1, chunks.CHUNK, 5_000_000])
def test_a_line_without_end_does_not_shift_the_others(tmp_path: Path, size: int) -> None:
    log = written(tmp_path, "start", "x" * size + FULL, FULL, "y" * size, "Killed")

    assert found(log) == {(3, "disk-full"), (5, "ended")}


def test_a_line_of_a_hundred_megabytes_takes_little_memory(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    with log.open("wb") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"\nKilled\n")
    code = "import sys; from tests.scan.tools import *\nprint(pairs(scanned(sys.argv[1]).seen), peak())"

    said = subprocess.run(
        [sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=True
    ).stdout.rpartition(" ")

    assert said[0] == "{(2, 'ended')}"
    assert int(said[2]) < 100


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_chunks_are_whole_lines_and_nothing_is_lost(size: int) -> None:
    text = b"a\nbb\r\nccc\rdd\n\n" * 50 + b"end"
    parts = list(chunks.chunks(_Bytes(text), size))

    assert b"".join(parts) == text
    assert all(part.endswith((b"\n", b"\r")) for part in parts[:-1])


class _Bytes:
    """A text that is given out in small pieces."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    def read(self, size: int, /) -> bytes:
        """Return less than asked for."""
        block, self.text = self.text[: max(1, size // 3)], self.text[max(1, size // 3) :]
        return block


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_parts_of_a_file_give_what_the_whole_gives(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"[rank{n % 3}]: 2026-11-30 10:00:{n % 60:02d} step {n}" for n in range(3000)]
    for n in range(7, 3000, 97):
        lines[n] = f"[rank{n % 3}]: {FULL if n % 2 else 'Killed'}"
    lines[1500] = "z" * 100_000
    log = written(tmp_path, *lines)
    whole = scanned(log)
    monkeypatch.setattr(work, "PART", 10_000)
    monkeypatch.setattr(work, "SMALL", 100)

    parts = scan(log, SIMPLE, processes, ("stdlib",))

    assert parts.seen == whole.seen
    assert sum(one.repeats for one in parts.seen) == 31
    # Which counts lines of each label depends on the size of the file alone.
    assert parts.streams == whole.streams


def test_a_folder_is_read_with_all_that_lies_in_it(tmp_path: Path) -> None:
    written(tmp_path, "start", FULL, name="a/job.log")
    written(tmp_path, "Killed", name="a/job.log.1")
    (tmp_path / "b.log.2.gz").write_bytes(gzip.compress(TEXT))
    (tmp_path / "core").write_bytes(b"\x7fELF" + bytes(1000))
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "a" / "again.log").symlink_to(tmp_path / "a" / "job.log")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")

    result = scanned(str(tmp_path))

    assert sorted((Path(one.file).name, one.line, one.fault) for one in result.seen) == [
        ("again.log", 2, "disk-full"),
        ("b.log.2.gz", 2, "disk-full"),
        ("job.log.1", 1, "ended"),
    ]
    assert sorted((Path(one.file).name, one.why) for one in result.skipped) == [
        ("core", "binary"),
        ("gone", "unreadable"),
        ("pipe", "not-regular"),
    ]


def test_many_small_files_are_read_in_processes(tmp_path: Path) -> None:
    for n in range(500):
        written(tmp_path, "fine", FULL if n % 100 == 0 else "fine", name=f"pod-{n}.log")

    result = scan(str(tmp_path), SIMPLE, 2)

    assert (result.files, len(result.seen)) == (500, 5)


def test_a_file_without_permission_is_listed() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        Path(written(folder, FULL, name="closed.log")).chmod(0)
        written(folder, FULL, name="open.log")
        own = os.geteuid()
        if own == 0:
            os.seteuid(65534)  # root may read everything
        try:
            result = scanned(name)
        finally:
            os.seteuid(own)

    assert len(result.seen) == 1
    assert [(one.why, one.detail) for one in result.skipped] == [("unreadable", "Permission denied")]


def test_the_standard_input_is_read(tmp_path: Path) -> None:
    code = "from tests.scan.tools import *; print(pairs(scan('-', SIMPLE).seen))"

    said = subprocess.run(
        [sys.executable, "-c", code], input=gzip.compress(TEXT), capture_output=True, check=True
    )

    assert said.stdout == b"{(2, 'disk-full')}\n"


def test_a_large_file_is_read_with_the_standard_library_alone(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    log.write_bytes(b"step 1 fine\n" * 200_000 + TEXT)

    assert found(log) == {(200_002, "disk-full")}


def test_a_named_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()

    assert found(pipe) == {(2, "disk-full")}
    writer.join()


def test_a_long_pipe_takes_little_memory() -> None:
    """Two hundred megabytes of ordinary lines, with one that is not."""
    code = "from tests.scan.tools import *\nseen = scan('-', SIMPLE).seen\nprint(pairs(seen), peak())"
    make = "for n in $(seq 20); do yes 'step 12 loss 0.25' | head -c 10000008; done; echo Killed"
    with subprocess.Popen(["sh", "-c", make], stdout=subprocess.PIPE) as source:
        said = subprocess.run(
            [sys.executable, "-c", code], stdin=source.stdout, capture_output=True, check=True
        )

    seen, _, peak = said.stdout.decode().rpartition(" ")
    assert "ended" in seen
    assert int(peak) < 100


def test_a_file_that_shrinks_while_it_is_read_ends_early(tmp_path: Path) -> None:
    log = written(tmp_path, *["fine"] * 1000)
    with open(log, "rb") as file:
        parts = chunks.slices(file.fileno(), 0, 5000, 1000)
        first = bytes(next(parts))
        os.truncate(log, 1500)

        rest = b"".join(map(bytes, parts))

    assert len(first + rest) == 1500


def test_storms_in_many_files_stay_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MOST_SIGHTINGS", 30)
    for n in range(10):
        written(tmp_path, *["Killed"] * 100, name=f"{n}.log")

    assert len(scanned(str(tmp_path)).seen) == 30


def test_a_small_text_needs_no_foreign_library(tmp_path: Path) -> None:
    log = written(tmp_path, "start", FULL)
    code = (
        "import sys; from codeblue.sources.scan.read import scan\n"
        "from codeblue.sources.logs import Signatures\n"
        "scan(sys.argv[1], Signatures([]))\n"
        "print({'hyperscan', 're2', 'zstandard', 'concurrent.futures', 'multiprocessing'} & set(sys.modules))"
    )

    said = subprocess.run(
        [sys.executable, "-c", code, log], capture_output=True, text=True, check=True
    ).stdout

    assert said == "set()\n"


def test_the_whole_is_searched_with_few_descriptors(tmp_path: Path) -> None:
    for n in range(300):
        written(tmp_path, "Killed", name=f"{n}.log")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        assert scanned(str(tmp_path)).files == 300
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
