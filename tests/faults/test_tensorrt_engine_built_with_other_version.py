"""tensorrt-engine-built-with-other-version"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "tensorrt-engine-built-with-other-version"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "[E] [TRT] 1: [stdArchiveReader.cpp::40] Error Code 1: Serialization (Version tag"
                " does not match. Note: Current Version: 1, Serialized Engine Version: 2)"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "[TRT] [E] The engine plan file is not compatible with this version of TensorRT, "
                "expecting library version 10.3 got 8.6"
            ),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_on_an_engine_of_another_release(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("[W] Using an engine plan file across different models of devices is not recommended"),
        "[I] [TRT] Loaded engine size: 25 MiB",
    ],
)
def test_clear_on_an_engine_of_another_gpu(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
