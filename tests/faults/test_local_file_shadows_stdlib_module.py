"""local-file-shadows-stdlib-module"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "local-file-shadows-stdlib-module"


def judged(name: str, **trial: object) -> Verdict:
    python = {"shadows": {name: f"./{name}.py"}}
    return judge(FAULT, recording("h200-healthy", python=python, torch_trial=trial))


def test_fires_as_trouble_when_the_failed_import_names_the_module() -> None:
    error = "AttributeError: partially initialized module 'random' has no attribute 'Random'"

    [finding] = judged("random", imported=False, error=error).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.CERTAIN)
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"path": "./random.py"}


@pytest.mark.parametrize("trial", [{}, {"imported": False, "error": "OSError: libfoo.so: file too short"}])
def test_fires_only_as_a_risk_without_such_words(trial: dict[str, object]) -> None:
    [finding] = judged("random", **trial).findings

    assert finding.kind is Kind.RISK


@pytest.mark.parametrize(
    "line",
    [
        "ImportError: cannot import name 'x' from partially initialized module 'select' (most likely due to",
        "AttributeError: partially initialized module 'queue' has no attribute 'Empty'",
        "AttributeError: x (it has the same name as the standard library module named 'token' and",
    ],
)
def test_fires_on_the_words_of_python(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_on_other_names() -> None:
    line = "AttributeError: partially initialized module 'cv2' has no attribute 'gapi'"

    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judged("torch").outcome is Outcome.CLEAR
    assert judged("test").outcome is Outcome.CLEAR
    assert judge(FAULT, text(line)).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_folder_could_not_be_read() -> None:
    python = {"shadows": ..., "unread": {"shadows": "denied"}}

    verdict = judge(FAULT, recording("h200-healthy", python=python))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python.shadows: denied")


def test_fires_as_a_risk_without_a_trial() -> None:
    unread = {"state": "not-attempted"}
    snapshot = recording("h200-healthy", python={"shadows": {"random": "./random.py"}}, torch_trial=unread)

    assert judge("local-file-shadows-stdlib-module", snapshot).findings[0].kind == "risk"
