"""logs-not-persistent"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "logs-not-persistent"
SHOWS = (
    ("# note: the container was deleted and with it the logs of three days",),
    ("docker run --rm --gpus all train:1 python train.py --output_dir /workspace/out",),
    (
        "$ docker logs run7",
        "Error response from daemon: No such container: run7",
        "# note: compose recreated the container, checkpoints are gone",
    ),
    ("# note: pod 被驱逐后重建，日志和检查点全没了",),
    ("# note: 训练结果写在容器里，没有挂载卷，容器一删日志就丢了",),
    (
        "kind: Pod",
        "volumes: [{name: out, emptyDir: {}}]",
        "args: [--ckpt_dir=/tmp/ckpt]",
    ),
)
OTHERS = (
    ("docker run --rm -v /data/run1:/workspace/out train:1 python train.py --output_dir /workspace/out",),
    ("# note: the pod was evicted, logs and checkpoints are on the PVC and it resumed",),
    (
        "Failed to initialize NVML: Unknown Error",
        "# note: gpu gone in the container after daemon-reload, logs show nothing, re-created the container",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_what_went_with_the_container(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_lies_on_a_volume_and_lost_gpus(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
