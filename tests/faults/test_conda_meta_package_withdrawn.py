"""conda-meta-package-withdrawn"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "conda-meta-package-withdrawn"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "LibMambaUnsatisfiableError: Encountered problems while solving:",
            "  - nothing provides pytorch-cuda 11.7.* needed by torchaudio-2.0.1",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            ("PackagesNotFoundError: The following packages are not available from current channels:"),
            "  - cudatoolkit=11.1",
            "  - https://conda.anaconda.org/nvidia/linux-64",
            "# conda env create",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: environment.yml needs tensorflow-gpu, which the channel no longer has; "
                "it was removed from the mirror"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: conda 镜像里找不到 pytorch-cuda，nvidia 频道没有同步",)),
)
OTHERS = (
    (
        ("PackagesNotFoundError: The following packages are not available from current channels:"),
        "  - cudatoolkit=11.3",
        "  - https://conda.anaconda.org/pytorch/osx-64",
    ),
    ("nothing provides __cuda needed by pytorch-2.1.0-cuda12",),
    (
        ("PackagesNotFoundError: The following packages are not available from current channels:"),
        "  - my-private-tool",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_package_that_is_gone(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_missing_packages(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
