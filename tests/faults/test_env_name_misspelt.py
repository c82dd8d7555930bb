"""env-name-misspelt"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "env-name-misspelt"
SHOWS = (
    ("export CUDA_VISIBLE_DEVICE=2,3",),
    (
        "      - name: NVIDIA_VISIBLE_DEVICE",
        "        value: all",
        "NVIDIA_VISIBLE_DEVICE: all",
    ),
    ("NCCL_SOCKET_IFNAM=eth0 torchrun train.py",),
    ('os.environ["CUDA_VISABLE_DEVICES"] = "1"',),
    ("# note: the environment variable had a typo, so the setting was ignored",),
    ("# note: 环境变量 NCCL_DEBUG 写成了小写，所以没生效",),
)
OTHERS = (
    ("export CUDA_VISIBLE_DEVICES=2,3",),
    ("export NCCL_SOCKET_IFNAME=eth0 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",),
    ("train(cuda_visible_devices=None)",),
    ("export http_proxy=http://10.0.0.1:3128",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_name_that_nobody_reads(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_names_that_are_right(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
