"""What Slurm writes, in the forms of its releases, and what follows for a node."""

import pytest

from codeblue.fleet.engines.slurm_words import last_words, verdict
from codeblue.model.fleet import NodeState
from codeblue.sources.slurm import FIELD, RECORD, SlurmNode, Wish, command, gpus, hostlist, parsed
from codeblue.transport.fanout import Ended

ALLOCATED, DOWN, SILENT, REFUSED = (
    NodeState.ALLOCATED,
    NodeState.DOWN,
    NodeState.SILENT,
    NodeState.REFUSED,
)


def record(state: str, *, name: str = "n1", gres: str = "gpu:8", up: str = "up", reason: str = "none") -> str:
    return RECORD + FIELD.join((name, state, gres, "main*", up, "host1", "512000+", reason)) + "\n"


def one(state: str, **fields: str) -> SlurmNode:
    [node] = parsed(record(state, **fields))
    return node


@pytest.mark.parametrize(
    ("state", "looked"),
    [
        ("idle", None),
        ("mixed", None),
        ("IDLE", None),
        ("allocated", ALLOCATED),
        ("allocated+", ALLOCATED),
        ("completing", ALLOCATED),
        ("planned", ALLOCATED),
        ("idle-", ALLOCATED),
        ("mixed-", ALLOCATED),
        ("reserved", ALLOCATED),
        ("blocked", ALLOCATED),
        *((state, DOWN) for state in ("down", "down*", "drained", "draining", "drained$", "fail", "error")),
        *(
            (state, DOWN)
            for state in ("idle*", "idle~", "idle#", "idle!", "idle%", "idle$", "mixed@", "idle^")
        ),
        *((state, DOWN) for state in ("maint", "unknown", "future", "inval", "reboot^", "powered_down", "")),
    ],
)
def test_only_nodes_that_take_a_job_now_are_asked(state: str, looked: NodeState | None) -> None:
    assert one(state).standing()[0] is looked


def test_a_node_at_work_in_part_is_left_out_on_demand() -> None:
    assert one("mixed").standing(idle_only=True) == (ALLOCATED, "in part")
    assert one("idle").standing(idle_only=True) == (None, "")


def test_the_reason_is_told_in_one_line() -> None:
    node = one("drained*", reason="fan | 2:\n  broken")
    assert node.standing() == (DOWN, "drained, does not respond to the controller: fan | 2: broken")
    assert one("idle~").standing() == (DOWN, "powered off to save energy")
    assert one("idle", up="drain").standing() == (DOWN, "partition main is drain")


def test_those_who_name_a_reservation_are_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_RESERVATION", "test")
    assert one("reserved").standing() == one("maint").standing() == one("idle$").standing() == (None, "")


def test_what_is_no_record_of_ours_is_passed_over() -> None:
    text = "slurm: note\n" + record("idle", name="a") + record("idle", name="-x") + f"{RECORD}half{FIELD}"
    assert [node.name for node in parsed(text)] == ["a"]
    assert one("idle").memory == 512000 and one("idle").default


@pytest.mark.parametrize(
    ("gres", "count"),
    [
        ("gpu:8", 8),
        ("gpu", 1),
        ("gpu:h100:8(S:0-1)", 8),
        ("gpu:a100:4,gpu:v100:2", 6),
        ("gpu:1g.10gb:7(S:0)", 7),
        ("gpu:8,shard:64", 8),
        ("shard:4", 0),
        ("(null)", 0),
    ],
)
def test_gpus_of_a_node(gres: str, count: int) -> None:
    assert gpus(gres) == count


def test_a_list_of_names_as_slurm_reads_it() -> None:
    assert hostlist(["gpu1", "gpu2", "login1"]) == "gpu[1-2],login1"
    assert hostlist(["gpu1-ib", "gpu2-ib"]) == "gpu1-ib,gpu2-ib"


def test_a_job_is_not_a_step_of_the_job_that_we_are_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_ACCOUNT", "ops")
    words = command(Wish(partition="main", nodes=("n1",), name="x"), ("true",))
    assert "SLURM_JOB_ID" in words[: words.index("srun")] and "SLURM_ACCOUNT" not in words


LOST = (
    "srun: error: Task launch for StepId=5.0 failed on node n3: Socket timed out on send/recv operation",
    "srun: error: Application launch failed: Socket timed out on send/recv operation",
    "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
    "srun: error: n1: task 0: Killed",
)
BUSY = ("srun: error: Unable to allocate resources: Requested nodes are busy",)


def ended(*lines: str, code: int | None = 1) -> Ended:
    return Ended("job", None, code, lines[-1] if lines else "", 9.0, lines)


@pytest.mark.parametrize(
    ("end", "node", "told"),
    [
        (ended(*LOST), "n3", SILENT),
        (ended(*LOST), "n1", None),
        (ended("srun: error: Node failure on n3", "srun: Force Terminated StepId=5.0"), "n3", SILENT),
        (ended("n1: no Python 3.6 or later here", "srun: error: n[1-2]: tasks 0-1: Exited"), "n1", REFUSED),
        (ended("srun: error: n[1-2]: tasks 0-1: Exited with exit code 127"), "n2", REFUSED),
        (ended("srun: error: n[1-2]: tasks 0-1: Exited with exit code 127"), "n3", None),
        (ended("slurmstepd: error: *** STEP 6.0 ON n1 CANCELLED AT 2026-12-01T10:10:10 ***"), "n1", SILENT),
        (ended(code=-9), "n1", SILENT),
        (ended(code=0), "n1", REFUSED),
        (ended(*BUSY), "n1", None),
        (ended("srun: error: invalid partition"), "n1", None),
    ],
)
def test_only_who_is_to_blame_is_blamed(end: Ended, node: str, told: NodeState | None) -> None:
    found = verdict(end, node, begun=True, others=True, alone=False)
    assert (found[0] if found else None) is told


def test_alone_in_its_step_a_node_gets_an_answer_in_any_case() -> None:
    for end, state in ((ended(*BUSY), ALLOCATED), (ended("srun: error: no account"), REFUSED)):
        found = verdict(end, "n1", begun=False, others=False, alone=True)
        assert found and found[0] is state
    late = ended(code=None)
    assert verdict(late, "n1", begun=False, others=False, alone=False) is None
    for begun, others, alone in ((True, True, False), (False, True, False), (False, False, True)):
        found = verdict(late, "n1", begun=begun, others=others, alone=alone)
        assert found == (SILENT, "no answer within 9 s")


def test_the_reason_of_slurm_comes_last() -> None:
    assert last_words(ended(*BUSY)) == "Requested nodes are busy"
    assert last_words(ended()) == "srun ended with status 1 without an answer"
