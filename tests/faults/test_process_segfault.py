"""process-segfault"""

import pytest

from codeblue.model.fault import Certainty, Severity
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


def logged(library: str, process: str = "python3") -> dict[str, object]:
    line = f"{process}[900]: segfault at 0 ip 00007f00 sp 00007f01 error 4 in {library}[7f00+9000]"
    return {"lines": [{"kind": "segfault", "seconds": 9.0, "text": line}]}


def test_fires_as_a_possibility_on_the_kernel_log_alone() -> None:
    snapshot = recording(
        "h200-healthy", torch_trial={"state": "busy"}, kernel_log=logged("libtorch_cpu.so", "pt_main_thread")
    )

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.certainty, finding.severity) == (Certainty.POSSIBLE, Severity.WARNING)
    assert finding.summary.values == {"process": "pt_main_thread", "library": "libtorch_cpu.so"}


def test_fires_with_both_and_when_the_log_is_denied() -> None:
    crashed = {"signal": "SIGSEGV"}
    both = recording("h200-healthy", torch_trial=crashed, kernel_log=logged("libcuda.so.580.159.04"))
    denied = recording("h200-healthy", torch_trial=crashed, kernel_log={"state": "denied"})

    assert [len(judge(FAULT, s).findings[0].evidence) for s in (both, denied)] == [2, 1]


def test_clear_on_an_old_crash_when_the_trial_works() -> None:
    snapshot = recording("h200-healthy", kernel_log=logged("libtorch_cpu.so"))

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_about_crashes_in_other_libraries_or_programs() -> None:
    for log in (logged("libc.so.6"), logged("libtorch_cpu.so", "firefox")):
        snapshot = recording("h200-healthy", torch_trial={"state": "busy"}, kernel_log=log)
        assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize("signal", [None, "SIGABRT"])
def test_clear_when_the_trial_ended_otherwise(signal: str | None) -> None:
    verdict = judge(FAULT, recording("h200-healthy", torch_trial={"signal": signal}))

    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_trial_was_not_run() -> None:
    verdict = judge(FAULT, recording("h200-healthy", torch_trial={"state": "busy"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial: busy")
