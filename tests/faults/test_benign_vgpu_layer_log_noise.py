"""benign-vgpu-layer-log-noise"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-vgpu-layer-log-noise"
TEXTS = (
    (Certainty.LIKELY, ("[HAMI-core Msg(31:140025334466368:libvgpu.c:836)]: Initializing.....",)),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: GPU sharing with HAMi prints unexpected log lines in every command, "
                "setting the level does not silence them"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 容器里 vgpu 打印非预期的日志",)),
)
OTHERS = (
    ("[HAMI-core ERROR (pid:31 thread=1 allocator.c:49)]: Device 0 OOM 900 / 800",),
    ("# note: HAMi, no log output is written by my program",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_lines_of_the_vgpu_layer(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_its_errors(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
