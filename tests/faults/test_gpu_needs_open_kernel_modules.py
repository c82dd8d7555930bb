"""gpu-needs-open-kernel-modules"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

B200 = {"functions": {"0000:00:06.0": {"device": "2901"}}}


def judged(**changes: Any) -> Verdict:
    broken = {"driver": {"flavour": "proprietary"}, "pci": B200, "cuda": {"init": 100}} | changes
    return judge("gpu-needs-open-kernel-modules", recording("h200-healthy", **broken))


def test_fires_when_blackwell_meets_the_proprietary_modules() -> None:
    [finding] = judged().findings

    assert finding.certainty is Certainty.CERTAIN
    assert finding.summary.values["gpu"] == "NVIDIA B200"


def test_fires_less_surely_when_cuda_gives_another_reason() -> None:
    [finding] = judged(cuda={"init": 999}).findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_on_the_line_of_the_kernel_log() -> None:
    line = "NVRM: installed in this system requires use of the NVIDIA open kernel modules."

    assert judge("gpu-needs-open-kernel-modules", text(line)).outcome is Outcome.FIRED


def test_clear_with_the_open_modules_with_another_gpu_or_when_cuda_works() -> None:
    assert judged(driver={}).outcome is Outcome.CLEAR
    assert judged(pci={}).outcome is Outcome.CLEAR
    assert judged(cuda={"init": 0}).outcome is Outcome.CLEAR
    unknown = {"functions": {"0000:00:06.0": {"device": "ffff"}}}
    assert judged(pci=unknown).outcome is Outcome.CLEAR


def test_clear_on_a_remark_about_the_open_modules() -> None:
    line = "We recommend the NVIDIA open kernel modules for this GPU."

    assert judge("gpu-needs-open-kernel-modules", text(line)).outcome is not Outcome.FIRED


def test_fires_less_surely_when_cuda_was_not_called_and_nothing_drives_the_gpu() -> None:
    unbound = {"functions": {"0000:00:06.0": {"device": "2901", "driver": None}}}

    [finding] = judged(cuda={"state": "timeout"}, pci=unbound).findings

    assert finding.certainty is Certainty.LIKELY
    assert finding.evidence[-1].path == "pci.functions[0000:00:06.0].driver"


def test_claims_nothing_when_cuda_was_not_called_and_the_gpu_is_driven() -> None:
    verdict = judged(cuda={"state": "timeout"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")


def test_claims_nothing_when_the_flavour_was_not_read() -> None:
    verdict = judged(driver={"flavour": ...})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "driver.flavour: not-attempted")


SAID = (
    (
        "No devices were found",
        "# note: nvidia-driver-570 installed; after switching to nvidia-driver-570-open it works",
        "gpu: RTX 5090",
    ),
    (
        (
            "# note: the proprietary flavour from the .run file loads but nvidia-smi prints "
            "No devices were found"
        ),
        "gpu: RTX PRO 6000 Blackwell",
    ),
    (
        "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x22:0x56:894)",
        "# note: 装的是闭源驱动，换成 nvidia-open 之后就能识别显卡",
        "gpu: RTX 5080",
    ),
)
NEAR = (
    "CUDA error: no kernel image is available for execution on the device",
    "gpu: RTX 5090",
    "torch: 2.5.1+cu124",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("gpu-needs-open-kernel-modules", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("gpu-needs-open-kernel-modules", text(*NEAR)).outcome is not Outcome.FIRED
