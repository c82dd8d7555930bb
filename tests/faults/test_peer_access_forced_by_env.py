"""peer-access-forced-by-env"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "peer-access-forced-by-env"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "GGML_CUDA_P2P=0",
                "# note: two L40S, every model prints gibberish",
            ),
        ),
        (
            Certainty.POSSIBLE,
            (
                (
                    "# note: the launcher sets an environment variable for peer access on cards that "
                    "have no NVLink, output is garbage"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 启动器用环境变量强制 P2P，显卡没有 NVLink，输出全是乱码",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        ("# note: model output is gibberish on one card",),
        (
            "NCCL_P2P_DISABLE=1",
            "# note: no NVLink, training is fine",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
