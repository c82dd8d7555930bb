"""process-limit-too-low"""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

FAULT = "process-limit-too-low"
WORDS = "RuntimeError: can't start new thread"


def limits(user: int | None, group: int | None) -> dict[str, Any]:
    row = {"soft": user, "hard": user}
    return {"limits": {"limits": {"processes": row}}, "cgroup": {"pids_max": group}}


@pytest.mark.parametrize(
    ("user", "group", "variant", "value"),
    [
        (256, None, "user", 256),
        (None, 100, "control-group", 100),
        (4096, 100, "control-group", 100),
        (64, 100, "user", 64),
    ],
)
def test_fires_with_the_limit_that_is_hit_first(
    user: int | None, group: int | None, variant: str, value: int
) -> None:
    machine = recording("h200-healthy", **limits(user, group))

    [finding] = judge(FAULT, joined(machine, text(WORDS))).findings

    assert (finding.variant, finding.certainty) == (variant, Certainty.CERTAIN)
    assert [e.value for e in finding.evidence] == [value, WORDS]


def test_fires_without_a_limit_of_its_own_when_none_is_low() -> None:
    machine = recording("h200-healthy", **limits(515000, None))

    [finding] = judge(FAULT, joined(machine, text(WORDS))).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.LIKELY)


@pytest.mark.parametrize(
    "line",
    [
        "blas_thread_init: pthread_create failed for thread 7 of 8: Resource temporarily unavailable",
        "OpenBLAS blas_thread_init: RLIMIT_NPROC 256 current, 256 max",
        "libgomp: Thread creation failed: Resource temporarily unavailable",
        "bash: fork: retry: Resource temporarily unavailable",
        "  what():  Resource temporarily unavailable",
    ],
)
def test_fires_on_what_programs_say(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_when_the_job_works_under_its_limit() -> None:
    assert judge(FAULT, recording("h200-healthy", **limits(64, 64))).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "line",
    [
        "BlockingIOError: [Errno 11] Resource temporarily unavailable",
        "unable to allocate shared memory(shm) for file </torch_1>: Resource temporarily unavailable (11)",
    ],
)
def test_clear_on_the_same_errno_of_something_else(line: str) -> None:
    assert judge(FAULT, text(line)).findings == ()


def test_claims_nothing_about_a_limit_that_was_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", cgroup={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cgroup: denied")


def test_fires_on_the_limit_that_was_read() -> None:
    group = recording("h200-healthy", limits={"state": "error"}, cgroup={"pids_max": 100})
    user = recording("h200-healthy", cgroup={"state": "denied"}, limits=limits(256, None)["limits"])

    assert [judge(FAULT, joined(m, text(WORDS))).findings[0].variant for m in (group, user)] == [
        "control-group",
        "user",
    ]


SAID = (
    (
        (
            "OpenBLAS blas_thread_init: pthread_create failed for thread 47 of 64: Resource "
            "temporarily unavailable"
        ),
        "OpenBLAS blas_thread_init: RLIMIT_NPROC 4096 current, 4096 max",
    ),
    (
        "RuntimeError: can't start new thread",
        "# note: ulimit -u is 1024 on the login node",
    ),
    ("libgomp: Thread creation failed: Resource temporarily unavailable",),
)
NEAR = (
    "BlockingIOError: [Errno 11] Resource temporarily unavailable",
    "# note: a non-blocking socket",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_comes_first_before_the_crash_that_follows() -> None:
    words = text(
        "OpenBLAS blas_thread_init: pthread_create failed: Resource temporarily unavailable",
        "Segmentation fault",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "process-limit-too-low"
