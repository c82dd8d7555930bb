"""row-remap-failed"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "row-remap-failed"
XID_64 = {
    "xids": [
        {
            "code": 64,
            "device": "0000:00:06",
            "seconds": 4.0,
            "pid": None,
            "process": None,
            "text": "NVRM: Xid (PCI:0000:00:06): 64, Row Remapper: failure",
        }
    ]
}


def test_fires_on_the_flag() -> None:
    snapshot = recording("h200-healthy", nvml={"gpus": {"0": {"remapped_failed": True}}})

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.CERTAIN)
    assert finding.evidence[0].path == "nvml[0].remapped_failed"


def test_fires_once_on_xid_64_with_and_without_the_flag() -> None:
    flag = {"gpus": {"0": {"remapped_failed": True}}}
    for snapshot in (
        recording("h200-healthy", kernel_log=XID_64),
        recording("h200-healthy", kernel_log=XID_64, nvml=flag),
    ):
        [finding] = judge(FAULT, snapshot).findings
        assert finding.subject == "gpu:0"


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: Xid (PCI:0000:1b:00): 64, pid=1, name=x, Row Remapper: failure",
        "        Remapping Failure Occurred            : Yes",
        "<remapped_row_failure>Yes</remapped_row_failure>",
    ],
)
def test_fires_on_text(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_on_a_pending_remap() -> None:
    pending = recording("h200-healthy", nvml={"gpus": {"0": {"remapped_pending": True}}})
    no = text("        Remapping Failure Occurred            : No", "NVRM: Xid (PCI:0000:1b:00): 63, pid=1")

    assert judge(FAULT, pending).outcome is Outcome.CLEAR
    assert judge(FAULT, no).findings == ()


def test_fires_on_either_evidence_when_the_other_was_not_read() -> None:
    flag = {"gpus": {"0": {"remapped_failed": True}}}
    for snapshot in (
        recording("h200-healthy", kernel_log={"state": "denied"}, nvml=flag),
        recording("h200-healthy", kernel_log=XID_64, nvml={"state": "timeout"}),
    ):
        assert judge(FAULT, snapshot).outcome is Outcome.FIRED


def test_claims_nothing_when_nvml_timed_out() -> None:
    assert judge(FAULT, recording("h200-healthy", nvml={"state": "timeout"})).outcome is Outcome.SKIPPED


SAID = (
    (
        "Remapped Rows",
        "    Correctable Error : 0",
        "    Uncorrectable Error : 8",
        "    Pending : No",
        "    Remapping Failure Occurred : Yes",
        "gpu: A100",
    ),
    (
        "NVRM: Xid (PCI:0000:8a:00): 64, pid='<unknown>', name=<unknown>, Row Remapper: failed",
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
