"""Collectives that a launcher starts: torchrun for real, and launchers that fail."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codeblue.model.facts import NcclTrial, Sightings
from codeblue.model.section import State
from codeblue.pipeline import signatures
from codeblue.sources import launched_trial
from codeblue.sources.launched_trial import Heard, launcher, take
from codeblue.sources.target import Unusable
from codeblue.state import Pseudonyms
from codeblue.trials import meeting
from tests.conftest import thorough
from tests.trials.running import needs_torch, torch_python

SALT = "0" * 32
MARK = "codeblue-0123456789abcdef:"


def run(words: str, seconds: float = 100.0, python: str | None = None) -> tuple[NcclTrial, Sightings]:
    return launched_trial.run(
        launcher(words), python or torch_python() or sys.executable, {}, False, seconds, SALT, signatures()
    )


def torchrun(*options: str) -> str:
    python = torch_python()
    assert python is not None
    return " ".join([str(Path(python).with_name("torchrun")), *options, "--no-python"])


def gone(pid: Path) -> bool:
    """True once the process has ended; its new parent may take a moment to reap it."""
    place = Path("/proc", pid.read_text().strip())
    until = time.monotonic() + 3
    while place.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return not place.exists()


@needs_torch
def test_torchrun_starts_the_ranks() -> None:
    trial, seen = run(torchrun("--nproc-per-node", "2"))

    assert (trial.state, trial.launcher) == (State.READ, "torchrun")
    assert sorted(trial.devices) == ["0", "1"]
    host = Pseudonyms(SALT).pseudonym("host", os.uname().nodename)
    for rank, row in trial.devices.items():
        assert (str(row.rank), row.world, row.error, row.host) == (rank, 2, None, host)
        assert all(one.wrong == 0 for sizes in row.collectives.values() for one in sizes.values())
    assert {one.fault for one in seen.seen} <= {"benign-omp-num-threads-notice"}


@thorough
@needs_torch
def test_torchrun_with_tags_in_front_of_lines(tmp_path: Path) -> None:
    trial, _ = run(torchrun("--nproc-per-node", "2", "--tee", "3", "--log-dir", str(tmp_path)))

    assert [row.error for row in trial.devices.values()] == [None, None]


@needs_torch
def test_a_launcher_that_tells_no_rank() -> None:
    trial, _ = run("env A=b")

    assert trial.state is State.NOT_ATTEMPTED
    assert "told them no rank" in trial.reason


@thorough
def test_ranks_that_have_no_torch(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('libfoo.so.1: cannot open shared object file')")
    trial, _ = run(f"env PYTHONPATH={tmp_path} RANK=0 WORLD_SIZE=2", python=sys.executable)

    assert trial.state is State.ERROR
    assert "no rank answered; env: ImportError: libfoo.so.1" in trial.reason


def test_no_rank_answers_at_all() -> None:
    trial, _ = run("sh -c 'echo no nodes available >&2; exit 1'")

    assert trial.state is State.ERROR
    assert trial.reason == "no rank answered; sh: no nodes available"


def test_a_launcher_that_hangs_is_ended(tmp_path: Path) -> None:
    begun = time.monotonic()
    trial, _ = run(f"sh -c 'sleep 300 & echo $! > {tmp_path}/pid; wait'", seconds=1.0)

    assert trial.reason.startswith("no rank answered within 1 s")
    assert time.monotonic() - begun < 8
    assert gone(tmp_path / "pid")


def test_an_interruption_ends_what_was_started(tmp_path: Path) -> None:
    code = "from codeblue.cli.main import main; main()"
    words = f"sh -c 'sleep 300 & echo $! > {tmp_path}/pid; wait'"
    child = subprocess.Popen(
        [sys.executable, "-c", code, "trial", "nccl", "--on", f"python:{sys.executable}", "--launch", words],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    pid = tmp_path / "pid"
    until = time.monotonic() + 40
    while not (pid.exists() and pid.read_text()) and time.monotonic() < until:
        time.sleep(0.05)

    child.send_signal(signal.SIGINT)

    assert child.wait(15) == 130
    assert gone(pid)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("no-such-launcher -N2", "no program no-such-launcher"),
        ("srun 'x", "No closing quotation"),
        ("", "named"),
    ],
)
def test_words_that_are_no_launcher(words: str, told: str) -> None:
    with pytest.raises(Unusable) as refusal:
        launcher(words)
    assert told in refusal.value.line.say("en")


def heard(*lines: str) -> Heard:
    found = Heard()
    for line in lines:
        take(found, line.encode(), MARK)
    return found


def answer(rank: int, **document: Any) -> str:
    return MARK + json.dumps(document | {"rank": rank, "index": 0})


def section(found: Heard) -> NcclTrial:
    return launched_trial._section(launcher("env"), found, Pseudonyms(SALT), True, 60.0, 1.0)


def test_a_missing_rank_has_a_row_that_says_so() -> None:
    row = {"world": 3, "backend": "nccl", "at": "meeting"}
    trial = section(
        heard(
            answer(0, ready=True, host="alpha"),
            answer(0, trial="nccl", row=row),
            answer(1, ready=True, host="beta"),
            answer(1, trial="nccl", row=row | {"error": "timeout"}, done=True),
        )
    )

    assert trial.devices["0"].error == "no answer from this rank; it was last at: meeting"
    assert trial.devices["1"].error == "timeout"
    assert (trial.devices["2"].error, trial.devices["2"].host) == ("no answer from this rank", None)


def test_pieces_of_two_ranks_are_put_together() -> None:
    whole = [
        json.dumps({"trial": "nccl", "row": {"world": 2, "at": "x" * 20}, "rank": rank}) for rank in (0, 1)
    ]
    lines = [
        MARK
        + json.dumps(
            {"piece": whole[rank][start : start + 40], "sender": rank, "last": start + 40 >= len(whole[rank])}
        )
        for start in range(0, len(whole[0]), 40)
        for rank in (0, 1)
    ]

    assert heard(*lines).rows == {0: {"world": 2, "at": "x" * 20}, 1: {"world": 2, "at": "x" * 20}}


def test_tags_and_cut_lines() -> None:
    found = heard(
        "[1,3]<stdout>:" + answer(3, trial="nccl", row={"world": 4}),
        MARK + '{"trial": "nccl", "ro',
        MARK + "[]",
        "srun: job 7 queued and waiting for resources",
    )

    assert found.rows == {3: {"world": 4}}
    assert found.words == b"srun: job 7 queued and waiting for resources\n"


@pytest.mark.parametrize(
    ("order", "environment", "where"),
    [
        ({"port": 7}, {}, "tcp://127.0.0.1:7"),
        (
            {"port": 7, "address": "login"},
            {"MASTER_ADDR": "a", "MASTER_PORT": "9", "RANK": "0", "WORLD_SIZE": "2"},
            "env://",
        ),
        ({"port": 7, "address": "login"}, {"SLURM_STEP_NODELIST": "gpu[003-010,12]"}, "tcp://gpu003:7"),
        ({"port": 7, "address": "login"}, {"SLURM_JOB_NODELIST": "a1,b[2-3]"}, "tcp://a1:7"),
        ({"port": 7, "address": "login"}, {"SLURM_STEP_NODELIST": "r[1-2]n1-ib"}, "tcp://r1n1-ib:7"),
        (
            {"port": 7, "address": "login"},
            {"SLURM_STEP_NUM_NODES": "1", "SLURM_STEP_NODELIST": "gpu[1-2]"},
            "tcp://127.0.0.1:7",
        ),
        (
            {"port": 7, "address": "login"},
            {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"},
            "tcp://127.0.0.1:7",
        ),
        (
            {"port": 7, "address": "login"},
            {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"},
            "tcp://login:7",
        ),
        ({"port": 7, "address": "login"}, {"MASTER_ADDR": "2001:db8::5"}, "tcp://[2001:db8::5]:7"),
    ],
)
def test_where_the_ranks_meet(order: dict[str, Any], environment: dict[str, str], where: str) -> None:
    method, _ = meeting.place(order, environment)  # type: ignore[no-untyped-call]  # shipped: Python 3.6
    assert method == where
