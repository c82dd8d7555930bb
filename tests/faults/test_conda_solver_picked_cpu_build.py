"""conda-solver-picked-cpu-build"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "conda-solver-picked-cpu-build"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ conda list",
            "pytorch-mutex             1.0                         cpu    pytorch",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "pytorch            2.3.1           cpu_generic_py311h8ca351a_0    conda-forge",
            "# environment.yml lists cuda-version=12.4",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: after adding torchtext to the yml mamba installs the CPU-only build of pytorch"),),
    ),
    (
        Certainty.POSSIBLE,
        (
            "# note: conda 装出来的是 CPU 版本的 pytorch，明明指定了 cudatoolkit",
            "# note: conda 解析出 CPU 版",
        ),
    ),
)
OTHERS = (
    (
        "torch==2.4.0+cpu",
        "# installed with pip from the cpu index",
    ),
    (
        "nothing provides __cuda needed by pytorch-2.1.0",
        "# conda on the login node selects the cpu build",
    ),
    ("pytorch     2.1.0     py3.11_cuda12.1_cudnn8.9.2_0    pytorch",),
)
WITH_SYMPTOMS = (
    (
        "cpuonly                   2.0                           0    pytorch",
        "pytorch                   1.12.1              py3.9_cpu_0    pytorch",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_cpu_build_from_conda(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_cpu_builds(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
