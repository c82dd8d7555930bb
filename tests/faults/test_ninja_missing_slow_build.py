"""ninja-missing-slow-build"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ninja-missing-slow-build"
TEXTS = (
    (
        Certainty.CERTAIN,
        (
            (
                "UserWarning: Attempted to use ninja as the BuildExtension backend but we could "
                "not find ninja.. Falling back to using the slow distutils backend."
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: flash-attn had been compiling for three hours on one core; ninja was not installed"),),
    ),
    (Certainty.POSSIBLE, ("# note: 编译 flash-attn 很慢，装了 ninja 之后几分钟就好",)),
    (Certainty.POSSIBLE, ("# note: building flash-attn takes hours, a single core is busy",)),
)
OTHERS = (
    ("ninja: build stopped: subcommand failed.",),
    (
        (
            "Allowing ninja to set a default number of workers... (overridable by setting "
            "the environment variable MAX_JOBS=N)"
        ),
        "# takes hours, then Killed",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_build_without_ninja(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_builds(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
