"""driver-bug-gsp-timeout"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def log(*codes: int) -> dict[str, Any]:
    rows = [
        {
            "code": code,
            "device": "PCI:0000:3b:00",
            "seconds": 60.0,
            "pid": None,
            "process": None,
            "text": f"Xid {code}",
        }
        for code in codes
    ]
    return {"xids": rows}


def test_fires_once_for_a_gpu_with_all_its_timeouts() -> None:
    [finding] = judge(
        "driver-bug-gsp-timeout", recording("h200-healthy", kernel_log=log(119, 119, 120))
    ).findings

    assert finding.subject == "gpu:0000:3b:00"
    assert (finding.summary.values["count"], finding.summary.values["codes"]) == ("3", "119, 120")


def test_fires_on_the_line_in_a_text() -> None:
    line = "[ 512.1] NVRM: Xid (PCI:0000:3b:00): 119, pid=77, name=python, Timeout after 6s of waiting"

    [finding] = judge("driver-bug-gsp-timeout", text(line)).findings

    assert finding.subject == "gpu:0000:3b:00"


def test_clear_when_the_gpu_fell_off_the_bus() -> None:
    verdict = judge("driver-bug-gsp-timeout", recording("h200-healthy", kernel_log=log(79, 119)))

    assert verdict.outcome is Outcome.CLEAR


def test_clear_on_other_xids() -> None:
    assert judge("driver-bug-gsp-timeout", recording("h200-healthy", kernel_log=log(31, 43))).outcome is (
        Outcome.CLEAR
    )
    line = "NVRM: Xid (PCI:0000:3b:00): 31, pid=119, name=python"
    assert judge("driver-bug-gsp-timeout", text(line)).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_kernel_log_was_denied() -> None:
    verdict = judge("driver-bug-gsp-timeout", recording("h200-healthy", kernel_log={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "kernel_log: denied")


SAID = (
    (
        ("# note: nvidia-smi hangs on some nodes; adding NVreg_EnableGpuFirmware=0 makes it go away"),
        "gpu: L40S",
    ),
    (
        "kernel: NVRM: _issueRpcAndWait: rpcRecvPoll timedout for fn 76!",
        "kernel: NVRM: Xid (PCI:0000:18:00): 120, pid=1, GSP task timeout",
        "gpu: H100",
    ),
    (
        "# note: 节点上所有 nvidia-smi 都卡住，dmesg 里有 Xid 119 GSP 超时",
        "gpu: A10",
        "driver: 525.60",
    ),
)
NEAR = (
    "kgspBootstrap_GH100: GSP-FMC reported an error while attempting to boot GSP",
    "# note: card in a Thunderbolt box, hangs at boot",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("driver-bug-gsp-timeout", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("driver-bug-gsp-timeout", text(*NEAR)).outcome is not Outcome.FIRED
