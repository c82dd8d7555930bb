"""ci-without-gpu-test"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ci-without-gpu-test"
SHOWS = (
    (
        "jobs:",
        "  build:",
        "    runs-on: ubuntu-latest",
        "    steps:",
        "      - run: docker build -t app . && docker push app",
        "# note: CI is green, but on the GPU nodes torch fails on the first job",
    ),
    ("# note: our pipeline only builds and imports torch, no GPU test; it then failed on the cluster",),
    (
        "test_cuda.py ssssssss  8 skipped (no GPU)",
        "# note: all CI runs pass, every cuda test is skipped on the cpu-only runners",
    ),
    ("# note: 流水线全绿，但 CI 里没有 GPU，镜像上线到集群才发现用不了 cuda",),
    (
        "Jenkinsfile: sh 'docker build -t train . && docker push train'",
        "# note: please review, the Jenkins agents have no GPUs, is this enough of a test?",
    ),
)
OTHERS = (
    (
        ".gitlab-ci.yml: tags: [gpu]",
        'script: docker run --gpus all $IMG python -c "import torch; assert torch.cuda.is_available()"',
        "# note: passes",
    ),
    ("# note: pipeline parallelism with 4 stages fails on the cluster, torch error on gpu 3",),
    (
        "runs-on: ubuntu-latest",
        "docker build: no space left on device",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_pipelines_that_never_see_a_gpu(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_stage_on_a_gpu_and_other_failures(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
