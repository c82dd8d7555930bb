"""benign-jax-other-backend-missing"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-jax-other-backend-missing"
TEXTS = (
    (
        Certainty.CERTAIN,
        (
            (
                "I0101 10:00:00.000000 140 xla_bridge.py:889] Unable to initialize backend "
                "'rocm': module 'jaxlib.xla_extension' has no attribute 'GpuAllocatorConfig'"
            ),
        ),
    ),
    (
        Certainty.CERTAIN,
        (
            (
                "INFO:jax._src.xla_bridge:Unable to initialize backend 'tpu': INTERNAL: Failed "
                "to open libtpu.so: libtpu.so: cannot open shared object file: No such file or "
                "directory"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: jax warns that rocm was not found, the GPU is used though",)),
)
OTHERS = (
    (
        (
            "Unable to initialize backend 'cuda': module 'jaxlib.xla_extension' has no "
            "attribute 'GpuAllocatorConfig'"
        ),
    ),
    ("# note: jax cannot find the tpu and is falling back to CPU",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_an_absent_backend(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_an_absent_cuda(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
