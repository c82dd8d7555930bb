"""process-segfault"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "process-segfault"


def test_fires_when_the_trial_was_killed_by_sigsegv() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", torch_trial={"signal": "SIGSEGV"})).findings

    assert (finding.subject, finding.certainty) == ("torch", Certainty.CERTAIN)


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("Fatal Python error: Segmentation fault", Certainty.CERTAIN),
        ("run.sh: line 9:  900 Segmentation fault      (core dumped) python train.py", Certainty.CERTAIN),
        ("Segmentation fault (core dumped)", Certainty.CERTAIN),
        ("srun: error: node1: task 0: Segmentation fault", Certainty.CERTAIN),
        ("[node1:900] Signal: Segmentation fault (11)", Certainty.CERTAIN),
        ("  traceback : Signal 11 (SIGSEGV) received by PID 900", Certainty.CERTAIN),
        ("failed (exitcode: -11) local_rank: 1 (pid: 900) of binary: python", Certainty.CERTAIN),
        (
            "[ 60.1] python3[900]: segfault at 0 ip 00007f00 sp 00007f01 error 4 in libc.so.6",
            Certainty.POSSIBLE,
        ),
    ],
)
def test_fires_on_the_line_that_a_crash_leaves(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "a wrong index may end in a Segmentation fault",
        "[ 60.1] firefox[900]: segfault at 0 ip 00007f00 sp 00007f01 error 4 in libxul.so",
        "  traceback : Signal 6 (SIGABRT) received by PID 900",
    ],
)
def test_clear_on_other_lines(line: str) -> None:
    assert not judge(FAULT, text(line)).findings


@pytest.mark.parametrize("signal", [None, "SIGABRT"])
def test_clear_when_the_trial_ended_otherwise(signal: str | None) -> None:
    verdict = judge(FAULT, recording("h200-healthy", torch_trial={"signal": signal}))

    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_trial_was_not_run() -> None:
    verdict = judge(FAULT, recording("h200-healthy", torch_trial={"state": "busy"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial: busy")
