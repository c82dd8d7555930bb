"""Remedies to plans, compared with the machine."""

import os
from pathlib import Path

import pytest
from msgspec import structs

from codeblue.model.remedy import Automation, Remedy, Risk, Step, Undo, Verb
from codeblue.model.text import message
from codeblue.remedy.planning import automatic, digest, plan
from codeblue.remedy.registry import ACTIONS
from codeblue.remedy.render import rendered
from codeblue.report import plans

WHY = message("why", "原因")


def remedy(*steps: Step, automation: Automation = Automation.APPROVAL) -> Remedy:
    """Return a remedy of these steps."""
    return Remedy(WHY, steps, automation, Undo.EXACT)


def same(text: str) -> str:
    """Reveal nothing."""
    return text


def test_every_verb_can_be_carried_out_or_says_why_not() -> None:
    assert set(ACTIONS) == set(Verb)


def test_what_is_as_wanted_is_no_step(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    path.chmod(0o600)
    done = Step(Verb.FILE_MODE, WHY, {"path": str(path), "mode": "0600"})
    wanted = Step(Verb.FILE_MODE, WHY, {"path": str(path), "mode": "0644"})

    nothing, _ = plan([("a", "x", remedy(done))], ACTIONS, same, "1")
    one, _ = plan([("a", "x", remedy(done, wanted))], ACTIONS, same, "1")

    assert nothing.items == ()
    assert [step.args["mode"] for step in one.items[0].steps] == ["0644"]


def test_a_path_of_the_working_directory_is_told_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torch.py").write_text("")
    made, refused = plan(
        [("a", "x", remedy(Step(Verb.FILE_RENAME, WHY, {"path": "./torch.py"})))], ACTIONS, same, "1"
    )

    assert refused == ()
    assert made.items[0].steps[0].args["path"] == os.path.join(os.getcwd(), "torch.py")


def test_pseudonyms_are_turned_back(tmp_path: Path) -> None:
    (tmp_path / "alice").write_text("")
    step = Step(Verb.FILE_RENAME, WHY, {"path": f"{tmp_path}/user-0123"})
    made, _ = plan([("a", "x", remedy(step))], ACTIONS, lambda text: text.replace("user-0123", "alice"), "1")

    assert made.items[0].steps[0].args["path"].endswith("/alice")


def test_a_remedy_that_cannot_be_planned_is_named_with_the_reason(tmp_path: Path) -> None:
    step = Step(Verb.FILE_MODE, WHY, {"path": str(tmp_path / "nothing"), "mode": "0644"})
    made, [(fault, why)] = plan([("a", "x", remedy(step))], ACTIONS, same, "1")

    assert (made.items, fault) == ((), "a")
    assert "nothing" in why.say("zh")


def test_an_edited_plan_has_another_digest(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    step = Step(Verb.FILE_RENAME, WHY, {"path": str(tmp_path / "file")})
    made, _ = plan([("a", "x", remedy(step))], ACTIONS, same, "1")

    assert digest(made) == made.digest
    assert digest(structs.replace(made, host="other")) != made.digest


def test_only_safe_and_automatic_remedies_need_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    step = Step(Verb.FILE_RENAME, WHY, {"path": str(tmp_path / "file")})
    asked, _ = plan([("a", "x", remedy(step))], ACTIONS, same, "1")
    free, _ = plan([("a", "x", remedy(step, automation=Automation.AUTOMATIC))], ACTIONS, same, "1")

    assert [automatic(made.items[0]) for made in (asked, free)] == [False, True]
    assert free.items[0].risk is Risk.SAFE


def test_a_reboot_behind_other_steps_is_a_risk_and_alone_a_person_s_job(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    rename = Step(Verb.FILE_RENAME, WHY, {"path": str(tmp_path / "file")})
    reboot = Step(Verb.REBOOT, WHY)
    by_hand = Step(Verb.INSTRUCT, WHY)
    rows = [((rename, reboot), Risk.REBOOT), ((reboot,), Risk.HUMAN), ((by_hand, reboot), Risk.HUMAN)]

    for steps, risk in rows:
        whole = Remedy(WHY, steps, Automation.APPROVAL, Undo.EXACT)
        made, _ = plan([("a", "x", whole)], ACTIONS, same, "1")
        assert made.items[0].risk is risk
        assert whole.appliable is (risk is Risk.REBOOT)


def test_a_chinese_preview_has_no_english_words(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("x\n")
        (tmp_path / name).chmod(0o644)
    mode = Step(Verb.FILE_MODE, WHY, {"path": str(tmp_path / "a"), "mode": "0600"})
    write = Step(Verb.FILE_WRITE, WHY, {"path": str(tmp_path / "b"), "content": "y\n", "mode": "0600"})
    rename = Step(Verb.FILE_RENAME, WHY, {"path": str(tmp_path / "c")})
    made, _ = plan([("a", "x", remedy(mode, write, rename))], ACTIONS, same, "1")

    shown = [step.preview("zh") for step in made.items[0].steps]

    assert shown[0] == [f"权限 0644 -> 0600 {tmp_path}/a"]
    assert shown[1][-4:] == ["-x", "+y", f"权限 0644 -> 0600 {tmp_path}/b", f"# {tmp_path}/b：没有校验程序"]
    assert shown[2] == [f"改名 {tmp_path}/c -> {tmp_path}/c.away"]
    assert "mode 0644 -> 0600" in made.items[0].steps[0].preview("en")[0]
    assert "权限 0644 -> 0600" in "".join(text for text, _ in plans.lines(made, (), "zh"))
    assert "#   权限 0644 -> 0600" in rendered(made, "sh", "zh")
