"""gke-driver-dir-not-on-library-path"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gke-driver-dir-not-on-library-path"
SAID = (
    (
        "k8s: GKE 1.30",
        "ImportError: libcuda.so.1: cannot open shared object file: No such file or directory",
        "# note: GPU node pool with T4, image from debian",
    ),
    (
        "$ kubectl exec -it trainer -- nvidia-smi",
        "sh: nvidia-smi: not found",
        "# note: Google Kubernetes Engine; /usr/local/nvidia/bin/nvidia-smi works with the full path",
    ),
    (
        (
            "# pod spec has nvidia.com/gpu: 1; the driver is in /usr/local/nvidia/lib64 but the image "
            "does not have that in LD_LIBRARY_PATH"
        ),
        ">>> torch.cuda.is_available()",
        "False",
    ),
    (
        (
            "# note: GKE 上的 pod 里 torch 报找不到驱动，本地 docker 正常，加上 "
            "LD_LIBRARY_PATH=/usr/local/nvidia/lib64 就好了"
        ),
        "RuntimeError: Found no NVIDIA driver on your system.",
    ),
)
OTHERS = (
    (
        "k8s: GKE",
        "0/3 nodes are available: 3 node(s) had untolerated taint {nvidia.com/gpu: present}",
        "# note: no nvidia driver problem",
    ),
    (
        "# image: ENV LD_LIBRARY_PATH=/opt/app/lib",
        "# in the pod LD_LIBRARY_PATH is replaced by /usr/local/nvidia/lib64 (gpu-manager)",
    ),
    (
        "RuntimeError: Found no NVIDIA driver on your system.",
        "k8s: EKS",
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
