"""toolkit-install-skipped-apt-error"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "toolkit-install-skipped-apt-error"
SAID = (
    (
        "$ sudo apt-get update && sudo apt-get install -y nvidia-container-toolkit",
        "Hit:1 http://archive.ubuntu.com/ubuntu jammy InRelease",
        "Err:4 https://ppa.example.org/old jammy Release",
        "  404  Not Found",
        "E: The repository 'https://ppa.example.org/old jammy Release' does not have a Release file.",
        "$ docker run --rm --gpus all ubuntu nvidia-smi",
        'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
    ),
    (
        (
            "# note: apt-get update ends with an error because of an old kubernetes repository, so the "
            "toolkit from the && chain was never installed"
        ),
        "nvidia-ctk: command not found",
    ),
    (
        "# note: apt update 因为别的第三方源报错，后面的 nvidia-container-toolkit 没有安装",
        'could not select device driver "" with capabilities: [[gpu]]',
    ),
    (
        "sudo apt update \\",
        "  && sudo apt install -y nvidia-docker2",
        (
            "W: GPG error: https://repo.example.org stable InRelease: The following signatures were "
            "invalid: EXPKEYSIG 1234"
        ),
        "E: The repository 'https://repo.example.org stable InRelease' is not signed.",
        "$ dpkg -l | grep nvidia-docker2",
    ),
)
OTHERS = (
    (
        "$ sudo apt-get update && sudo apt-get install -y nvidia-container-toolkit",
        "E: Unable to locate package nvidia-container-toolkit",
    ),
    (
        'could not select device driver "" with capabilities: [[gpu]]',
        "# note: fresh machine, toolkit not installed yet",
    ),
    (
        "$ sudo apt-get install nvidia-driver-550",
        "E: Sub-process /usr/bin/dpkg returned an error code (1)",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
