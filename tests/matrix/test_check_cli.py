"""``codeblue matrix check`` as a user meets it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RECORDINGS


def run(*arguments: str, lang: str = "en", stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the verb as a process of its own."""
    command = [sys.executable, "-m", "codeblue", "--lang", lang, "matrix", "check", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def document(*arguments: str, stdin: str = "") -> dict[str, Any]:
    """Return the JSON document."""
    found: dict[str, Any] = json.loads(run(*arguments, "--format", "json", stdin=stdin).stdout)
    return found


ASKED = ("--driver", "535.129.03", "--gpu", "H100", "--torch", "2.7.1+cu128", "--python", "3.11")


def test_a_compatible_set_names_its_conditions() -> None:
    found = document(*ASKED)

    assert (found["verdict"], run(*ASKED).returncode) == ("compatible", 0)
    [condition] = found["conditions"]
    assert condition["rule"] == "minor-version-compatibility"
    assert condition["met"] is True
    assert "error 222" in condition["summary"]


def test_an_incompatible_set_names_rule_source_date_and_a_way() -> None:
    found = document("--driver", "535.129.03", "--gpu", "RTX 4090", "--torch", "2.11.0+cu130")
    [no] = [one for one in found["reasons"] if one["answer"] == "no"]

    assert found["verdict"] == "incompatible"
    assert no["rule"] == "driver-runs-cuda"
    assert "580.65.06" in no["way"]
    assert any("drivers/535" in source["row"] for source in no["sources"])
    assert found["data"] == "2026-11-30"
    assert run("--driver", "535.129.03", "--torch", "2.11.0+cu130").returncode == 1


def test_the_unknown_is_never_printed_as_compatible() -> None:
    result = run("--driver", "580.95.05", "--torch", "2.99.0")

    assert result.returncode == 3
    assert result.stdout.startswith("unknown")
    assert "2.15.0" in result.stdout


def test_a_bare_version_is_the_build_of_the_package_index() -> None:
    found = document("--torch", "2.11.0", "--driver", "570.133.20")

    assert found["verdict"] == "incompatible"
    assert any("2.11.0+cu130" in text for text in found["assumed"])


def test_chinese_and_english_differ_only_in_their_words() -> None:
    english, chinese = run(*ASKED), run(*ASKED, lang="zh")

    assert chinese.returncode == 0
    assert "次版本兼容" in chinese.stdout
    assert len(english.stdout.splitlines()) == len(chinese.stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name versions"),
        (("--driver", "abc"), "535.129.03"),
        (("--torch", "newest"), "2.7.1"),
        (("--python", "3"), "3.11"),
        (("--gpu", "RTX 4099"), "RTX 4090"),
        (("--gpu", "banana"), "matrix show gpu"),
        (("--gpu", "RTX 5000"), "say which"),
        (("--on", "file:/nowhere.json"), "/nowhere.json"),
        (("/nowhere/requirements.txt",), "/nowhere/requirements.txt"),
    ],
)
def test_unusable_input_is_one_line(arguments: tuple[str, ...], says: str) -> None:
    result = run(*arguments)

    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert says in result.stderr


def test_contradictory_pins_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text("torch==2.7.1\ntorch==2.6.0\n")
    result = run(str(path))

    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "requirements.txt:2" in result.stderr


def test_a_file_is_judged_against_a_machine() -> None:
    snapshot = f"file:{RECORDINGS / 'h200-healthy.json'}"
    file = "FROM python:3.11-slim\nRUN pip install torch==2.3.1 --index-url https://download.pytorch.org/whl/cu121\n"
    found = document("-", "--on", snapshot, stdin=file)
    parts = {one["part"]: one["value"] for one in found["parts"]}

    assert parts["torch"] == "2.3.1+cu121"
    assert (parts["driver"], parts["gpus"]) == ("580.159.04", "NVIDIA H200")
    assert found["verdict"] == "compatible"


def test_a_machine_is_judged_by_what_is_installed() -> None:
    found = document("--on", str(RECORDINGS / "h200-healthy.json"))
    rules = {one["rule"]: one["answer"] for one in found["reasons"]}

    assert found["verdict"] == "compatible"
    assert rules["build-has-gpu-code"] == "yes"
    assert rules["torchvision-fits"] == "yes"


def test_a_torch_named_beside_hides_the_installed_one() -> None:
    snapshot = str(RECORDINGS / "h200-healthy.json")
    found = document("--on", snapshot, "--torch", "1.12.0", "--python", "3.10")
    [no] = [one for one in found["reasons"] if one["answer"] == "no"]

    assert no["rule"] == "build-has-gpu-code"
    assert not any(one["part"] == "targets" for one in found["parts"])


def test_the_answer_goes_into_a_file(tmp_path: Path) -> None:
    for form in ("terminal", "json", "markdown"):
        path = tmp_path / form
        result = run(*ASKED, "--format", form, "-o", str(path))

        assert (result.returncode, result.stdout) == (0, "")
        assert "minor-version" in path.read_text()


def test_hostile_values_do_nothing_to_the_terminal() -> None:
    hostile = (
        "FROM pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime\nRUN pip install 'torchvision==0.22.1\x1b[31m'\n"
    )
    result = run("-", "--driver", "580.95.05", stdin=hostile)

    assert "\x1b" not in result.stdout + result.stderr
