"""jupyter-kernel-lacks-library-path"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "jupyter-kernel-lacks-library-path"
SAID = (
    (
        "ImportError: libcublas.so.11: cannot open shared object file: No such file or directory",
        "# note: only in the notebook; python in a terminal imports it without complaint",
    ),
    ("# note: 在 jupyter 里 import tensorflow 报 libcudart.so.11.0 找不到，终端里正常",),
    (
        "In [1]: import os; print(os.environ.get('LD_LIBRARY_PATH'))",
        "None",
        (
            "# note: JupyterHub; in the shell LD_LIBRARY_PATH contains /usr/local/cuda/lib64 and torch "
            "works from the command line"
        ),
    ),
    (
        (
            "# jupyterlab started by systemd does not inherit LD_LIBRARY_PATH from .bashrc, cuDNN is not "
            "found in the kernel"
        ),
    ),
)
OTHERS = (
    (
        "ModuleNotFoundError: No module named 'torch'",
        "# note: in jupyter; works in the terminal",
    ),
    (
        "ImportError: libcublas.so.11: cannot open shared object file: No such file or directory",
        "# note: in a script on the cluster",
    ),
    (
        "ImportError: libGL.so.1: cannot open shared object file",
        "# in the notebook container; works in a terminal on my laptop",
    ),
    (
        "# hosted notebook with CUDA 11",
        "libcudart.so.12: cannot open shared object file",
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
