"""gpu-needs-legacy-driver-branch"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

LINE = "NVRM:  supported through the NVIDIA 470.xx Legacy drivers. Please"
IGNORED = {"lines": [{"kind": "nvrm", "seconds": 4.0, "text": LINE}]}
UNBOUND = {"functions": {"0000:00:06.0": {"driver": None}}}


def judged(**changes: Any) -> Verdict:
    broken = {"kernel_log": IGNORED, "pci": UNBOUND} | changes
    return judge("gpu-needs-legacy-driver-branch", recording("h200-healthy", **broken))


def test_fires_with_the_branch_that_the_kernel_log_names() -> None:
    [finding] = judged().findings

    assert finding.summary.values == {"branch": "470"}
    assert finding.evidence[0].path == "kernel_log.lines[0].text"


def test_fires_on_the_line_in_a_text() -> None:
    assert judge("gpu-needs-legacy-driver-branch", text(LINE)).outcome is Outcome.FIRED


def test_clear_when_another_gpu_is_driven_all_the_same() -> None:
    assert judged(pci={}).outcome is Outcome.CLEAR


def test_clear_without_that_line() -> None:
    assert judged(kernel_log={}).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_kernel_log_was_denied() -> None:
    verdict = judged(kernel_log={"state": "denied"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "kernel_log: denied")


SAID = (
    (
        "$ nvidia-smi",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
        "gpu: Quadro K620",
        "driver: 595.10",
    ),
    (
        ("# note: 装了 525 驱动后 No devices were found，换回 470 就能识别，K40 太老了，新驱动不再支持"),
        "gpu: Tesla K40",
    ),
    (
        "$ nvidia-smi",
        "No devices were found",
        (
            "# note: bookworm ships 525; nvidia-detect says this card is only supported by "
            "the 470 legacy series"
        ),
        "gpu: GeForce GT 710",
        "os: Debian 12",
    ),
)
NEAR = (
    "RuntimeError: CUDA error: no kernel image is available for execution on the device",
    "# note: Tesla K80, PyTorch 2.1 no longer supports this GPU",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("gpu-needs-legacy-driver-branch", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("gpu-needs-legacy-driver-branch", text(*NEAR)).outcome is not Outcome.FIRED
