"""no-kernel-headers-for-custom-kernel"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "no-kernel-headers-for-custom-kernel"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "Resolving Linux kernel version...",
                "Could not resolve Linux kernel version",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "E: Unable to locate package linux-headers-5.15.0-99-custom",
                "# note: kernel compiled by ourselves",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 自编译内核，找不到对应的头文件，驱动容器一直失败",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Error: Unable to find a match: kernel-devel-4.18.0-305.el8_4.x86_64",
            "k8s: OpenShift 4.8",
        ),
        ("E: Unable to locate package nvidia-driver-999",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
