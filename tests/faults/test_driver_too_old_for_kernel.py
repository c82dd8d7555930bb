"""driver-too-old-for-kernel"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "driver-too-old-for-kernel"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "/var/lib/dkms/nvidia/470.1/build/nvidia-drm/nvidia-drm-drv.c:20:5: error: "
                "implicit declaration of function 'drm_x'"
            ),
            Certainty.LIKELY,
        ),
        (
            ("ERROR: modpost: GPL-incompatible module nvidia.ko uses GPL-only symbol 'rcu_read_lock_strict'"),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_when_the_sources_do_not_fit_the_kernel(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "/src/app/main.c:10:1: error: unknown type name 'foo'",
        ("cc: error: unrecognized command-line option '-fmin-function-alignment=16'"),
    ],
)
def test_clear_on_another_compile_error(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
