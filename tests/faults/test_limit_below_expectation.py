"""limit-below-expectation"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "limit-below-expectation"


def limits(name: str, soft: int | None, hard: int | None) -> dict[str, Any]:
    return {"limits": {name: {"soft": soft, "hard": hard}}}


def test_fires_with_the_command_where_the_hard_limit_allows_it() -> None:
    snapshot = recording(
        "h200-healthy",
        limits=limits("memlock", 8 << 20, None),
        expectations=expecting(memlock="64G"),
    )

    [finding] = judge(FAULT, snapshot).findings

    assert finding.subject == "limit:memlock"
    assert finding.summary.say("en") == "the soft limit memlock is 8192 KiB, the site expects 64G"
    assert finding.remedy and finding.remedy.steps[0].args == {"flag": "-l", "value": str(64 << 20)}


def test_fires_on_a_hard_limit_for_the_administrator() -> None:
    snapshot = recording(
        "h200-healthy",
        limits=limits("memlock", 8 << 20, 8 << 20),
        expectations=expecting(memlock="unlimited", files=65536),
    )

    memlock, files = judge(FAULT, snapshot).findings

    assert (memlock.subject, files.subject) == ("limit:memlock", "limit:files")
    assert memlock.remedy and memlock.remedy.steps[0].verb is Verb.INSTRUCT
    assert [e.value for e in files.evidence] == [20000, 20000, 65536]


@pytest.mark.parametrize(
    "wanted", [{"memlock": "unlimited"}, {"memlock": "64G"}, {"files": 20000}, {}], ids=str
)
def test_clear_when_the_limit_is_high_enough(wanted: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", expectations=expecting(**wanted))).outcome is Outcome.CLEAR


def test_clear_when_files_are_unlimited() -> None:
    snapshot = recording(
        "h200-healthy", limits=limits("files", None, None), expectations=expecting(files=1 << 20)
    )

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_limit_was_not_read() -> None:
    snapshot = recording(
        "h200-healthy", limits={"limits": {"files": {"soft": ...}}}, expectations=expecting(files=1 << 20)
    )

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
