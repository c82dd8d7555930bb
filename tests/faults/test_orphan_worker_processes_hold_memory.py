"""orphan-worker-processes-hold-memory"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "orphan-worker-processes-hold-memory"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.",
            "# a python worker of the crashed run was still alive and had 70 GiB",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            (
                "RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 23.69 "
                "GiB total capacity; 12.00 MiB already allocated; 300.00 MiB free; 20.00 MiB "
                "reserved in total by PyTorch)"
            ),
            "# note: rebooted the machine and it worked",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: after ctrl-C the GPU memory is not released, four orphaned workers had "
                "to be killed by hand"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 上一次训练的进程没有退出，显存被占满，新任务起不来",)),
)
OTHERS = (
    (
        (
            "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB "
            "total capacity; 21.00 GiB already allocated; 300.00 MiB free; 21.50 GiB "
            "reserved in total by PyTorch)"
        ),
    ),
    (
        "Out of memory: Killed process 812 (python)",
        "# note: the previous run on the GPU was smaller",
    ),
    (
        "# note: a second GPU program runs next to JAX",
        "cudaErrorMemoryAllocation : out of memory",
    ),
)
WITH_SYMPTOMS = (
    (
        "torch.OutOfMemoryError: CUDA out of memory.",
        "# 残留的 python 进程还占着显存",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_leftover_process(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_shortages(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
