"""inherited-arch-list-env-in-image"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "inherited-arch-list-env-in-image"
SAID = (
    (
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "$ echo $TORCH_CUDA_ARCH_LIST",
        "5.2 6.0 6.1 7.0 7.5 8.0 8.6 9.0+PTX",
        "# built flash-attn inside nvcr.io/nvidia/pytorch:23.05-py3",
        "gpu: RTX PRO 6000 (sm_120)",
    ),
    (
        (
            "# note: the base image already sets TORCH_CUDA_ARCH_LIST, so setup.py compiled for those and "
            "not for the card in the machine"
        ),
        "CUDA error: invalid device function",
        "container: NGC pytorch",
    ),
    (
        "# note: 镜像里自带 TORCH_CUDA_ARCH_LIST，编译扩展时没有检测本机显卡，运行报 no kernel image",
        "gpu: RTX 4090",
    ),
    (
        'ENV TORCH_CUDA_ARCH_LIST="7.0;8.0"',
        "RUN pip install --no-build-isolation ./ops",
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "# in our base image",
        "gpu: L40S",
    ),
)
OTHERS = (
    (
        (
            "UserWarning: TORCH_CUDA_ARCH_LIST is not set, all archs for visible cards are included for "
            "compilation."
        ),
        "# note: in a docker image; takes hours and slow",
    ),
    (
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "gpu: RTX 5070",
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
