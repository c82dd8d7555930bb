"""benign-wsl-nvml-fields-missing"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-wsl-nvml-fields-missing"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "$ uname -r",
            "5.15.153.1-microsoft-standard-WSL2",
            "$ nvidia-smi",
            ("| N/A   48C    P8     3W /  N/A |    161MiB /  8192MiB |     N/A      Default |"),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: pynvml raises NotSupported for fan and power under WSL2, training itself runs"),),
    ),
    (Certainty.POSSIBLE, ("# note: WSL 里 nvidia-smi 看不到进程，利用率显示为 N/A",)),
)
OTHERS = (
    (
        "# note: WSL2",
        "$ nvidia-smi",
        "Failed to initialize NVML: GPU access blocked by the operating system",
        "# no processes",
    ),
    (
        "$ nvidia-smi",
        "# note: fan speed is N/A on this passive card",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_fields_that_wsl_does_not_give(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_failures_under_wsl(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
