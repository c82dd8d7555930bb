"""nvidia-env-vars-missing-in-image"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nvidia-env-vars-missing-in-image"
SAID = (
    (
        "RuntimeError: Found no NVIDIA driver on your system.",
        (
            "# note: image is built from debian:12 with pip install torch; started with --runtime=nvidia; "
            "NVIDIA_VISIBLE_DEVICES is not set in it"
        ),
    ),
    (
        ">>> torch.cuda.is_available()",
        "False",
        (
            "# works as soon as I add -e NVIDIA_DRIVER_CAPABILITIES=compute,utility -e "
            "NVIDIA_VISIBLE_DEVICES=all"
        ),
        "container: docker, nvidia runtime",
    ),
    (
        "$ srun --container-image=alice+train python -c 'import torch; torch.zeros(1).cuda()'",
        "RuntimeError: Found no NVIDIA driver on your system.",
        "# note: pyxis; the same job runs with an image on nvidia/cuda; ours has no NVIDIA_VISIBLE_DEVICES",
    ),
    (
        (
            "# note: 容器里找不到 libcuda.so.1，宿主机 nvidia-smi 正常；Dockerfile 里没有设置 "
            "NVIDIA_DRIVER_CAPABILITIES"
        ),
        "container: docker",
    ),
    (
        "root@c0ffee:/app# echo $NVIDIA_DRIVER_CAPABILITIES",
        "",
        "root@c0ffee:/app# ldconfig -p | grep libcuda",
        "# image: FROM python:3.11-slim; nothing is printed by either command",
    ),
)
OTHERS = (
    (
        "RuntimeError: Found no NVIDIA driver on your system.",
        "# note: started with plain docker run image, no --gpus",
    ),
    (
        "$ env | grep NVIDIA",
        "NVIDIA_DRIVER_CAPABILITIES=video,utility",
        "NVIDIA_VISIBLE_DEVICES=all",
        "RuntimeError: Found no NVIDIA driver on your system.",
    ),
    (
        "RuntimeError: Found no NVIDIA driver on your system.",
        "# pod on GKE, base image does not set NVIDIA_VISIBLE_DEVICES",
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
