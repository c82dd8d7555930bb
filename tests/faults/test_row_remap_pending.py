"""row-remap-pending"""

import pytest

from codeblue.model.fault import Severity
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "row-remap-pending"


def test_fires_when_nvml_says_that_a_row_waits() -> None:
    snapshot = recording("h200-healthy", nvml={"gpus": {"0": {"remapped_pending": True}}})

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.subject, finding.severity) == ("gpu:0", Severity.WARNING)
    assert finding.evidence[0].path == "nvml[0].remapped_pending"


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: Xid (PCI:0000:1b:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: a row is marked",
        "            Pending                           : Yes",
        "\t\t\t<remapped_row_pending>Yes</remapped_row_pending>",
    ],
)
def test_fires_on_text(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "line",
    [
        "            Pending                           : No",
        "        Pending                               : Enabled",
        "reboot Pending : Yes",
        "NVRM: Xid (PCI:0000:63:00): 43, pid=63, name=x",
    ],
)
def test_clear_on_other_text(line: str) -> None:
    assert judge(FAULT, text(line)).findings == ()


def test_clear_on_a_healthy_gpu_and_without_nvml() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judge(FAULT, recording("h200-healthy", nvml={"state": "absent"})).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_gpu_does_not_say() -> None:
    snapshot = recording("h200-healthy", nvml={"gpus": {"0": {"remapped_pending": ...}}})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_beside_a_lost_gpu() -> None:
    rows = {"0": {"remapped_pending": True}, "1": {"handle": 15}}

    assert judge(FAULT, recording("h200-healthy", nvml={"gpus": rows})).outcome is Outcome.FIRED


SAID = (
    (
        "Remapped Rows",
        "    Correctable Error                 : 0",
        "    Uncorrectable Error               : 1",
        "    Pending                           : Yes",
        "    Remapping Failure Occurred        : No",
        "gpu: A100-SXM4-80GB",
    ),
    (
        ("# note: dcgm says a row remapping is pending on GPU 2, needs a reset before the spare row is used"),
        "gpu: H100",
    ),
    (
        (
            "NVRM: Xid (PCI:0000:8a:00): 63, pid=3901, Row Remapper: New row marked for "
            "remapping, reset gpu to activate."
        ),
        "gpu: A100",
    ),
)
NEAR = (
    "    Pending                  : No",
    "    Remapping Failure Occurred : No",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
