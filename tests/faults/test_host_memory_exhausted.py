"""host-memory-exhausted"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

FAULT = "host-memory-exhausted"
WORKER = "RuntimeError: DataLoader worker (pid 412) is killed by signal: Killed."


def cgroup(kills: int | None, limit: int | None = 8 << 30) -> dict[str, Any]:
    return {"oom_kills": kills, "memory_max": limit}


@pytest.mark.parametrize(("limit", "variant"), [(8 << 30, "control-group"), (None, "host")])
def test_fires_when_a_worker_was_killed_and_the_group_counts_a_kill(limit: int | None, variant: str) -> None:
    machine = recording("h200-healthy", cgroup=cgroup(1, limit))

    [finding] = judge(FAULT, joined(machine, text(WORKER))).findings

    assert (finding.subject, finding.variant, finding.certainty) == ("host", variant, Certainty.LIKELY)
    assert [e.value for e in finding.evidence] == [1, limit, WORKER]


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("[9.1] Out of memory: Killed process 412 (python3) total-vm:9kB", Certainty.LIKELY),
        ('"OOMKilled": true', Certainty.LIKELY),
        ("      Reason:       OOMKilled", Certainty.LIKELY),
        (
            "[9.1] Memory cgroup out of memory: Killed process 412 (pt_main_thread) total-vm:9kB",
            Certainty.LIKELY,
        ),
        (
            "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),task_memcg=/a,task=python3,pid=412,uid=0",
            Certainty.LIKELY,
        ),
        (WORKER, Certainty.LIKELY),
        ("Killed", Certainty.POSSIBLE),
        ("run.sh: line 3:   412 Killed                  python train.py", Certainty.POSSIBLE),
    ],
)
def test_fires_on_what_is_printed(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


KILLED = {"imported": False, "signal": "SIGKILL", "error": None}
OOM = {
    "lines": [
        {"kind": "oom", "seconds": 9.0, "text": "Memory cgroup out of memory: Killed process 412 (python3) x"}
    ]
}


def test_fires_when_the_trial_was_killed_and_the_group_counts_a_kill() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", cgroup=cgroup(1), torch_trial=KILLED)).findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.evidence[-1].value == "SIGKILL"


def test_fires_on_the_kernel_log_when_the_group_was_not_read() -> None:
    machine = recording("h200-healthy", cgroup={"state": "denied"}, kernel_log=OOM)

    [finding] = judge(FAULT, joined(machine, text(WORKER))).findings

    assert (finding.variant, finding.evidence[0].path) == ("control-group", "kernel_log.lines[0].text")


def test_clear_when_an_old_kill_in_the_kernel_log_has_no_symptom() -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=OOM)).outcome is Outcome.CLEAR


def test_clear_when_a_killed_trial_has_no_kill_for_memory() -> None:
    assert judge(FAULT, recording("h200-healthy", torch_trial=KILLED)).outcome is Outcome.CLEAR


def test_clear_when_an_earlier_kill_has_no_symptom() -> None:
    assert judge(FAULT, recording("h200-healthy", cgroup=cgroup(3))).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "line",
    [
        "Out of memory: Killed process 9 (chrome) total-vm:9kB",
        "Killed by signal 15.",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB",
        "DataLoader worker (pid 412) is killed by signal: Bus error.",
    ],
)
def test_clear_on_other_words(line: str) -> None:
    assert judge(FAULT, text(line)).findings == ()


def test_claims_nothing_when_the_kills_were_not_counted() -> None:
    machine = recording("h200-healthy", cgroup={"oom_kills": ...}, torch_trial=KILLED)

    assert judge(FAULT, machine).outcome is Outcome.SKIPPED
