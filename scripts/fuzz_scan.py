"""``python -m scripts.fuzz_scan [SECONDS]``: random files for the scanner.

Every input is read as a file would be: unpacked, decoded, cut into chunks, searched by each engine that
is installed. Nothing may be raised, and all engines must see the same sightings.
"""

import io
import random
import sys
import time
from pathlib import Path

from codeblue.faults import index
from codeblue.sources.logs import Signatures
from codeblue.sources.scan.chunks import chunks
from codeblue.sources.scan.engines import Engine, engine, installed
from codeblue.sources.scan.opened import NotText, opened
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.scanner import About, Scanner
from codeblue.sources.scan.whose import NOBODY

RULES = Rules(Signatures((entry.id, entry.signatures) for entry in index.entries().values()))
ENGINES = [engine(RULES, (name,)) for name in installed()]
PACKED = (
    b"\x1f\x8b\x08",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
)


def one(data: bytes) -> None:
    """Read one input with every engine."""
    size = 1 + len(data) % 97
    answers = [_answer(data, with_, size) for with_ in ENGINES]
    if any(answer != answers[0] for answer in answers):
        raise AssertionError(f"engines differ: {data!r}")


def _answer(data: bytes, with_: Engine, size: int) -> object:
    try:
        log, _ = opened(io.BytesIO(data))
    except NotText as error:
        return error.why
    scanner = Scanner(RULES, with_, About())
    for chunk in chunks(log.stream, size * 50):
        scanner.first_lines(chunk)
        scanner.feed(chunk)
    scanner.close()
    list(scanner.streams.rows("x", NOBODY))
    return [(seen.line, seen.fault, seen.rank, seen.repeats) for seen in scanner.tally.sightings("x")]


def mutated(randomness: random.Random, words: list[bytes]) -> bytes:
    """Return words of the catalogue, joined, cut, damaged and packed at random."""

    def part() -> bytes:
        return randomness.choice(words) if randomness.random() < 0.7 else randomness.randbytes(4)

    joint = randomness.choice((b"\n", b"\r", b" ", b"\0", b"\r\n"))
    data = bytearray(joint.join(part() for _ in range(12)))
    for _ in range(randomness.randrange(4)):
        data[randomness.randrange(len(data))] = randomness.randrange(256)
    return randomness.choice((b"", b"", b"", *PACKED)) + bytes(data)


def main() -> None:
    """Read mutated words of the catalogue for so many seconds."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    words = [one.anchor.encode() for entry in index.entries().values() for one in entry.signatures]
    words += Path("tests/test_signatures.py").read_bytes().splitlines()
    words += [b"[rank3]: ", b"3: ", b"\x1b[31m", b"\x1b]0;", b"\x07", b"\xc2\x9b", b"Killed"]
    seed = random.randrange(1 << 32)  # noqa: S311 - printed, so that a run can be repeated
    print(f"seed {seed}")
    randomness = random.Random(seed)  # noqa: S311 - likewise
    until, count = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        one(mutated(randomness, words))
        count += 1
    print(f"{count} inputs, {len(ENGINES)} engines agree")


if __name__ == "__main__":
    main()
