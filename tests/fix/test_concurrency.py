"""Several writers of one file: no update is lost, neither ours nor that of a program that knows no locks."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from codeblue.model.plan import Refused
from codeblue.remedy.files import protocol
from codeblue.remedy.files.place import digest
from tests.conftest import thorough
from tests.fix.kept import Folder

OURS = 3000
FOREIGN = 4000
WIDTH = 8


def _count(content: bytes, who: int) -> int:
    return int(content[who * (WIDTH + 1) : who * (WIDTH + 1) + WIDTH])


def _raised(content: bytes, who: int) -> bytes:
    start = who * (WIDTH + 1)
    return content[:start] + b"%08d" % (_count(content, who) + 1) + content[start + WIDTH :]


def _apply(path: str, who: int, keep: Folder) -> None:
    """Raise the own number by one, ``OURS`` times; when refused, look again."""
    done = 0
    while done < OURS:
        found = protocol.read(path)
        assert found
        try:
            new = _raised(found[0], who)
            protocol.replace(path, digest(found[0]), new, f"s{who}", keep, lambda _: None)
        except Refused:
            continue
        done += 1


def _write_in_place(path: str, who: int) -> None:
    """Do what an editor does that knows no lock: open, change the own number, close."""
    for number in range(1, FOREIGN + 1):
        descriptor = os.open(path, os.O_RDWR)
        time.sleep(0.0002)
        os.pwrite(descriptor, b"%08d" % number, who * (WIDTH + 1))
        os.close(descriptor)
        time.sleep(0.0005)


def _child(work: Callable[[], None]) -> int:
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


@thorough
def test_ten_thousand_rounds_lose_nothing(quick: tuple[Path, Folder]) -> None:
    place, keep = quick
    place.mkdir()
    path = place / "counted"
    path.write_bytes(b"\n".join([b"0" * WIDTH] * 3) + b"\n")
    pids = [_child(partial(_apply, str(path), who, keep)) for who in (0, 1)]
    pids.append(_child(lambda: _write_in_place(str(path), 2)))
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0, 0, 0]
    content = path.read_bytes()
    assert [_count(content, who) for who in range(3)] == [OURS, OURS, FOREIGN]
    assert [found.name for found in place.iterdir()] == ["counted"]


def test_of_twenty_with_the_same_plan_one_wins(quick: tuple[Path, Folder]) -> None:
    place, keep = quick
    place.mkdir()
    path = place / "x"
    path.write_bytes(b"old\n")

    def work(who: int) -> None:
        protocol.replace(str(path), digest(b"old\n"), b"%d\n" % who, f"s{who}", keep, lambda _: None)

    pids = [_child(partial(work, who)) for who in range(20)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    assert codes.count(0) == 1
    assert path.read_bytes() == b"%d\n" % codes.index(0)
    assert [found.name for found in place.iterdir()] == ["x"]
