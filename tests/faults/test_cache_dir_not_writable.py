"""cache-dir-not-writable"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cache-dir-not-writable"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("PermissionError: [Errno 13] Permission denied: '/.cache/huggingface'", Certainty.CERTAIN),
        ("PermissionError: [Errno 13] Permission denied: '/.triton'", Certainty.CERTAIN),
    ],
)
def test_fires_on_a_cache_in_the_root_folder(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("PermissionError: [Errno 13] Permission denied: '/home/me/.cache/huggingface'"),
        "PermissionError: [Errno 13] Permission denied: '/data'",
    ],
)
def test_clear_on_a_cache_elsewhere(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "PermissionError: [Errno 13] Permission denied: '/.cache'",
        "container: docker --user 1000",
    ),
    (
        "OSError: PermissionError at /.triton/cache when downloading /.triton/cache",
        "PermissionError: [Errno 13] Permission denied: '/.triton'",
        "k8s: OpenShift",
    ),
    (
        (
            "# note: container runs as uid 1001 whose HOME is /, vLLM wants to create "
            "/.cache: Permission denied"
        ),
    ),
)
NEAR = ("PermissionError: [Errno 13] Permission denied: '/home/alice/.cache/pip'",)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
