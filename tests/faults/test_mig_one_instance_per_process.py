"""mig-one-instance-per-process"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mig-one-instance-per-process"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ nvidia-smi -L",
            "  MIG 2g.20gb     Device  0: (UUID: MIG-0f0e)",
            "  MIG 2g.20gb     Device  1: (UUID: MIG-1a2b)",
            ">>> torch.cuda.device_count()",
            "1",
            "# note: two MIG slices were given to the pod",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: H100 cut into seven MIG instances, but my training script only sees the first one"),),
    ),
    (Certainty.POSSIBLE, ("# note: A100 开了 MIG，分了三个实例，程序里 device_count 始终是 1",)),
)
OTHERS = (
    (
        "# note: MIG is on, torch.cuda.device_count() is 0",
        "RuntimeError: No CUDA GPUs are available",
    ),
    (
        "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED",
        "# note: 2 MIG instances, device_count returns 1 for each",
    ),
    ("# note: torch only sees one of eight GPUs",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_count_of_one(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_words_on_mig(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "  MIG 1g.10gb     Device  1: (UUID: MIG-2)",
            ">>> torch.cuda.device_count()",
            "1",
            ">>> torch.cuda.get_device_name()",
            "'NVIDIA H100 80GB HBM3 MIG 1g.10gb'",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings
