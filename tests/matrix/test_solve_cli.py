"""``codeblue matrix solve`` as a user meets it."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from codeblue.cli.matrix.solve import command
from codeblue.model.solution import Tier
from codeblue.report import solutions as report
from codeblue.sources.target import Unusable
from tests.conftest import RECORDINGS
from tests.matrix.machines import have, solved

BASE = ("--driver", "535.129.03", "--gpu", "H100")


def told(*arguments: str, code: int = 0) -> str:
    """Run the verb; return what it printed, or the one line that it refused the arguments with."""
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if isinstance(result.exception, click.ClickException):
        assert code == 2
        return result.exception.format_message()
    if isinstance(result.exception, Unusable):
        assert code == 2
        return result.exception.line.say("en")
    assert result.exception is None, result.exc_info
    assert result.return_value == code
    return result.stdout or result.stderr


def document(*arguments: str, code: int = 0) -> dict[str, Any]:
    """Return the JSON document."""
    found: dict[str, Any] = json.loads(told(*arguments, "--format", "json", code=code))
    return found


def test_the_question_of_the_manual_is_answered_with_a_command() -> None:
    text = told(
        "--driver", "525", "--gpu", "A100,RTX 4090", "--python", "3.10", "--want", "torch,torchvision"
    )
    assert "1. driver 525, python 3.10, torch 2.14.1+cu126, torchvision 0.29.2" in text
    assert (
        "python -m pip install torch==2.14.1 torchvision==0.29.2 "
        "--index-url https://download.pytorch.org/whl/cu126\n"
    ) in text
    assert "--as uv" in text


def test_the_document_has_the_sets_their_changes_and_the_refused_tiers() -> None:
    found = document(*BASE, "--torch", "2.11.0+cu130", "--best", "1")
    assert found["schema"] == "codeblue/solutions/1"
    assert found["found"] is True
    (one,) = found["sets"]
    assert one["tier"] == "index"
    assert [(each["part"], each["before"], each["after"]) for each in one["changes"]] == [
        ("torch", "2.11.0+cu130", "2.11.0+cu128")
    ]
    assert one["install"]["pip"] == [
        "python -m pip install torch==2.11.0+cu128 --index-url https://download.pytorch.org/whl/cu128"
    ]
    assert {part["part"]: part["value"] for part in one["parts"]}["torch"] == "2.11.0+cu128"
    assert [each["tier"] for each in found["refused"]] == ["nothing"]
    assert found["refused"][0]["reasons"][0]["rule"] == "driver-runs-cuda"


def test_the_document_has_the_same_keys_and_values_in_both_languages() -> None:
    answer = solved(have("RTX 3090", driver="470.256.02", python="3.8"), "torch>=2.8")
    english, chinese = (json.loads(report.document(answer, "2026-11-30", lang)) for lang in ("en", "zh"))

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(one) for key, one in value.items() if key != "summary"}
        return [bare(one) for one in value] if isinstance(value, list) else value

    assert bare(english) == bare(chinese)
    assert english != chinese


def test_a_change_of_the_driver_is_marked_for_an_administrator() -> None:
    lines = [line for line, _ in report.lines(solved(have("H100", driver="470"), "torch"), "d", "zh")]
    assert any(line.startswith("   ! 需管理员操作：驱动：470 → 580.") for line in lines)


def test_a_reason_is_told_once() -> None:
    answer = solved(have("RTX 5090", driver="570.211.01", torch="2.6.0+cu124", torchvision="0.21.0"))
    assert [one.tier for one in answer.failed] == [Tier.NOTHING, Tier.INDEX, Tier.COMPANIONS]
    lines = [line for line, _ in report.lines(answer, "d", "en")]
    assert sum("holds no code for the NVIDIA GeForce RTX 5090" in line for line in lines) == 1


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("pip", "python -m pip install torch=="),
        ("uv", "[project]\n"),
        ("conda", "name: "),
        ("pixi", "[workspace]\n"),
        ("dockerfile", "# The host needs"),
        ("requirements", "--index-url "),
    ],
)
def test_the_best_set_is_written_for_an_installer(tmp_path: Path, form: str, begins: str) -> None:
    path = tmp_path / "out"
    assert told(*BASE, "--want", "torch", "--as", form, "-o", str(path)) == ""
    text = path.read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert text == told(*BASE, "--want", "torch", "--as", form)


def test_no_file_is_written_for_what_does_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "out"
    text = told(*BASE, "--want", "torch==2.7.1+cu121", "--as", "requirements", "-o", str(path), code=1)
    assert "torch 2.7.1 has no build with cu121" in text
    assert not path.exists()


def test_what_must_be_done_first_goes_to_the_other_stream() -> None:
    arguments = ["--driver", "470", "--gpu", "H100", "--want", "torch", "--as", "pip"]
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert result.stdout.startswith("python -m pip install torch==")
    assert "driver: 470 → 580." in result.stderr


def test_nothing_to_change_is_said() -> None:
    text = told(*BASE, "--torch", "2.5.1")
    assert "nothing to change" in text
    assert "pip install" not in text


def test_without_a_set_the_reasons_are_told() -> None:
    text = told("--driver", "470", "--gpu", "RTX 3090", "--want", "torch>=2.8", "--keep", "driver", code=1)
    assert text.startswith("no set of versions works")
    assert "needs CUDA" in text
    found = document("--glibc", "musl", "--want", "torch", code=1)
    assert (found["found"], found["sets"]) == (False, [])
    assert found["refused"][0]["reasons"][0]["rule"] == "glibc-is-new-enough"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--want", "torhc"), "near are torch"),
        (("--want", "torch=="), "not a package with a version"),
        (("--want", "torch", "--keep", "python"), "nothing is known of it"),
        (("--want", "torch", "--keep", "colour"), "no such part"),
        (("--gpu", "H100"), "say what is wanted"),
        (("--want", "torch", "--gpu", "RTX 9999"), "no table knows this GPU"),
        (("--want", "torch", "--driver", "new"), "not a version of driver"),
        (("--want", "torch", "--best", "0"), "--best"),
    ],
)
def test_unusable_input_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    said = told(*arguments, code=2)
    assert line in said
    assert "\n" not in said


def test_what_is_there_may_come_from_a_snapshot() -> None:
    found = document("--on", f"file:{RECORDINGS / 'box-healthy.json'}", "--want", "torch", "--best", "1")
    origins = {part["part"]: part["origin"] for part in found["asked"]}
    assert origins["driver"].startswith("driver.")
    assert origins["torch"] != "--torch"
    assert found["sets"][0]["changes"] == []
