"""gpu-memory-ecc-fault"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-memory-ecc-fault"


def logged(code: int, device: str = "0000:00:06") -> dict[str, object]:
    words = f"NVRM: Xid (PCI:{device}): {code}, pid=77, name=python3, some detail"
    row = {"code": code, "device": device, "seconds": 9.0, "pid": 77, "process": "python3", "text": words}
    return {"xids": [row]}


@pytest.mark.parametrize("code", [48, 94, 95, 140, 171, 172])
def test_fires_on_the_xid_of_an_uncorrectable_error(code: int) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.CERTAIN)
    assert finding.evidence[0].path == "kernel_log.xids[0].text"


def test_fires_on_the_counter_with_less_certainty() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nvml={"gpus": {"0": {"ecc_uncorrected": 2}}})).findings

    assert finding.certainty is Certainty.LIKELY
    assert [(e.path, e.value) for e in finding.evidence] == [("nvml[0].ecc_uncorrected", 2)]


def test_fires_once_for_a_gpu_with_both_kinds_of_evidence() -> None:
    snapshot = recording("h200-healthy", kernel_log=logged(95), nvml={"gpus": {"0": {"ecc_uncorrected": 2}}})

    assert len(judge(FAULT, snapshot).findings) == 1


def test_fires_on_the_log_where_the_gpu_has_no_counter_or_nvml_does_not_start() -> None:
    uncounted = recording(
        "h200-healthy", kernel_log=logged(48), nvml={"gpus": {"0": {"ecc_uncorrected": ...}}}
    )
    dead = recording("h200-healthy", kernel_log=logged(48), nvml={"init": 999, "gpus": ...})

    assert judge(FAULT, uncounted).findings[0].subject == "gpu:0"
    assert judge(FAULT, dead).findings[0].subject == "gpu:0000:00:06"


def test_fires_on_a_kernel_log_and_on_cuda_error_214_in_a_text() -> None:
    kernel = judge(FAULT, text("[8.1] NVRM: Xid (PCI:0000:3b:00): 95, pid=1, name=x, Uncontained ECC error"))
    cuda = judge(FAULT, text("torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered"))

    assert [f.subject for f in kernel.findings + cuda.findings] == ["gpu:0000:3b:00", "log"]


@pytest.mark.parametrize("code", [13, 31, 43, 45, 63, 64, 79, 92])
def test_clear_on_other_xids(code: int) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).outcome is Outcome.CLEAR
    line = f"NVRM: Xid (PCI:0000:3b:00): {code}, pid=9, name=x, Ch 00000048"
    assert judge(FAULT, text(line)).findings == ()


def test_clear_without_the_nvidia_library() -> None:
    snapshot = recording("h200-healthy", nvml={"state": "absent"})

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_fires_on_the_counter_when_the_kernel_log_is_denied_and_another_gpu_is_lost() -> None:
    nvml = {"gpus": {"0": {"ecc_uncorrected": 2}, "1": {"handle": 15}}}

    [finding] = judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"}, nvml=nvml)).findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.LIKELY)


def test_fires_on_the_log_when_nvml_timed_out() -> None:
    snapshot = recording("h200-healthy", kernel_log=logged(95), nvml={"state": "timeout"})

    assert judge(FAULT, snapshot).findings[0].subject == "gpu:0000:00:06"


def test_claims_nothing_when_the_kernel_log_is_denied() -> None:
    verdict = judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "kernel_log: denied")


SAID = (
    (
        "RuntimeError: CUDA error: uncorrectable ECC error encountered",
        "gpu: A100",
    ),
    (
        "Volatile",
        "        Single Bit",
        "        Double Bit",
        "            Device Memory           : 14",
        "            Total                   : 14",
        "# note: jobs on GPU 3 crash with Xid 48; ECC counters of that card climb",
        "gpu: V100",
    ),
    (
        "# note: 第 5 张卡的 ECC 报错一直在涨，训练会随机报 CUDA error，厂商说要换卡",
        "gpu: A800",
    ),
)
NEAR = (
    "Volatile Uncorr. ECC 0",
    "torch.OutOfMemoryError: CUDA out of memory.",
    "# note: ECC is enabled",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
