"""slurm-gres-conf-wrong"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-gres-conf-wrong"
SHOWS = (
    ("slurmd: fatal: can't stat gres.conf file /dev/nvidia3: No such file or directory",),
    (
        (
            "error: Setting node gpu07 state to INVAL with reason:gres/gpu count reported lower than "
            "configured (0 < 8)"
        ),
    ),
    (
        "gres.conf: NodeName=n[1-4] Name=gpu File=/dev/nvidia0",
        "# note: slurmd fails on two nodes without a gpu",
    ),
    ("# note: slurm 节点上驱动没加载，gres 里配了 gpu，slurmd 起不来",),
)
OTHERS = (
    (
        (
            "We were configured to autodetect nvml functionality, but we weren't able to find that "
            "lib when Slurm was configured."
        ),
    ),
    ("gres/gpu count reported lower than configured (3 < 4)",),
    ("slurmd: error: Node has low real_memory size",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_gpus_that_are_only_on_paper(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_reasons_of_slurmd(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
