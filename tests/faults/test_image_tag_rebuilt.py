"""image-tag-rebuilt"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "image-tag-rebuilt"
SAID = (
    (
        (
            "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=11.8, please update "
            "your driver to a newer version, or use an earlier cuda container: unknown."
        ),
        "# note: the very same tag ran on this node until last Friday; driver and host were not touched",
    ),
    (
        "nvidia-container-cli: requirement error: unsatisfied condition: brand = unknown",
        "# node A still has the image in its cache and works, node B pulled a new digest for the same tag",
    ),
    (
        "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.1",
        "# note: 同一个镜像标签，上周还能启动，今天重新拉取之后就不行了，驱动没有变",
    ),
    (
        "unsatisfied condition: cuda>=11.7",
        "# NVIDIA rebuilt the image under the old name and the list of allowed drivers is shorter now",
        "driver: 470.182.03",
    ),
)
OTHERS = (
    (
        (
            "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.4, please update "
            "your driver to a newer version, or use an earlier cuda container: unknown."
        ),
        "driver: 525.60.13",
    ),
    ("# note: pulled the new image today, training loss differs from yesterday",),
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
