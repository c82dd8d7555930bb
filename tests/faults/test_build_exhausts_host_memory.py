"""build-exhausts-host-memory"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "build-exhausts-host-memory"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("c++: fatal error: Killed signal terminated program cc1plus", Certainty.CERTAIN),
        ("nvcc error   : 'cicc' died due to signal 9 (Kill signal)", Certainty.CERTAIN),
        ("[12.3] Out of memory: Killed process 71 (cicc) total-vm:9000000kB", Certainty.CERTAIN),
    ],
)
def test_fires_when_a_compiler_is_killed(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("nvcc error   : 'cudafe++' died due to signal 11 (Invalid memory reference)"),
        "ninja: build stopped: subcommand failed.",
    ],
)
def test_clear_on_a_compile_error(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
