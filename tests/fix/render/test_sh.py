"""The shell script"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from codeblue.model.plan import Plan
from codeblue.model.remedy import Verb
from codeblue.remedy.registry import ACTIONS
from codeblue.remedy.render.differences import differences
from codeblue.remedy.render.sh import render
from tests.fix.render.plans import HOSTILE, everything, plan, step


def run(wanted: Plan, folder: Path, lang: str = "en") -> "subprocess.CompletedProcess[str]":
    """Run the script in a folder, with a sudo that only runs what follows."""
    script = folder / "fix.sh"
    script.write_text(render(wanted, lang), encoding="utf-8")
    (folder / "sudo").write_text('#!/bin/sh\nexec "$@"\n', encoding="ascii")
    (folder / "sudo").chmod(0o755)
    path = f"{folder}:/usr/sbin:/usr/bin:/sbin:/bin"
    return subprocess.run(
        ["sh", str(script)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PATH": path, "LC_ALL": "C.UTF-8"},
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("value", [None, HOSTILE])
def test_the_syntax(lang: str, value: str | None, tmp_path: Path) -> None:
    script = tmp_path / "fix.sh"
    script.write_text(render(everything(value), lang), encoding="utf-8")

    subprocess.run(["sh", "-n", str(script)], check=True)
    if shutil.which("shellcheck"):
        # SC2289: that an interpreter is named like this is the point.
        subprocess.run(["shellcheck", "-s", "sh", "-S", "warning", "-e", "SC2289", str(script)], check=True)


def test_values_stay_values(tmp_path: Path) -> None:
    target = tmp_path / "written"
    ran = run(
        plan(step(Verb.FILE_WRITE, {"path": str(target), "content": HOSTILE}, why=HOSTILE), why=HOSTILE),
        tmp_path,
    )

    assert ran.returncode == 0, ran.stderr
    assert target.read_text(encoding="utf-8") == HOSTILE
    assert not (tmp_path / "pwned").exists()


def test_a_path_with_every_bad_character(tmp_path: Path) -> None:
    target = tmp_path / HOSTILE.replace("/", "")
    target.write_text("x", encoding="ascii")
    ran = run(plan(step(Verb.FILE_MODE, {"path": str(target), "mode": "0600"}, {"mode": "0644"})), tmp_path)

    assert ran.returncode == 0, ran.stderr
    assert target.stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "pwned").exists()


def test_it_stops_where_the_machine_is_not_as_previewed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("x", encoding="ascii")
    target.chmod(0o640)
    marker = step(Verb.FILE_WRITE, {"path": str(tmp_path / "later"), "content": "x"})
    wanted = plan(step(Verb.FILE_MODE, {"path": str(target), "mode": "0600"}, {"mode": "0644"}), marker)
    en, zh = run(wanted, tmp_path), run(wanted, tmp_path, "zh")

    assert (en.returncode, zh.returncode) == (1, 1)
    assert (
        en.stderr == "step 1 (file-mode): the machine is no longer as in the preview; nothing more is done\n"
    )
    assert "第 1 步" in zh.stderr
    assert target.stat().st_mode & 0o777 == 0o640 and not (tmp_path / "later").exists()


@pytest.mark.parametrize("spoilt", [False, True])
def test_edits_are_applied_as_they_were_shown(tmp_path: Path, spoilt: bool) -> None:
    target = tmp_path / "daemon.json"
    target.write_text('{\n  "a": 1,\n  "b": 2\n}\n', encoding="ascii")
    edit = ACTIONS[Verb.FILE_EDIT]
    args = {"path": str(target), "kind": "json", "at": "b", "value": "3"}
    look = edit.look(args)
    if spoilt:
        target.write_text('{\n  "a": 7,\n  "b": 2\n}\n', encoding="ascii")
    wanted = plan(step(Verb.FILE_EDIT, args, look.before, shows=look.shows))

    assert run(wanted, tmp_path).returncode == spoilt
    a, b = (7, 2) if spoilt else (1, 3)
    assert json.loads(target.read_text(encoding="ascii")) == {"a": a, "b": b}
    assert run(wanted, tmp_path).returncode == 1  # a second time it is not as in the preview


def test_differences_are_told_apart() -> None:
    shows = ["--- /a", "+++ /a", "@@ -1,2 +1 @@", "--- x", " y", "# /a: no check", "--- /dev/null", "+++ /b"]
    shows += ["@@ -0,0 +1 @@", "+z", "mode 0644 -> 0600 /b"]

    assert list(differences(shows)) == [
        ("/a", "--- /a\n+++ /a\n@@ -1,2 +1 @@\n--- x\n y\n"),
        ("/b", "--- /dev/null\n+++ /b\n@@ -0,0 +1 @@\n+z\n"),
    ]


def test_what_only_a_person_can_do_is_a_comment() -> None:
    steps = [step(verb, {}, why="do\nthis") for verb in (Verb.INSTRUCT, Verb.REBOOT)]
    text = render(plan(*steps), "en")

    assert "# 1. by hand: do\\nthis" in text and "# sudo reboot" in text
    assert "\nsudo reboot" not in text
