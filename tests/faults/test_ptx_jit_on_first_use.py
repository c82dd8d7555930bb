"""ptx-jit-on-first-use"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text


def judged(*targets: str, ok: bool = True) -> Verdict:
    trial = {"arch_list": list(targets), "devices": {"0": {"ok": ok}}}
    return judge("ptx-jit-on-first-use", recording("h200-healthy", torch_trial=trial))


def test_fires_as_a_risk_when_only_ptx_serves_the_gpu() -> None:
    [finding] = judged("sm_80", "compute_80").findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "gpu:0")


@pytest.mark.parametrize(
    "verdict", [judged("sm_80", "sm_90", "compute_80"), judged("sm_80"), judged("compute_80", ok=False)]
)
def test_clear_with_machine_code_without_ptx_and_when_it_failed(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_trial_was_not_made() -> None:
    snapshot = recording("h200-healthy", torch_trial={"state": "busy"})

    assert judge("ptx-jit-on-first-use", snapshot).outcome is Outcome.SKIPPED


TOLD = (
    (
        "$ time python -c 'import torch; torch.zeros(8).cuda()'",
        "real 9m3s",
        "$ cuobjdump --list-elf libtorch_cuda.so | grep -c sm_89",
        "0",
    ),
    (
        "# note: the first cuda call takes six minutes, afterwards all is fast; the build has only PTX",
        "gpu: RTX 4090",
    ),
    (
        ">>> torch.cuda.get_arch_list()",
        "['sm_61', 'compute_61']",
        "# note: first forward took 200 s on the new card, second run is quick",
    ),
    (
        "# note: first .cuda() takes 5 minutes with the wheel from pip",
        "gpu: RTX 3090",
    ),
    (
        "# note: 第一次 .cuda() 要卡好几分钟，之后正常",
        "gpu: RTX 3080",
        "torch: 1.6.0+cu101",
    ),
)
QUIET = (
    (
        "# note: first step takes 4 minutes because of torch.compile",
        "gpu: H100",
    ),
    (
        "# note: first batch is slow, the dataset is on nfs, minutes",
        "gpu: A100",
    ),
    (
        "# note: every call takes minutes, the first one too",
        "gpu: A100",
    ),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_a_slow_first_kernel(lines: tuple[str, ...]) -> None:
    assert judge("ptx-jit-on-first-use", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_other_slow_starts(lines: tuple[str, ...]) -> None:
    assert not judge("ptx-jit-on-first-use", text(*lines)).findings


def test_fires_on_a_list_that_ends_before_the_card() -> None:
    words = text(
        ">>> torch.cuda.get_arch_list()",
        "['sm_60', 'sm_70', 'compute_70']",
        "# note: 第一次 .cuda() 要等好几分钟，第二次就快",
        "gpu: RTX 3090",
    )

    assert judge("ptx-jit-on-first-use", words).outcome is Outcome.FIRED
