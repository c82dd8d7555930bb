"""ld-library-path-differs-in-tmux"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ld-library-path-differs-in-tmux"
SAID = (
    (
        "RuntimeError: GET was unable to find an engine to execute this computation",
        "# note: happens only in my tmux session, a fresh ssh login trains fine",
    ),
    (
        "# note: 在 tmux 里训练报 cudnn 版本不匹配，退出 tmux 就正常",
        (
            "RuntimeError: cuDNN version incompatibility: PyTorch was compiled against (8, 9, 2) but "
            "found runtime version (8, 2, 4)"
        ),
    ),
    (
        "$ echo $LD_LIBRARY_PATH   # inside tmux",
        "/usr/local/cuda-11.2/lib64",
        "$ echo $LD_LIBRARY_PATH   # normal shell",
        "/usr/local/cuda-12.1/lib64",
        "Could not load library libcudnn_cnn_infer.so.8",
    ),
    (
        "ImportError: libcudart.so.10.0: cannot open shared object file: No such file or directory",
        "# the same import works outside of tmux",
    ),
)
OTHERS = (
    (
        "# note: training runs in tmux",
        "RuntimeError: CUDA out of memory.",
    ),
    ("RuntimeError: GET was unable to find an engine to execute this computation",),
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
