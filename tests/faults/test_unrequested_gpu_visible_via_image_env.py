"""unrequested-gpu-visible-via-image-env"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "unrequested-gpu-visible-via-image-env"
SHOWS = (
    (
        "NVIDIA_VISIBLE_DEVICES=all",
        "# note: the pod has no gpu limit in its spec, nvidia-smi lists four cards",
    ),
    ("# note: 没有申请 GPU 的 pod 里 nvidia-smi 也能看到所有显卡",),
    (
        "$ kubectl exec web-0 -- nvidia-smi -L",
        "GPU 0: NVIDIA A30",
        "# spec requests nothing: all GPUs are visible without requesting any gpu resource",
    ),
    (
        "$ kubectl get pod web -o yaml | grep -A1 resources",
        "resources: {}",
        "$ kubectl exec web -- nvidia-smi -L",
        "GPU 0: NVIDIA L4 (UUID: GPU-1)",
    ),
    ("# note: k8s 里没申请 GPU 的 pod，nvidia-smi 也能看到全部显卡",),
)
OTHERS = (
    (
        "NVIDIA_VISIBLE_DEVICES=GPU-1234",
        "# note: pod requests one gpu and sees one",
    ),
    ("# note: pod without gpu request is Pending, untolerated taint",),
    ("docker run -e NVIDIA_VISIBLE_DEVICES=all cuda nvidia-smi",),
    (
        "resources: {limits: {cpu: 4, nvidia.com/gpu: 1}}",
        "$ kubectl exec train -- nvidia-smi -L",
        "GPU 0: NVIDIA L4 (UUID: GPU-1)",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_gpus_that_nobody_requested(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_gpus_that_were_requested(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "    limits:",
            '      cpu: "4"',
            "$ kubectl exec cpu-pod -- nvidia-smi -L",
            "GPU 0: NVIDIA L4",
            "NVIDIA_VISIBLE_DEVICES=all",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [
        (
            "    limits:",
            '      cpu: "4"',
            '      nvidia.com/gpu: "1"',
            "$ kubectl exec p -- nvidia-smi -L",
            "GPU 0: NVIDIA L4",
            "NVIDIA_VISIBLE_DEVICES=all",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
