"""cdi-spec-stale-after-driver-update"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cdi-spec-stale-after-driver-update"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "Error: crun: cannot stat `/usr/lib64/libnvidia-ml.so.550.54.14`: No such file or"
                " directory: OCI runtime attempted to invoke a command that was not found"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "runc create failed: unable to start container process: error during container "
                'init: error mounting "/usr/lib/x86_64-linux-gnu/libcuda.so.535.161.07" to rootfs'
                ' at "/usr/lib/x86_64-linux-gnu/libcuda.so.535.161.07": no such file or directory'
            ),
            Certainty.CERTAIN,
        ),
        (
            ("crun: cannot stat `/usr/lib/libnvidia-egl-wayland.so.1.1.13`: No such file or directory"),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_on_a_driver_file_of_another_release(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "crun: cannot stat `/data/model.bin`: No such file or directory",
        ("python: libcuda.so.1: cannot open shared object file: No such file or directory"),
    ],
)
def test_clear_on_another_missing_file(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
