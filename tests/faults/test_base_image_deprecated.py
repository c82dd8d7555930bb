"""base-image-deprecated"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "base-image-deprecated"
SAID = (
    (
        "FROM conda/miniconda3",
        "RUN conda update -n base -c defaults conda",
        "ModuleNotFoundError: No module named 'conda'",
        "The command '/bin/sh -c conda env create -f env.yml' returned a non-zero code: 1",
    ),
    (
        (
            "# note: our Dockerfile starts from an image that has been archived for years; after conda "
            "update conda nothing works any more"
        ),
        "/opt/conda/bin/conda: error while loading",
    ),
    (
        "# note: 基础镜像 continuumio/miniconda 已经停止维护，更新 conda 之后 conda 自己报错",
        "ImportError: cannot import name 'main'",
    ),
    (
        "Step 3/9 : RUN conda install -y conda=23.1 && conda env update -f environment.yml",
        "Step 1/9 : FROM continuumio/miniconda:4.5.4",
        (
            "CondaUpgradeError: This environment has previously been operated on by a conda version "
            "that's newer than the conda currently being used."
        ),
    ),
)
OTHERS = (
    (
        "FROM condaforge/miniforge3:24.9.2-0",
        "RUN conda install -y pytorch",
        "LibMambaUnsatisfiableError: Encountered problems while solving",
    ),
    (
        "FROM continuumio/miniconda3:24.1.2-0",
        "RUN conda install -y pytorch",
        "PackagesNotFoundError: The following packages are not available from current channels",
        "returned a non-zero code: 1",
    ),
    (
        "conda install pytorch cudatoolkit=11.3",
        "CondaError: Downloaded bytes did not match Content-Length",
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
