"""cuda-home-malformed"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cuda-home-malformed"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "FileNotFoundError: [Errno 2] No such file or directory: "
                "'/opt/cuda:/usr/local/cuda-12.4/bin/nvcc'"
            ),
            Certainty.CERTAIN,
        ),
        ("/bin/sh: 1: :/usr/local/cuda/bin/nvcc: not found", Certainty.CERTAIN),
        ("CUDA_HOME=/usr/local/cuda:/usr/local/cuda-12.4", Certainty.LIKELY),
    ],
)
def test_fires_on_a_list_of_folders(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found",
        "LD_LIBRARY_PATH=/usr/local/cuda/lib64:/opt/lib",
        "CUDA_HOME=/usr/local/cuda",
    ],
)
def test_clear_on_one_folder(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
