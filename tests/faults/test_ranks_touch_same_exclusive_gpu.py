"""ranks-touch-same-exclusive-gpu"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ranks-touch-same-exclusive-gpu"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            ("[rank1]: RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable"),
            ("# the nodes run in compute mode Exclusive_Process; torchrun --nproc_per_node 4"),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: GPUs are set to exclusive process, DDP over two GPUs says devices are "
                "busy or unavailable, a single GPU is fine"
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        ("# note: 集群显卡是独占模式，多卡训练报 CUDA-capable devices are busy or unavailable",),
    ),
)
OTHERS = (
    (
        "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
        "# note: exclusive mode, a notebook kernel has the GPU",
    ),
    (
        ("[rank1]: RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"),
        "# nobody else is on the node",
    ),
)
WITH_SYMPTOMS = (
    (
        "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
        "# compute mode: Exclusive_Process, ranks started by torchrun",
    ),
    (
        ("[rank0]: RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"),
        "# compute mode: Exclusive_Process",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_ranks_turned_away_by_an_exclusive_gpu(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_one_process_alone(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
