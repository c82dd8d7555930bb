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


SAID = (
    (
        (
            "/var/lib/dkms/nvidia/470.199.02/build/nvidia-drm/nvidia-drm-drv.c:748:40: "
            "error: 'DRM_UNLOCKED' undeclared here"
        ),
        "kernel: 6.8.0",
        "driver: 470",
    ),
    (
        "# note: nvidia 390 module cannot be compiled any more since the jump to kernel 6.10",
        "os: openSUSE Tumbleweed",
    ),
    (
        "ERROR: modpost: GPL-incompatible module nvidia.ko uses GPL-only symbol '__rcu_read_lock'",
        "os: Fedora 40",
        "driver: 535.113",
    ),
)
NEAR = (
    "Error! Bad return status for module build on kernel: 6.5.0-15-generic",
    "driver: 535.129",
    "/bin/sh: 1: gcc-12: not found",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
