"""local-file-shadows-torch"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "local-file-shadows-torch"


def test_fires_on_the_file_that_is_found_first() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", python={"shadows": {"torch": "./torch.py"}})).findings

    assert (finding.evidence[0].path, finding.evidence[0].value) == ("python.shadows[torch]", "./torch.py")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"path": "./torch.py"}


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("AttributeError: x (consider renaming '/job/torch.py' since it has", Certainty.CERTAIN),
        ("ModuleNotFoundError: No module named 'torch.nn'; 'torch' is not a package", Certainty.CERTAIN),
        ("AttributeError: partially initialized module 'torch' has no attribute 'x'", Certainty.LIKELY),
    ],
)
def test_fires_on_the_words_of_python(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


def test_clear_without_such_a_file() -> None:
    others = {"shadows": {"torch": "./torch", "numpy": "./numpy.py"}}

    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judge(FAULT, recording("h200-healthy", python=others)).outcome is Outcome.CLEAR
    assert judge(FAULT, text("consider renaming '/job/mytorch.py'")).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_folder_could_not_be_read() -> None:
    python = {"shadows": ..., "unread": {"shadows": "denied"}}

    verdict = judge(FAULT, recording("h200-healthy", python=python))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python.shadows: denied")
