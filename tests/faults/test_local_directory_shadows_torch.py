"""local-directory-shadows-torch"""

from pathlib import Path

import pytest

from codeblue.model.finding import Outcome, Verdict
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.remedy.planning import plan
from codeblue.remedy.registry import ACTIONS
from tests.conftest import judge, recording, text
from tests.faults.remedies import asked, look

FAULT = "local-directory-shadows-torch"
BROKEN = {"imported": False, "error": "ImportError: no compiled part"}


def judged(path: str = "./torch", trial: dict[str, object] = BROKEN, **torch: object) -> Verdict:
    python = {"shadows": {"torch": path}}
    return judge(FAULT, recording("h200-healthy", python=python, torch=torch, torch_trial=trial))


def test_fires_on_a_package_folder_that_is_found_first() -> None:
    [finding] = judged().findings

    assert "./torch" in finding.summary.say("en")
    assert finding.evidence[0].path == "python.shadows[torch]"


@pytest.mark.parametrize(
    "line",
    [
        "It appears that PyTorch has loaded the `torch/_C` folder",
        '  File "torch/__init__.py", line 84, in <module>',
        "AttributeError: module 'torch' has no attribute '__version__'",
    ],
)
def test_fires_on_text(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "verdict",
    [
        judge(FAULT, recording("h200-healthy")),
        judged("./torch.py"),
        judged(trial={}),
        judged(namespace_only=True),
    ],
    ids=["healthy", "a-file", "development-mode", "a-folder-without-code"],
)
def test_clear_when_no_package_is_hidden(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_clear_on_a_newer_name_that_an_old_torch_lacks() -> None:
    line = "AttributeError: module 'torch' has no attribute 'float8_e4m3fn'"

    assert judge(FAULT, text(line)).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_interpreter_was_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", python={"state": "error"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "python: error")


def test_fires_less_surely_without_a_trial() -> None:
    unread = {"state": "not-attempted"}
    snapshot = recording("h200-healthy", python={"shadows": {"torch": "./torch"}}, torch_trial=unread)

    [finding] = judge("local-directory-shadows-torch", snapshot).findings

    assert finding.certainty == "likely"


def test_the_remedy_renames_a_folder_whose_path_is_whole(tmp_path: Path) -> None:
    folder = tmp_path / "torch"
    folder.mkdir()
    [finding] = judged(str(folder)).findings

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    assert asked(finding) == [(Verb.FILE_RENAME, {"path": str(folder)})]
    [told] = look(finding.remedy.steps[0], tmp_path).tells
    assert told.say("en") == f"rename {folder} -> {folder}.away"


def test_the_plan_names_a_folder_of_the_working_directory_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "torch"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    [finding] = judged("./torch").findings

    assert finding.remedy is not None
    made, refused = plan([(FAULT, "torch", finding.remedy)], ACTIONS, str, "0")
    assert refused == ()
    assert made.items[0].steps[0].args == {"path": str(folder)}
