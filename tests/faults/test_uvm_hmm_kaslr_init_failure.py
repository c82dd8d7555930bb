"""uvm-hmm-kaslr-init-failure"""

from pathlib import Path
from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording, text
from tests.faults.remedies import asked, look, verbs


def judged(**changes: Any) -> Verdict:
    return judge("uvm-hmm-kaslr-init-failure", recording("h200-healthy", **({"cuda": {"init": 3}} | changes)))


def test_fires_as_a_possibility_when_cuda_alone_fails() -> None:
    [finding] = judged().findings

    assert finding.certainty is Certainty.POSSIBLE
    assert finding.next_command is not None


def test_fires_surely_on_the_line_of_the_module() -> None:
    line = "[64.6] nvidia-uvm: uvm_pmm_gpu.c:3000 devmem_alloc[pid:9] request_free_mem_region() err -34"

    [finding] = judge("uvm-hmm-kaslr-init-failure", text(line)).findings

    assert finding.certainty is Certainty.CERTAIN


def test_clear_when_cuda_works_or_says_something_else() -> None:
    assert judged(cuda={"init": 0}).outcome is Outcome.CLEAR
    assert judged(cuda={"init": 999}).outcome is Outcome.CLEAR


def test_clear_when_another_cause_is_at_hand() -> None:
    assert judged(pci={"nvswitches": 4}).outcome is Outcome.CLEAR
    assert judged(nvml={"init": 999}).outcome is Outcome.CLEAR
    assert judged(nodes={"nodes": {"/dev/nvidia-uvm": {"open_rw": "EACCES"}}}).outcome is Outcome.CLEAR
    assert judged(nodes={"nodes": {"/dev/nvidia-uvm": {"exists": False}}}).outcome is Outcome.CLEAR
    unlisted = {"state": "read", "nodes": {}}
    assert judged(nodes=unlisted).outcome is Outcome.CLEAR
    assert judged(host={"cmdline": ["nokaslr"]}).outcome is Outcome.CLEAR


LINE = "nvidia-uvm: uvm_pmm_gpu.c:3000 devmem_alloc_pagemap request_free_mem_region() err -34"
LOGGED = {"lines": [{"kind": "nvrm", "seconds": 9.0, "text": LINE}]}


def test_fires_on_the_kernel_log_whatever_else_was_read() -> None:
    [sure] = judged(kernel_log=LOGGED, nvml={"state": "timeout"}).findings
    [likely] = judged(kernel_log=LOGGED, cuda={"state": "timeout"}).findings

    assert (sure.certainty, likely.certainty) == (Certainty.CERTAIN, Certainty.LIKELY)


def test_clear_on_the_line_of_an_earlier_load_when_cuda_works() -> None:
    assert judged(kernel_log=LOGGED, cuda={"init": 0}).outcome is Outcome.CLEAR


def test_fires_as_a_possibility_when_the_kernel_log_is_denied() -> None:
    assert judged(kernel_log={"state": "denied"}).findings[0].certainty is Certainty.POSSIBLE


def test_claims_nothing_when_nvml_timed_out() -> None:
    assert judged(nvml={"state": "timeout"}).reason == "nvml: timeout"


def test_claims_nothing_when_cuda_was_not_called() -> None:
    verdict = judged(cuda={"state": "timeout"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")


SAID = (
    (
        (
            "# note: cuInit returns 3 while nvidia-smi is fine; loading nvidia_uvm with "
            "uvm_disable_hmm=1 cures it"
        ),
        "driver: 555 open",
        "kernel: 6.11",
    ),
    (
        "nvidia-uvm: uvm_hmm.c: request_free_mem_region() err -34",
        "CUDA initialization error",
        "driver: 560.35.03 open",
        "os: Rocky 9.4",
    ),
    (
        ("torch: CUDA initialization: CUDA driver initialization failed, you might not have a CUDA gpu"),
        "# note: nvidia-smi is fine, booting with nokaslr helps",
        "driver: 570 open",
        "kernel: 6.12",
    ),
)
NEAR = (
    "RuntimeError: CUDA error: initialization error",
    "# note: after os.fork, with the open kernel modules",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("uvm-hmm-kaslr-init-failure", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("uvm-hmm-kaslr-init-failure", text(*NEAR)).outcome is not Outcome.FIRED


def test_the_remedy_writes_the_option_where_the_module_said_it(tmp_path: Path) -> None:
    [finding] = judged(kernel_log=LOGGED).findings

    assert asked(finding)[0] == (
        Verb.FILE_WRITE,
        {
            "path": "/etc/modprobe.d/nvidia-uvm-hmm.conf",
            "content": "options nvidia_uvm uvm_disable_hmm=1\n",
        },
    )
    assert finding.remedy is not None
    assert verbs(finding)[1] is Verb.INSTRUCT
    assert "+options nvidia_uvm uvm_disable_hmm=1" in look(finding.remedy.steps[0], tmp_path).shows


def test_the_remedy_is_an_instruction_where_it_is_only_possible() -> None:
    assert verbs(judged().findings[0]) == [Verb.INSTRUCT]
