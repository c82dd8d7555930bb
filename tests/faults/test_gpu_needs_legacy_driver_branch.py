"""gpu-needs-legacy-driver-branch"""

from typing import Any

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
