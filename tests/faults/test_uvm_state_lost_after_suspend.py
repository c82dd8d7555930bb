"""uvm-state-lost-after-suspend"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "uvm-state-lost-after-suspend"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                (
                    "UserWarning: CUDA initialization: CUDA unknown error - this may be due to an "
                    "incorrectly set up environment"
                ),
                "# note: since my laptop woke up from sleep",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 笔记本合盖再打开之后 CUDA 不可用，重启才恢复",),
        ),
        (
            Certainty.LIKELY,
            (
                "$ sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm",
                ">>> torch.cuda.is_available()",
                "True",
                "# note: works again, it had failed after suspend",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "CUDA_ERROR_UNKNOWN: unknown error",
                "# note: after resuming from hibernation tensorflow sees no GPU",
            ),
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
            "UserWarning: CUDA initialization: CUDA unknown error",
            "# note: first start after installing the driver",
        ),
        ("# note: the process hangs in time.sleep, CUDA is not available",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
