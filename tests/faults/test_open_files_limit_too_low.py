"""open-files-limit-too-low"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from tests.conftest import joined, judge, recording, text
from tests.faults.feeding import tried

FAULT = "open-files-limit-too-low"
WORDS = "OSError: [Errno 24] Too many open files"


def files(soft: int, hard: int = 1 << 20) -> dict[str, Any]:
    return {"limits": {"files": {"soft": soft, "hard": hard}}}


@pytest.mark.parametrize(
    ("hard", "verb"), [(1 << 20, Verb.LIMIT_RAISE), (4096, Verb.INSTRUCT)], ids=["can be raised", "cannot"]
)
def test_fires_with_the_limit_when_the_job_ran_into_it(hard: int, verb: Verb) -> None:
    machine = recording("h200-healthy", limits=files(1024, hard))

    [finding] = judge(FAULT, joined(machine, text(WORDS))).findings

    assert (finding.subject, finding.certainty) == ("host", Certainty.CERTAIN)
    assert [e.value for e in finding.evidence] == [1024, WORDS]
    assert finding.remedy and finding.remedy.steps[0].verb is verb


@pytest.mark.parametrize(
    "line",
    [
        WORDS,
        "OSError: [Errno 24] Too many open files: '/data/a.png'",
        "unable to open shared memory object </torch_1> in read-write mode: Too many open files (24)",
        "NCCL WARN Call to socket failed : Too many open files",
        "RuntimeError: Too many open files. Communication with the workers is no longer possible.",
        "RuntimeError: received 0 items of ancdata",
    ],
)
def test_fires_on_what_programs_say(line: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is Certainty.LIKELY


@pytest.mark.parametrize("soft", [64, 1024, 1 << 20])
def test_clear_when_the_job_works_under_its_limit(soft: int) -> None:
    assert judge(FAULT, recording("h200-healthy", limits=files(soft))).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "line",
    [
        "accept: Too many open files in system",
        "Failed to allocate directory watch: Too many open files",
        "hint: if you see Too many open files, raise ulimit -n",
    ],
)
def test_clear_on_other_limits_and_on_advice(line: str) -> None:
    assert judge(FAULT, text(line)).findings == ()


def test_claims_nothing_about_a_limit_that_was_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", limits={"state": "error"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "limits: error")


@pytest.mark.parametrize("code", [100, 304, 999])
def test_fires_when_cuda_does_not_start_with_a_handful_of_descriptors(code: int) -> None:
    snapshot = recording("h200-healthy", limits=files(16, 16), cuda={"init": code, "count": None})

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.variant, finding.certainty) == ("cuda", Certainty.LIKELY)
    assert [e.value for e in finding.evidence] == [16, code]


@pytest.mark.parametrize(("soft", "init"), [(64, 999), (16, 0), (16, 34)])
def test_clear_when_the_limit_is_not_to_blame_for_cuda(soft: int, init: int) -> None:
    snapshot = recording("h200-healthy", limits=files(soft), cuda={"init": init})

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_when_there_is_no_gpu_that_cuda_could_find() -> None:
    nothing: dict[str, Any] = {"functions": {}, "nvidia_gpus": []}
    snapshot = recording("h200-healthy", limits=files(16), cuda={"init": 100}, pci=nothing)

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


SAID = (
    (
        "OSError: [Errno 24] Too many open files",
        "# note: DataLoader with 64 workers",
    ),
    (
        "NCCL WARN Call to accept failed : Too many open files",
        "$ ulimit -n",
        "1024",
    ),
    ("RuntimeError: received 0 items of ancdata",),
)
NEAR = (
    "inotify_init: Too many open files",
    "# note: fs.inotify.max_user_instances is 128",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_fires_when_a_dataloader_of_the_trial_found_none_left() -> None:
    words = "RuntimeError: Too many open files. Communication with the workers is no longer possible."
    limits = {"limits": {"files": {"soft": 64, "hard": 20000}}}

    [finding] = judge(FAULT, tried(feeds={"8": {"error": words}}, limits=limits)).findings

    assert (finding.variant, finding.evidence[0].value) == ("loader", words)


def test_clear_when_a_dataloader_died_of_something_else() -> None:
    limits = {"limits": {"files": {"soft": 64, "hard": 20000}}}

    assert not judge(FAULT, tried(feeds={"8": {"error": "no answer within 11 s"}}, limits=limits)).findings
