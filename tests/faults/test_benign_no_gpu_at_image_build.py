"""benign-no-gpu-at-image-build"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-no-gpu-at-image-build"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ docker build -t job .",
            "#9 1.2 No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'",
            "# with docker run --gpus all the same image works",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: during the image build torch.cuda.is_available() is False, at runtime it is fine"),),
    ),
    (Certainty.POSSIBLE, ("# note: 构建镜像时检测不到 GPU，启动容器后正常",)),
)
OTHERS = (
    (
        "$ docker build -t job .",
        "IndexError: list index out of range",
        "# No CUDA runtime is found; at run time it works",
    ),
    (
        "$ docker run --gpus all job",
        ">>> torch.cuda.is_available()",
        "False",
    ),
    ("# note: docker build succeeds, the container finds no GPU",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_build_without_a_gpu(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_builds_and_runs(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
