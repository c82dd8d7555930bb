"""Every engine gives the same answer as the signatures, line by line."""

import os
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from codeblue.faults import index
from codeblue.model.fault import Signature
from codeblue.sources.logs import PER_FAULT, Signatures
from codeblue.sources.scan import compiled
from codeblue.sources.scan.engines import engine
from codeblue.sources.scan.loosen import loosened
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.scanner import About, Scanner
from tests.scan.tools import CATALOGUE, ENGINES, by_lines, pairs
from tests.test_signatures import MEANS_NOTHING, SAID

RULES = Rules(CATALOGUE)
FEW = Rules(
    Signatures(
        (fault, index.entries()[fault].signatures) for fault in ("gpu-memory-exhausted", "node-disk-pressure")
    )
)
"""Compiled in no time."""
MADE = {name: engine(RULES, (name,)) for name in ENGINES}
every_engine = pytest.mark.parametrize("name", ENGINES)

PREFIXES = (
    "",
    "[rank3]: ",
    "[rank3]:[W1130 12:00:00.1 x.cpp:1] ",
    "trainer-1  | ",
    "Nov 30 12:00:00 node7 train[71]: ",
    "2026-11-30T12:00:00.123456789Z stderr F ",
    "[   12.345678] ",
    "[1,3]<stderr>: ",
    "3: ",
    "E       ",
    "\x1b[31m",
    "caf\u00e9 \u2018",
    "50%|####      | 5/10\r",
)
PIECES = sorted(
    {
        *(line for _, line, _ in SAID),
        *MEANS_NOTHING,
        *(one.anchor for entry in index.entries().values() for one in entry.signatures),
        "Killed",
        "OSError: version `GLIBC_2.38' not found (required by /opt/lib/libtorch.so)",
        "version \u2018GLIBCXX_3.4.32\u2019 not found",
        "MyError: odd",
    }
)


def by_engine(name: str, text: bytes) -> set[tuple[int, str]]:
    """Return line and fault of all sightings; lines are numbered from 1.

    Few lines are read at a time: of one fault only twenty would be kept.
    """
    lines = text.split(b"\n")
    found = set()
    for start in range(0, len(lines), PER_FAULT):
        scanner = Scanner(RULES, MADE[name], About())
        scanner.feed(b"\n".join(lines[start : start + PER_FAULT]))
        found |= {(start + line, fault) for line, fault in pairs(scanner.tally.sightings("job.log"))}
    return found


def expected(lines: list[str]) -> set[tuple[int, str]]:
    """Return the same line by line: what follows a carriage return is looked at by itself."""
    parts = [(n, part) for n, line in enumerate(lines, start=1) for part in line.split("\r")]
    return {(n, fault) for n, part in parts for _, fault in by_lines([part])}


@every_engine
def test_words_of_the_catalogue_are_found_behind_every_prefix(name: str) -> None:
    lines = [prefix + line for _, line, _ in SAID for prefix in PREFIXES]

    assert by_engine(name, "\n".join(lines).encode()) == expected(lines) != set()


@every_engine
def test_every_signature_is_found_in_lines_made_of_it(name: str) -> None:
    """Random lines that a pattern matches, one for each signature of the catalogue."""
    texts, wanted = _matching()

    found = [by_engine(name, "\n".join(text).encode("utf-8", "replace")) for text in texts]

    assert found == wanted
    assert sum(map(len, found)) > sum(map(len, texts)) // 2


@cache
def _matching() -> tuple[list[list[str]], list[set[tuple[int, str]]]]:
    """Return the lines, and what is to be found in them; to make them takes a while."""
    made = []
    randomness = random.Random(7)  # noqa: S311 - no secret
    for entry in index.entries().values():
        for one in entry.signatures:
            pattern = one.pattern
            # Beyond ASCII only what the pattern itself writes.
            own = {character for character in pattern if character > "~"}
            alphabet = st.characters(max_codepoint=0x7E, include_characters=own)
            example = st.from_regex(pattern, fullmatch=True, alphabet=alphabet)
            made.append(_drawn(example, randomness))
    lines = [line for line in made if "\n" not in line and "\r" not in line]
    # The tally keeps a few of each fault: many texts, not one.
    texts = [lines[n : n + 10] for n in range(0, len(lines), 10)]
    return texts, [expected(text) for text in texts]


def _drawn(strategy: st.SearchStrategy[str], randomness: random.Random) -> str:
    drawn: list[str] = []

    @settings(max_examples=1, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def once(value: str) -> None:
        drawn.append(value)

    once()
    return drawn[0]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(PREFIXES),
            st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=3),
        ),
        max_size=12,
    )
)
@example([("", ["No \x00space left on device: '/a'"])])
@example([("", ["\x1b]0;", "Killed"]), ("", ["\x07Killed"])])
@example([("Epoch 3\r", ["Killed"]), ("", ["Killed\r"])])
def test_all_engines_agree_with_the_signatures_on_any_lines(made: list[tuple[str, list[str]]]) -> None:
    lines = [(prefix + "".join(pieces)).replace("\n", " ") for prefix, pieces in made]
    text = "\n".join(lines).encode("utf-8", "replace")
    lines = text.decode("utf-8").split("\n")

    answers = {name: by_engine(name, text) for name in ENGINES}

    assert answers == dict.fromkeys(ENGINES, expected(lines))


@every_engine
def test_a_storm_is_counted_to_the_last_line(name: str) -> None:
    """Common literals make an engine change its way; the answer stays."""
    line = "[rank1]: CUDA error: an illegal memory access was encountered"
    text = "\n".join([line, "fine"] * 5000).encode()
    scanner = Scanner(RULES, MADE[name], About())
    for _ in range(3):
        scanner.feed(text + b"\n")

    seen = [one for one in scanner.tally.sightings("job.log") if one.fault == "illegal-memory-access"]

    assert sum(one.repeats for one in seen) == 15000
    assert (len(seen), seen[-1].last_line, seen[0].rank) == (20, 29999, 1)


@every_engine
def test_a_signature_with_another_anchor_than_its_pattern_needs_both(name: str) -> None:
    rules = Rules(Signatures([("odd", (Signature("needed words", r"some words"),))]))
    scanner = Scanner(rules, engine(rules, (name,)), About())
    scanner.feed(b"some words\nsome words, and the needed words\nneeded words\n")

    assert pairs(scanner.tally.sightings("x")) == {(2, "odd")}


def test_parts_that_cross_lines_do_not_match() -> None:
    assert loosened(r"a\s+b[^c]d") == r"a[\x09\x0b-\x0d\x1c-\x20\x80-\xff]+b" + (
        r"(?:[\x00-\x09\x0b-bd-\x7f]|[\x80-\xff]{1,4})d"
    )


def test_an_engine_that_cannot_be_used_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeblue.sources.scan.engines.installed", lambda: ("no-such-engine", "stdlib"))

    # An unknown name is served by the standard library, the last in every list.
    assert engine(RULES).name == "stdlib"


class TestCompiledDatabases:
    """What is kept between runs."""

    needs_hyperscan = pytest.mark.skipif("hyperscan" not in ENGINES, reason="hyperscan is not installed")

    @pytest.fixture(autouse=True)
    def cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """An empty cache directory."""
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        return tmp_path / "codeblue"

    def works(self) -> bool:
        """Tell whether the engine, made anew, finds something."""
        scanner = Scanner(FEW, engine(FEW, ("hyperscan",)), About())
        scanner.feed(b"CUDA error: out of memory\n")
        return pairs(scanner.tally.sightings("x")) == {(1, "gpu-memory-exhausted")}

    @needs_hyperscan
    def test_a_database_is_kept_once_and_used_again(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert self.works()
        [kept] = cache.iterdir()
        assert kept.stat().st_mode & 0o777 == 0o600
        monkeypatch.setattr("codeblue.sources.scan.by_hyperscan._made", None)

        assert self.works()

    @needs_hyperscan
    @pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "foreign", "folder"])
    def test_a_damaged_file_is_as_good_as_none(self, cache: Path, damage: str) -> None:
        assert self.works()
        [kept] = cache.iterdir()
        content = kept.read_bytes()
        kept.unlink()
        if damage == "folder":
            kept.mkdir()
        else:
            flipped = content[:5000] + bytes([content[5000] ^ 255]) + content[5001:]
            made = {"cut": content[:-1], "flipped": flipped, "empty": b"", "foreign": b"x" * 5000}
            kept.write_bytes(made[damage])

        assert self.works()

    @needs_hyperscan
    def test_a_file_that_others_may_write_is_not_trusted(self, cache: Path) -> None:
        compiled.store("x-1", [b"a", b"b"])
        assert compiled.load("x-1", 2) == [b"a", b"b"]
        (cache / "x-1").chmod(0o666)

        assert compiled.load("x-1", 2) is None

    @needs_hyperscan
    def test_a_cache_that_cannot_be_written_costs_only_time(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "file"
        file.write_text("")
        monkeypatch.setenv("XDG_CACHE_HOME", str(file))

        assert self.works()

    def test_only_the_newest_databases_stay(self, cache: Path) -> None:
        for n in range(6):
            compiled.store(f"engine-{n}", [b"a"])
            os.utime(cache / f"engine-{n}", (n, n))
        compiled.store("engine-6", [b"a"])

        assert sorted(os.listdir(cache)) == ["engine-3", "engine-4", "engine-5", "engine-6"]

    def test_the_name_depends_on_signatures_and_library(self) -> None:
        names = [compiled.key("e", version, sources) for version in "12" for sources in ("ab", "ac")]

        assert len(set(names)) == 4
