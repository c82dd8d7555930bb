"""prime-intel-profile-disables-nvidia"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "prime-intel-profile-disables-nvidia"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "modprobe: ERROR: ../libkmod/libkmod-module.c:838 kmod_module_insert_module() "
                "could not find module by name='off'"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "modprobe: ERROR: could not insert 'off': Unknown symbol in module, or unknown "
                "parameter (see dmesg)"
            ),
            Certainty.CERTAIN,
        ),
        ("alias nvidia-drm off", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_module_is_aliased_to_off(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.8.0",
        "alias nouveau off",
    ],
)
def test_clear_on_a_module_that_is_missing(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
