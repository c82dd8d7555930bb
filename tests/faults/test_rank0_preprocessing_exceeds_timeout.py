"""rank0-preprocessing-exceeds-timeout"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rank0-preprocessing-exceeds-timeout"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            ("Tokenizing train set:  61%|######    | 610000/1000000 [29:58<19:00, 340 examples/s]"),
            "[rank1]: torch.distributed.DistBackendError: wait timeout after 1800000ms",
            "# only rank 0 tokenizes the data, the others wait",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: DDP with 8 GPUs, rank 0 builds the dataset index for 40 minutes, then "
                "NCCL timeout on all other ranks"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 多卡训练，主进程预处理数据超过 30 分钟，其他卡报超时",)),
)
OTHERS = (
    (
        (
            "[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=77, "
            "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000)"
        ),
    ),
    (
        ("ReadTimeoutError: HTTPSConnectionPool(host='huggingface.co', port=443): Read timed out."),
        "# note: dataset preprocessing on rank 0",
    ),
    ("# note: preprocessing takes 40 minutes on one GPU, then training is fast",),
)
WITH_SYMPTOMS = (
    (
        "Running tokenizer on dataset:  70%|#######   | 7000/10000 [10:01<04:00]",
        (
            "[rank3]:[E ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective "
            "operation timeout: WorkNCCL(SeqNum=1, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
            "Timeout(ms)=600000) ran for 600012 milliseconds before timing out."
        ),
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_time_out_during_preparation(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_time_outs(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
