"""sudo-drops-environment"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "sudo-drops-environment"
SHOWS = (
    ("sudo: nvcc: command not found",),
    (
        "$ sudo python setup.py install",
        "/bin/sh: 1: nvcc: not found",
        "# without sudo the build works",
    ),
    ("# note: sudo resets PATH, so the CUDA directory is missing",),
    ("# note: 加 sudo 之后找不到 nvcc，普通用户下正常",),
)
OTHERS = (
    (
        "$ sudo apt-get install nvidia-cuda-toolkit",
        "nvcc: command not found",
        "# PATH is set",
    ),
    ("bash: nvcc: command not found",),
    (
        "$ sudo nvidia-smi",
        "Fri Nov 10",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_command_that_sudo_does_not_find(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_uses_of_sudo_that_are_fine(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
