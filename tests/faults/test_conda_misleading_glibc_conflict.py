"""conda-misleading-glibc-conflict"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "conda-misleading-glibc-conflict"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "The following specifications were found to be incompatible with your system:",
            "  - feature:/linux-64::__glibc==2.35=0",
            "Your installed version is: 2.35",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: conda ends with UnsatisfiableError for torch 1.12 with torchaudio 0.13, "
                "the message is all about __glibc, which is 2.31"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: conda 装 pytorch 提示冲突，最后列的是 glibc，系统的 glibc 其实够新",)),
)
OTHERS = (
    (
        (
            "ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.28' not found "
            "(required by libtorch_cpu.so)"
        ),
    ),
    (
        "LibMambaUnsatisfiableError: Encountered problems while solving:",
        "  - nothing provides __glibc >=2.28,<3.0.a0 needed by pytorch-2.7",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_the_solver_blaming_glibc(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_glibc_that_is_too_old(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
