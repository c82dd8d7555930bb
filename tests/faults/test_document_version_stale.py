"""document-version-stale"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "document-version-stale"
SHOWS = (
    ("# note: the wiki says driver 470 but the nodes run 550",),
    (
        'README.md: "All machines are on CUDA 11.3"',
        "$ nvidia-smi | grep CUDA",
        "CUDA Version: 12.8",
        "# note: readme is outdated, newcomers build against 11.3",
    ),
    ("# note: 文档里还写着驱动 450，机器上早就是 535 了",),
    (
        "docs/cluster.rst:40: the driver is 460.32.03 on all hosts",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.127.05",
    ),
    ("# note: our onboarding guide still tells people to install torch 1.9, the cluster has CUDA 12",),
)
OTHERS = (
    (
        "README.md: driver 525 or newer",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.133.20",
    ),
    ("# note: the NVIDIA driver on the node does not match the CUDA in my container",),
    (
        "docs/setup.md:3: driver 570 on all nodes",
        "driver_version, 570.133.20",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_pages_that_lag_behind_the_machines(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_minimum_and_a_page_that_agrees(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
