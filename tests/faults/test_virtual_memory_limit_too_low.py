"""virtual-memory-limit-too-low"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording, text

FAULT = "virtual-memory-limit-too-low"
FAILED = {"init": 2, "count": None}
SIXTEEN = 16 << 30


def limits(soft: int | None, hard: int | None = None) -> dict[str, Any]:
    return {"limits": {"address_space": {"soft": soft, "hard": hard}}}


def test_fires_when_cuda_is_out_of_memory_under_a_limit() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", limits=limits(SIXTEEN), cuda=FAILED)).findings

    assert "16.0 GiB" in finding.summary.say("zh")
    assert [e.value for e in finding.evidence] == [SIXTEEN, 2]
    assert finding.remedy and finding.remedy.steps[0].args == {"flag": "-v", "value": "unlimited"}


def test_fires_and_asks_the_administrator_when_the_hard_limit_is_set() -> None:
    snapshot = recording("h200-healthy", limits=limits(SIXTEEN, SIXTEEN), cuda=FAILED)

    [finding] = judge(FAULT, snapshot).findings
    assert finding.remedy and finding.remedy.steps[0].verb is Verb.INSTRUCT


def test_fires_when_a_library_finds_no_addresses() -> None:
    line = "OSError: libcublasLt.so.13: failed to map segment from shared object: Cannot allocate memory"

    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    ("soft", "init"), [(SIXTEEN, 0), (None, 2), (SIXTEEN, 100)], ids=["works", "no limit", "another code"]
)
def test_clear_when_the_limit_explains_nothing(soft: int | None, init: int) -> None:
    snapshot = recording("h200-healthy", limits=limits(soft), cuda={"init": init})

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_file_system_forbids_programs() -> None:
    line = "libx.so: failed to map segment from shared object: Operation not permitted"

    assert judge(FAULT, text(line)).findings == ()


def test_claims_nothing_when_the_limits_were_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", limits={"state": "error"}, cuda=FAILED))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "limits: error")


SAID = (
    (
        "$ ulimit -v",
        "16777216",
        "RuntimeError: CUDA error: out of memory",
    ),
    (("# note: jobs under SGE with h_vmem=16G die with CUDA out of memory although the card is empty"),),
    (
        "RuntimeError: CUDA error: out of memory",
        "# note: 登录节点设置了 ulimit -v，虚拟内存上限 20G",
    ),
)
NEAR = (
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "# note: max locked memory (ulimit -l) is 64, address space is not limited by memlock",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
