"""env-only-in-init-container"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "env-only-in-init-container"
SHOWS = (
    ("# note: we export HF_ENDPOINT in the init container but the training container does not see it",),
    ("# note: NCCL_SOCKET_IFNAME was only in the initContainer; moving it to the trainer fixed the hang",),
    ("# note: 环境变量写在 initContainers 里了，主容器里 echo 出来是空的",),
    (
        "KeyError: 'MASTER_ADDR'",
        "# note: MASTER_ADDR is exported by an init container script",
    ),
    (
        "initContainers:",
        "- name: setup",
        "  env:",
        "  - name: CUDA_VISIBLE_DEVICES",
        '    value: "0,1"',
        "containers:",
        "- name: main",
        "# note: echo prints nothing, the variable is ignored",
    ),
    (
        "$ kubectl logs train-0 -c init-env",
        "LD_LIBRARY_PATH=/opt/cuda/lib64",
        "$ kubectl exec train-0 -- printenv LD_LIBRARY_PATH",
        "(empty)",
    ),
    ("# 备注：LD_LIBRARY_PATH 只在 init 容器里 export 过，训练进程拿不到",),
)
OTHERS = (
    (
        "train-0   0/1   Init:CrashLoopBackOff   4   2m",
        "# note: the init container exports HF_TOKEN, the main container never starts",
    ),
    (
        "initContainers:",
        "- name: fetch",
        "  image: busybox",
        "containers:",
        "- name: main",
        "  env:",
        "  - name: NCCL_DEBUG",
        "    value: INFO",
    ),
    (
        "KeyError: 'MASTER_ADDR'",
        "# note: the trainer container has no MASTER_ADDR",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_variable_of_the_init_container(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_an_init_container_that_fails_and_a_variable_that_arrives(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
