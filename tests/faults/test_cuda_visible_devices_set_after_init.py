"""cuda-visible-devices-set-after-init"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cuda-visible-devices-set-after-init"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            'os.environ["CUDA_VISIBLE_DEVICES"] = "3"',
            "# the job still runs on GPU 0",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: the script sets CUDA_VISIBLE_DEVICES after importing torch, memory is "
                "allocated on card 0 anyway"
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            "# note: 在代码里先导入 torch，之后才设置 CUDA_VISIBLE_DEVICES，程序还是跑在 0 号卡上",
            "# note: import torch 之后才设置 CUDA_VISIBLE_DEVICES",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "import os",
            "os.environ['CUDA_VISIBLE_DEVICES'] = '5'",
            "# 不生效，仍然占用第 0 块卡",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            ">>> import torch",
            ">>> os.environ['CUDA_VISIBLE_DEVICES'] = '1'",
            ">>> torch.cuda.device_count()",
            "4",
        ),
    ),
)
OTHERS = (
    (
        (
            "UserWarning: CUDA initialization: CUDA unknown error - this may be due to an "
            "incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES "
            "after program start. Setting the available devices to be zero."
        ),
    ),
    (
        "export CUDA_VISIBLE_DEVICES=1",
        "RuntimeError: No CUDA GPUs are available",
    ),
    (
        "$ CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 2 train.py",
        "RuntimeError: CUDA error: out of memory",
    ),
)
WITH_SYMPTOMS = (
    (
        'os.environ["CUDA_VISIBLE_DEVICES"] = "3"',
        "# it is ignored, everything lands on the busy card 0",
        "torch.OutOfMemoryError: CUDA out of memory.",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_variable_that_comes_too_late(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_words_on_the_variable(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
