"""nvidia-uvm-not-loaded"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

ALONE = {
    "state": "read",
    "loaded": {"nvidia": {"size": 1, "references": 0, "used_by": []}},
    "on_disk": [],
    "other_kernels": [],
    "blacklisted": {},
    "built_in": True,
}
GONE = {"nodes": {"/dev/nvidia-uvm": {"exists": False}}}


def judged(**changes: Any) -> Verdict:
    broken = {"modules": ALONE, "cuda": {"init": 999}, "nodes": GONE} | changes
    return judge("nvidia-uvm-not-loaded", recording("h200-healthy", **broken))


def test_fires_when_cuda_fails_without_the_module() -> None:
    [finding] = judged().findings

    assert (finding.certainty, finding.variant) == (Certainty.CERTAIN, None)
    assert finding.remedy is not None and finding.remedy.steps[0].args == {"module": "nvidia_uvm"}


def test_fires_less_surely_while_its_node_opens() -> None:
    [finding] = judged(nodes={}).findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_with_the_file_that_blacklists_it() -> None:
    [finding] = judged(modules=ALONE | {"blacklisted": {"nvidia_uvm": "/etc/modprobe.d/x.conf"}}).findings

    assert finding.variant == "blacklisted"
    assert finding.evidence[-1].value == "/etc/modprobe.d/x.conf"


def test_fires_on_the_words_of_modprobe() -> None:
    for line in (
        "modprobe: FATAL: Module nvidia-uvm not found in directory /lib/modules/6.1.0",
        "modprobe: ERROR: ../libkmod.c:586 could not find module by name='nvidia_340_uvm'",
    ):
        assert judge("nvidia-uvm-not-loaded", text(line)).outcome is Outcome.FIRED


def test_clear_when_another_module_was_not_found() -> None:
    line = "modprobe: FATAL: Module nvidia-peermem not found in directory /lib/modules/6.1.0"

    assert judge("nvidia-uvm-not-loaded", text(line)).outcome is not Outcome.FIRED


def test_clear_while_cuda_works_because_it_is_loaded_on_demand() -> None:
    assert judged(cuda={"init": 0}).outcome is Outcome.CLEAR


def test_clear_when_the_code_speaks_of_something_else() -> None:
    for code in (100, 802, 803, 34):
        assert judged(cuda={"init": code}).outcome is Outcome.CLEAR


def test_clear_when_the_module_is_loaded_or_the_whole_driver_is_not() -> None:
    assert (
        judge("nvidia-uvm-not-loaded", recording("h200-healthy", cuda={"init": 999})).outcome is Outcome.CLEAR
    )
    assert judged(modules=ALONE | {"loaded": {}}).outcome is Outcome.CLEAR


def test_claims_nothing_when_cuda_was_not_called() -> None:
    verdict = judged(cuda={"state": "timeout"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")


def test_fires_less_surely_when_the_nodes_were_not_read() -> None:
    assert judged(nodes={"state": "error"}).findings[0].certainty is Certainty.LIKELY


SAID = (
    (
        "cuInit(0) returned 999",
        "# note: nvidia-smi looks normal, lsmod shows nvidia but no nvidia_uvm",
        "gpu: Tesla T4",
    ),
    ("# note: clinfo 和 CUDA 都报 unknown error，手动 modprobe nvidia-uvm 之后就好了",),
    (
        "$ lsmod | grep nvidia",
        "nvidia_modeset       1306624  1",
        "nvidia              56692736  1 nvidia_modeset",
        "CUDA_ERROR_UNKNOWN: unknown error",
        "# note: the uvm module is not in the list",
        "driver: 535",
    ),
)
NEAR = (
    "CUDA unknown error - this may be due to an incorrectly set up environment",
    "# note: since the laptop came back from suspend",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("nvidia-uvm-not-loaded", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("nvidia-uvm-not-loaded", text(*NEAR)).outcome is not Outcome.FIRED
