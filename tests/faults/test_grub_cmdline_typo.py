"""grub-cmdline-typo"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "grub-cmdline-typo"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ('GRUB_CMDLINE_LINUX="quiet modprob.blacklist=nouveau"', Certainty.LIKELY),
        ("BOOT_IMAGE=/vmlinuz root=/dev/sda1 nouveau.modset=0", Certainty.LIKELY),
    ],
)
def test_fires_on_a_name_that_nobody_reads(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ('GRUB_CMDLINE_LINUX="rd.driver.blacklist=nouveau modprobe.blacklist=nouveau nouveau.modeset=0"'),
        "kernel command line: nvidia-drm.modeset=1 module_blacklist=nouveau",
    ],
)
def test_clear_on_the_right_names(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
