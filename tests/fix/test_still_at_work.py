"""A program that goes on after codeblue was killed: nothing is recovered before it has ended."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from codeblue.model.journal import Event, Record
from codeblue.model.plan import Refused
from codeblue.model.remedy import Verb
from codeblue.remedy import here
from codeblue.remedy.run import change
from codeblue.remedy.started import at_work, noting, start_of
from tests.conftest import thorough
from tests.fix import test_half_done
from tests.fix.executing import Bench
from tests.fix.flows import recovered
from tests.fix.verbs import test_pip
from tests.fix.verbs.machine import Here
from tests.test_cli import Run

made = test_half_done.made
place = test_half_done.place
bench = test_half_done.bench
PATIENCE = 60.0
"""Seconds for what happens at once on a quiet machine."""


def until(happened: Callable[[], bool]) -> None:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def record(pid: int) -> Record:
    """Return the record of a program that runs here and now."""
    return Record(
        time="", run="a1", event=Event.RUNNING, boot=here.boot(), pid=pid, started=start_of(pid), program="x"
    )


def killed_at_work(bench: Bench, place: Here, tmp_path: Path) -> Path:
    """Kill codeblue while its pip works; return the file that lets pip come to its end."""
    begun, go = tmp_path / "begun", tmp_path / "go"
    plan, item = bench.planned(
        [(Verb.PIP_INSTALL, {"python": test_pip.python(place), "requirement": "tiny>=2"})]
    )
    python = Path(test_pip.python(place))
    real = python.rename(python.with_name("python-real"))
    python.write_text(
        f'#!/bin/sh\ncase " $* " in *" --dry-run "*) ;; *" install "*)\n'
        f'touch {begun}; until [ -e {go} ]; do sleep 0.05; done;; esac\nexec {real} "$@"\n',
        encoding="ascii",
    )
    python.chmod(0o755)
    pid = os.fork()
    if not pid:
        bench.carry_out(plan, item)
        os._exit(0)
    until(begun.exists)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return go


@thorough
def test_nothing_is_recovered_before_it_has_ended(bench: Bench, place: Here, tmp_path: Path) -> None:
    had = test_pip.installed(place)
    go = killed_at_work(bench, place, tmp_path)
    run = Run(bench.folder.parent)
    program = bench.last().at_work()

    assert program is not None and program.pid and program.started
    with pytest.raises(Refused, match=f"at work \\(process {program.pid}\\)"):
        recovered(bench.folder)
    run.refused("undo", says=f"(process {program.pid})")
    run.refused("--lang", "zh", "fix", "--apply", says="仍在运行")
    assert f"(process {program.pid}) is still at work" in run("journal", code=0).stdout
    assert f"（进程 {program.pid}）仍在运行" in run("--lang", "zh", "journal", code=0).stdout
    assert not bench.last().ended and test_pip.installed(place) == had

    go.touch()
    until(lambda: bench.last().at_work() is None)

    [*told] = recovered(bench.folder)
    assert "was done" in told[0][1] and bench.last().ended
    assert test_pip.installed(place) == had, "half a repair is taken back"
    assert "still at work" not in run("journal", code=0).stdout


def test_no_program_begins_before_it_is_noted(tmp_path: Path) -> None:
    pid = os.fork()
    if not pid:
        with noting(lambda *_: os.kill(os.getpid(), signal.SIGKILL)):
            change(["touch", str(tmp_path / "touched")])
    os.waitpid(pid, 0)
    time.sleep(0.5)

    assert not (tmp_path / "touched").exists()


def test_one_that_cannot_be_noted_is_not_run(tmp_path: Path) -> None:
    def refusing(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with noting(refusing), pytest.raises(OSError, match="No space"):
        change(["touch", str(tmp_path / "touched")])
    assert not (tmp_path / "touched").exists()


def test_its_words_reach_it_as_they_are(tmp_path: Path) -> None:
    noted: list[tuple[str, int, int]] = []
    words = ["a b", "$HOME", "`id`", "'\"", "-x", "", "*"]

    with noting(lambda *program: noted.append(program)):
        ran = change(["printf", "%s\\n", *words])

    assert ran.out.splitlines() == words
    [(name, pid, start)] = noted
    assert name == "printf" and pid > 0 and start > 0


def test_who_is_at_work() -> None:
    with subprocess.Popen(["sleep", "100"], start_new_session=True) as child:
        mine = record(child.pid)
        assert at_work(mine)
        assert not at_work(structs.replace(mine, started=mine.started - 1)), "the number is another's now"
        assert not at_work(structs.replace(mine, boot="0" * 16)), "it ran before the boot"
        child.kill()
        until(lambda: not at_work(mine))  # it is a zombie: nobody has waited for it yet
    assert not at_work(mine)


def test_what_it_has_left_in_its_session_is_at_work_too() -> None:
    script = "sleep 100 & echo $!"
    child = subprocess.Popen(["sh", "-c", script], start_new_session=True, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    mine, left = record(child.pid), int(child.stdout.readline())
    child.wait()
    child.stdout.close()

    assert at_work(mine)
    os.kill(left, signal.SIGKILL)
    until(lambda: not at_work(mine))
