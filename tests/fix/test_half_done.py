"""A step that no program can mend: the journal names it and the command that finishes it, which works."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeblue.model.journal import Event
from codeblue.model.plan import Plan, PlanItem
from codeblue.model.remedy import Verb
from tests.conftest import thorough
from tests.fix.executing import Bench, filled, mode
from tests.fix.flows import recovered
from tests.fix.kept import tree
from tests.fix.verbs import test_pip
from tests.fix.verbs.machine import Here

made = test_pip.made
place = test_pip.place


@pytest.fixture
def bench(tmp_path: Path, place: Here, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """An executor whose pip finds the wheels of the test only."""
    for name, value in place.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Bench(tmp_path / "state" / "codeblue")


def planned(bench: Bench, place: Here, files: Path) -> tuple[Plan, PlanItem]:
    """Plan permission bits and an installation that brings a second package."""
    install = Verb.PIP_INSTALL, {"python": test_pip.python(place), "requirement": "tiny>=2"}
    return bench.planned([mode(files), install])


def killing(place: Here, instead: str) -> Callable[[], None]:
    """Put a script before the interpreter: a real installation does ``instead`` and kills codeblue."""
    python = Path(test_pip.python(place))
    real = python.rename(python.with_name("python-real"))
    python.write_text(
        f'#!/bin/sh\ncase " $* " in *" --dry-run "*) ;; *" install "*)\n'
        f'{instead.replace("PYTHON", str(real))}\nkill -9 "$PPID"; exit 1;; esac\nexec {real} "$@"\n',
        encoding="ascii",
    )
    python.chmod(0o755)

    def undo() -> None:
        python.unlink()
        real.rename(python)

    return undo


def killed(bench: Bench, made: Plan, item: PlanItem) -> None:
    """Carry the item out in a child that gets killed."""
    pid = os.fork()
    if not pid:
        bench.carry_out(made, item)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize(
    ("instead", "says"),
    [
        pytest.param(":", "was not done", marks=thorough),
        ("PYTHON -m pip install -q tiny-data==2.0", "may be half done"),
        pytest.param("PYTHON -m pip install -q 'tiny>=2'", "was done", marks=thorough),
    ],
)
def test_an_installation(bench: Bench, place: Here, tmp_path: Path, instead: str, says: str) -> None:
    files = filled(tmp_path / "files")
    old, had = tree(files), test_pip.installed(place)
    made, item = planned(bench, place, files)
    restore = killing(place, instead)
    killed(bench, made, item)
    restore()

    told = recovered(bench.folder)

    assert says in told[0][1] and tree(files) == old and bench.last().ended
    assert recovered(bench.folder) == []
    last = bench.last().last_of(1)
    if says != "may be half done":
        assert last.event in (Event.FAILED, Event.BACK) and test_pip.installed(place) == had
        return
    assert last.event is Event.HALF_DONE and last.note is not None
    by_hand = last.note.values["hand"]
    subprocess.run(["sh", "-c", by_hand], check=True, stdout=subprocess.DEVNULL, cwd=tmp_path)
    assert "tiny-2.0.dist-info" in test_pip.installed(place) and not (tmp_path / "=2").exists()


def test_an_installation_that_fails_half_way(bench: Bench, place: Here, tmp_path: Path) -> None:
    files = filled(tmp_path / "files")
    old = tree(files)
    made, item = planned(bench, place, files)
    restore = killing(place, "PYTHON -m pip install -q tiny-data==2.0; exit 1")

    result = bench.carry_out(made, item)
    restore()

    assert result.event is Event.FAILED and result.why is not None
    assert "may be half done; by hand:" in result.why.say("en") and "只做了一半" in result.why.say("zh")
    assert bench.last().last_of(1).event is Event.HALF_DONE
    assert tree(files) == old


@thorough
def test_steps_in_one_environment_follow_each_other(bench: Bench, place: Here) -> None:
    own = {"python": test_pip.python(place)}
    had = test_pip.installed(place)

    result = bench.apply(
        [
            (Verb.PIP_UNINSTALL, {**own, "distribution": "tiny"}),
            (Verb.PIP_UNINSTALL, {**own, "distribution": "tiny"}),
            (Verb.PIP_INSTALL, {**own, "requirement": "tiny===1.0"}),
        ]
    )

    assert result.event is Event.FIXED, result.why and result.why.say("en")
    assert test_pip.installed(place) == had
    assert bench.last().steps() == [0, 2]
    assert [why for _, why in bench.executor.undo(bench.last())] == [None, None]
    assert test_pip.installed(place) == had
