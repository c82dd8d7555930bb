"""cuda-wheel-on-platform-without-cuda"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cuda-wheel-on-platform-without-cuda"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "ERROR: No matching distribution found for torch==2.3.0+cu121",
            "# on a MacBook with an M2",
        ),
    ),
    (
        Certainty.CERTAIN,
        (
            (
                "  hint: You're on macOS (`macosx_14_0_arm64`), but `torch` (v2.7.0+cu128) only "
                "has wheels for the following platforms: `manylinux_2_28_x86_64`"
            ),
        ),
    ),
    (
        Certainty.LIKELY,
        (
            ("PackagesNotFoundError: The following packages are not available from current channels:"),
            "  - cudatoolkit=11.3",
            "  - https://conda.anaconda.org/pytorch/osx-arm64",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 在苹果 M3 笔记本上 pip install torch==2.1.0+cu118 找不到版本",)),
)
OTHERS = (
    (
        "ERROR: No matching distribution found for torch==2.3.0+cu121",
        "python: 3.13",
    ),
    ("# note: on macOS, No matching distribution found for torch==1.8.0",),
)
WITH_SYMPTOMS = (
    (
        (
            "ERROR: Could not find a version that satisfies the requirement "
            "torch==2.1.2+cu118 (from versions: 2.1.2, 2.2.0)"
        ),
        "os: macOS 14",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_macos(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_linux(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
