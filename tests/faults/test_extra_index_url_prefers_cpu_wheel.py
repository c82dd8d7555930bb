"""extra-index-url-prefers-cpu-wheel"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "extra-index-url-prefers-cpu-wheel"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ echo $PIP_EXTRA_INDEX_URL",
            "http://mirror.example/whl/cpu",
            ("$ pip install --pre torch --index-url https://download.pytorch.org/whl/nightly/cu130"),
            "Successfully installed torch-2.11.0+cpu",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: base image has an extra index in pip.conf, pip picks the CPU wheel "
                "instead of the cu128 nightly"
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        ("# note: 镜像里预设了 extra-index-url，结果装成了 CPU 版，而不是 cu130 的 nightly",),
    ),
)
OTHERS = (
    (
        "torch==2.4.0+cpu",
        "$ pip install torch --index-url https://download.pytorch.org/whl/cpu",
    ),
    ("$ pip install torch --extra-index-url https://download.pytorch.org/whl/cu128",),
)
WITH_SYMPTOMS = (
    (
        "PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu",
        ("$ pip install torch --index-url https://download.pytorch.org/whl/nightly/cu130"),
        ">>> torch.__version__",
        "'2.11.0+cpu'",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_an_index_that_wins_with_a_cpu_wheel(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_an_index_alone(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
