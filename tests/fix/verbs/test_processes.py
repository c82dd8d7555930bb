"""process-stop, with programs of the test's own"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests.conftest import thorough
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Here

STUBBORN = ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"]


def started(pid: int) -> str:
    """Return the start time of a process, in clock ticks since the boot."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()[19]


def args(pid: int, **more: str) -> dict[str, str]:
    """Return the arguments that name a process."""
    return {"pid": str(pid), "started": started(pid), **more}


@pytest.fixture
def start() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Return what starts a program and ends it at the end of the test."""
    running = []

    def run(*argv: str) -> "subprocess.Popen[str]":
        running.append(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, start_new_session=True))
        return running[-1]

    yield run
    for one in running:
        with suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)  # with what it has started itself
        one.communicate()


Start = Callable[..., "subprocess.Popen[str]"]


def test_it_survives(here: Here, start: Start) -> None:
    running = [start("sleep", "1000")]
    trial = Trial(
        here, Verb.PROCESS_STOP, {}, lambda: running[-1].poll() is None, lambda: None, takes_back=False
    )

    def reset() -> None:
        running[-1].kill()
        running[-1].wait()
        running.append(start("sleep", "1000"))
        trial.args = args(running[-1].pid)

    trial.reset = reset
    reset()
    survives(trial)


def test_the_preview_shows_the_program(here: Here, start: Start) -> None:
    pid = start("sleep", "1000").pid
    [line] = here.ask(Verb.PROCESS_STOP, "look", args(pid))["value"]["shows"]

    assert line == f"{pid} sleep 1000: SIGTERM"


def test_another_process_with_the_number_is_left_alone(here: Here, start: Start) -> None:
    child = start("sleep", "1000")
    other = args(child.pid) | {"started": "1"}

    assert here.ask(Verb.PROCESS_STOP, "look", other)["value"]["needed"] is False
    assert "another now" in here.ask(Verb.PROCESS_STOP, "apply", other, before={})["refused"]
    assert child.poll() is None


@thorough
def test_one_that_ignores_it_lives_unless_killing_is_allowed(here: Here, start: Start) -> None:
    child = start(*STUBBORN)
    assert child.stdout and child.stdout.readline() == "ready\n"

    assert (
        "still runs after 10 s" in here.ask(Verb.PROCESS_STOP, "apply", args(child.pid), before={})["failed"]
    )
    assert child.poll() is None
    hard = args(child.pid, kill="yes")
    assert here.ask(Verb.PROCESS_STOP, "look", hard)["value"]["shows"][0].endswith(": SIGTERM, SIGKILL")
    assert "value" in here.ask(Verb.PROCESS_STOP, "apply", hard, before={})
    assert here.ask(Verb.PROCESS_STOP, "verify", hard)["value"] is True


def test_neither_init_nor_ourselves(here: Here) -> None:
    for pid in (1, os.getpid()):
        assert "not for us to stop" in here.ask(Verb.PROCESS_STOP, "look", args(pid))["refused"]
        assert "not for us to stop" in here.ask(Verb.PROCESS_STOP, "apply", args(pid), before={})["refused"]


def test_no_thread_of_the_kernel(here: Here) -> None:
    try:
        threads = [2] if Path("/proc/2/comm").read_text(encoding="ascii") == "kthreadd\n" else []
    except FileNotFoundError:
        threads = []
    if not threads:
        pytest.skip("threads of the kernel are not visible in this process namespace")
    assert "not for us to stop" in here.ask(Verb.PROCESS_STOP, "look", args(2))["refused"]


@pytest.mark.parametrize("pid", ["0", "-1", "1; reboot", "", "٣", "99999999999"])
def test_only_numbers(here: Here, pid: str) -> None:
    answer = here.ask(Verb.PROCESS_STOP, "look", {"pid": pid, "started": "1"})

    assert "refused" in answer or answer["value"]["needed"] is False


def test_secrets_of_a_command_line_are_hidden(here: Here, start: Start) -> None:
    here.environment["API_TOKEN"] = "hunter2-hunter2"  # noqa: S105 - an invented one
    child = start("sh", "-c", "sleep 1000; :", "https://me:pass@example.org", "hunter2-hunter2")
    time.sleep(0.1)
    [line] = here.ask(Verb.PROCESS_STOP, "look", args(child.pid))["value"]["shows"]

    assert "https://***@example.org ***" in line
