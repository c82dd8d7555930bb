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


SAID = (
    (
        "$ prime-select query",
        "intel",
        "$ nvidia-smi",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
        "os: Ubuntu 20.04",
    ),
    (
        "modprobe: FATAL: Module off not found in directory /lib/modules/5.15.0-76-generic",
        "# note: 用 prime-select 切到 intel 之后",
        "os: Linux Mint",
    ),
    (
        (
            "# note: laptop was set to the power saving profile in NVIDIA settings, the "
            "nvidia module is not loaded any more"
        ),
        "os: Ubuntu 22.04",
    ),
)
NEAR = (
    "$ prime-select query",
    "nvidia",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
