"""dkms-compiler-version-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


@pytest.mark.parametrize(
    "line",
    [
        "Compiler version check failed:",
        "does not match the compiler used here:",
        "cc: error: unrecognized command-line option ‘-ftrivial-auto-var-init=zero’",
        "gcc-11: error: unrecognized command-line option '-fmin-function-alignment=16'",
    ],
)
def test_fires_on_the_words_of_the_build(line: str) -> None:
    assert judge("dkms-compiler-version-mismatch", text("make[1]: Entering", line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "line",
    [
        "warning: the compiler differs from the one used to build the kernel",
        "  CC [M]  nv.o -ftrivial-auto-var-init=zero",
        "cc: error: unrecognized command-line option '-fno-such-thing'",
    ],
)
def test_clear_on_warnings_and_other_errors(line: str) -> None:
    assert judge("dkms-compiler-version-mismatch", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("dkms-compiler-version-mismatch", snapshot).outcome is Outcome.SKIPPED
