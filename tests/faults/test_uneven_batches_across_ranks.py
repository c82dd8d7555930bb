"""uneven-batches-across-ranks"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "uneven-batches-across-ranks"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            (
                "[rank5]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=901, "
                "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000)"
            ),
            "# rank 5 has one more batch than the others",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: training over 4 GPUs with a length-bucket sampler, ranks get different "
                "numbers of batches and the job hangs at the end of the epoch"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 分布式训练每个 epoch 结束时卡死，各卡的 batch 数不一致",)),
    (Certainty.POSSIBLE, ("# note: DDP hangs at the last batch of the epoch, drop_last was not set",)),
)
OTHERS = (
    (
        (
            "[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, "
            "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000)"
        ),
    ),
    ("# note: DDP hangs at random steps, NCCL_P2P_DISABLE=1 helps",),
    ("# note: a single GPU trains on batches of different size, loss is NaN",),
)
WITH_SYMPTOMS = (
    (
        (
            "[rank0]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=901, "
            "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000)"
        ),
        ("# the dataset is not divisible by the number of GPUs; rank 0 runs out of batches first"),
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_ranks_with_different_numbers_of_batches(
    certainty: Certainty, lines: tuple[str, ...]
) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_hangs(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
