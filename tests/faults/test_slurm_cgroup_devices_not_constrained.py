"""slurm-cgroup-devices-not-constrained"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "slurm-cgroup-devices-not-constrained"
SHOWS = (
    (
        "$ srun --gres=gpu:1 --container-image=nvcr.io#nvidia/pytorch python train.py",
        "CUDA_VISIBLE_DEVICES=5",
        "RuntimeError: No CUDA GPUs are available",
    ),
    (("# note: sbatch job requested one gpu with --gres=gpu:1 but nvidia-smi shows all 8 GPUs of the node"),),
    ("# note: slurm 没有配置 ConstrainDevices，任务能看到所有显卡",),
    (
        "enroot start",
        "nvidia-container-cli: device error: 4: unknown device",
        "NVIDIA_VISIBLE_DEVICES=4,5",
    ),
)
OTHERS = (
    (
        "cgroup.conf: ConstrainDevices=yes",
        "srun --container-image=x",
        "CUDA_VISIBLE_DEVICES=0",
        "No CUDA GPUs are available",
    ),
    (
        "srun: job 7 queued",
        "RuntimeError: No CUDA GPUs are available",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_gpus_that_are_not_confined(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_confined_job(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
