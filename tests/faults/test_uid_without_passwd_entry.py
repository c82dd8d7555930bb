"""uid-without-passwd-entry"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "uid-without-passwd-entry"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("KeyError: 'getpwuid(): uid not found: 1000650000'", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_name_is_asked_for(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "KeyError: 'model.embed_tokens.weight'",
        "id: cannot find name for user ID 1001",
    ],
)
def test_clear_on_another_key_error(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


SAID = (
    ("KeyError: 'getpwuid(): uid not found: 1234'",),
    (
        ("# note: random uid from OpenShift, getpass.getuser() raises KeyError inside torch inductor"),
        "k8s: OpenShift",
    ),
    (
        "# note: getpwuid fails because uid 5000 is not in /etc/passwd of the image",
        "container: docker -u 5000",
    ),
)
NEAR = (
    "KeyError: 'WORLD_SIZE'",
    "# note: docker run --user 1000",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
