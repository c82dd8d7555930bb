"""rank-raised-exception"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.test_rank_exited_early import ended

FAULT = "rank-raised-exception"
LINES = (
    "[rank2]: ValueError: sample 7 has no label",
    (
        "E1130 10:00:00.000000 77 api.py:986] failed (exitcode: 1) local_rank: 2 (pid: 80) of "
        "binary: /usr/bin/python"
    ),
)
OTHERS = (
    "[rank0]: torch.distributed.DistBackendError: NCCL error",
    "failed (exitcode: -9) local_rank: 1 (pid: 81) of binary: python",
    "ValueError: not from a rank",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_an_exception_of_a_rank(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("job", Certainty.LIKELY)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"type": "ValueError"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_consequences_and_signals(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_on_the_rank_for_which_the_others_waited() -> None:
    diagnosis = pipeline.judge(ended("2026-11-30 10:19:58,000 KeyError: 'labels'"))

    [cause] = diagnosis.causes
    assert (cause.finding.fault, cause.finding.summary.say("en")) == (
        FAULT,
        "rank 2 ended with KeyError; the others waited for it",
    )


@pytest.mark.parametrize(
    "lines",
    [
        (
            "[rank3]: pandas.errors.ParserError: Error tokenizing data",
            "[rank0]: Last error: NET/Socket : peer closed connection",
        ),
        ("[rank2]: zipfile.BadZipFile: File is not a zip file",),
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines", [("[rank2]: torch.distributed.DistBackendError: NCCL error: remote process exited",)]
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
