"""pod-shm-missing"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "pod-shm-missing"
SHOWS = (
    (
        "$ kubectl exec train-0 -- df -h /dev/shm",
        "shm   64M   64M   0 100% /dev/shm",
    ),
    ("# note: the PyTorchJob has no emptyDir volume on /dev/shm",),
    ("# note: k8s 的 pod 没有挂载 /dev/shm，用的是默认共享内存",),
    (
        "RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus error.",
        "# in a Kubernetes pod",
    ),
    (
        "kind: PyTorchJob",
        "containers:",
        "- command: [torchrun, --nproc_per_node=4, train.py]",
        "  resources: {limits: {nvidia.com/gpu: 4}}",
    ),
)
OTHERS = (
    (
        "docker run --shm-size 64M",
        "shm 64M /dev/shm",
    ),
    (
        "shm   16G  1G  15G  7% /dev/shm",
        "# kubectl exec",
    ),
    (
        "NCCL WARN Error while creating shared memory segment nccl-shm-recv-1 (size 9637888)",
        "# pod with 4 GPUs",
    ),
    (
        "kind: Job",
        "containers:",
        "- command: [torchrun, --nproc_per_node=4, train.py]",
        "  resources: {limits: {nvidia.com/gpu: 4}}",
        "  volumeMounts: [{name: shm, mountPath: /dev/shm}]",
    ),
    (
        "kind: Job",
        "containers:",
        "- command: [torchrun, train.py]",
        "  resources: {limits: {nvidia.com/gpu: 4}}",
        "# note: the pod is Pending",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_the_default_of_a_pod(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_larger_shm_and_other_engines(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "kind: Pod",
            '  - command: ["accelerate","launch","train.py"]',
            "    resources: {limits: {nvidia.com/gpu: 4}}",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [
        (
            "kind: Pod",
            '  - command: ["accelerate","launch","train.py"]',
            "    resources: {limits: {nvidia.com/gpu: 4}}",
            "  volumes: [{name: dshm, emptyDir: {medium: Memory}}]",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
