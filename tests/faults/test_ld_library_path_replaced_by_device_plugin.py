"""ld-library-path-replaced-by-device-plugin"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ld-library-path-replaced-by-device-plugin"
SAID = (
    (
        (
            "# note: image sets LD_LIBRARY_PATH=/opt/hdf5/lib, in the pod it is overwritten with the "
            "folder of the device plugin"
        ),
        "ImportError: libhdf5.so.200: cannot open shared object file",
    ),
    (
        "# note: 部署 gpu-manager 之后 pod 里 LD_LIBRARY_PATH 被替换，镜像自己的库找不到了",
        "libmkl_rt.so: cannot open shared object file: No such file or directory",
    ),
    (
        "ENV LD_LIBRARY_PATH /usr/lib/jvm/java-8/jre/lib/amd64/server:$LD_LIBRARY_PATH",
        "$ kubectl exec job-0 -- env | grep LD_",
        "LD_LIBRARY_PATH=/usr/local/nvidia/lib64",
    ),
    (
        "# the vcuda plugin does not append to LD_LIBRARY_PATH, what the Dockerfile had is lost",
        "OSError: libjvm.so: cannot open shared object file",
    ),
)
OTHERS = (
    ("# note: conda activate overwrites LD_LIBRARY_PATH on my laptop",),
    (
        "# note: over ssh LD_LIBRARY_PATH is lost, in kubectl exec it is right",
        "k8s: pod with sshd",
    ),
    (
        "k8s: GKE",
        "LD_LIBRARY_PATH is empty in the container",
        "libcuda.so.1: cannot open shared object file",
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
