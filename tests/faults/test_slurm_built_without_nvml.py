"""slurm-built-without-nvml"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-built-without-nvml"
SHOWS = (
    (
        (
            "slurmd: fatal: We were configured to autodetect nvml functionality, but we weren't able "
            "to find that lib when Slurm was configured."
        ),
    ),
    (
        "gres.conf: AutoDetect=nvml",
        "# note: our slurm package was compiled without nvml",
    ),
    ("# note: slurm 里写了 AutoDetect=nvml，可是编译时没装 NVML 头文件",),
)
OTHERS = (
    ("slurmd: fatal: can't stat gres.conf file /dev/nvidia0: No such file or directory",),
    (
        "AutoDetect=nvml",
        "slurmd: gpu/nvml: found 8 devices",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_slurm_without_the_plugin(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_wrong_list_of_gpus(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
