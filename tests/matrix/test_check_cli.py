"""``codeblue matrix check`` as a user meets it."""

import json
import os
import pty
import re
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
        (("--gpu", "H1000"), "near are NVIDIA H100"),
        (("--gpu", "9.9"), "near are 10.0"),
        (("--driver", "999"), "620"),
        (("--nvcc", "x"), "12.8"),
        (("--driver", "535", "--require-cuda", "no condition"), "cuda>=12.8"),
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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--cuda", "12.7", "--gpu", "H100"), "near are 12.6, 12.8"),
        (("--cuda", "99.9", "--gpu", "H100"), "near are 13.5"),
        (("--gpu", "4090"), "known are gpus 4090"),
        (("--driver", "640"), "no table knows the driver branch 640; near are 615, 620"),
    ],
)
def test_what_cannot_be_told_is_unknown_and_says_what_is_near(arguments: tuple[str, ...], says: str) -> None:
    result = run(*arguments)

    assert (result.returncode, result.stdout.startswith("unknown")) == (3, True)
    assert says in result.stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("-r more.txt\ntorch==2.7.1\n", "? requirements.txt:1: more.txt:"),
        (
            "torch ==== 2.7.1\ntorchvision==0.22.1\n",
            "? requirements.txt:1: 'torch ==== 2.7.1' is no requirement",
        ),
        ("nvidia-nccl-cu12 == x y\ntorch==2.7.1\n", "? requirements.txt:1: 'nvidia-nccl-cu12 == x y'"),
    ],
)
def test_what_could_not_be_read_is_not_taken_for_compatible(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("requirements.txt").write_text(text)
    result = run("requirements.txt", "--driver", "580.95.05")

    assert result.returncode == 3
    assert says in result.stdout


def test_a_line_on_something_else_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text("numpy ==== 2\ntorch==2.7.1\n")
    result = run(str(path), "--driver", "580.95.05")

    assert result.returncode == 0
    assert "requirements.txt:1: 'numpy ==== 2' is no requirement" in result.stdout


def test_a_file_that_names_nothing_says_so(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text("numpy\n")
    result = run(str(path))

    assert result.returncode == 3
    assert "names a part that the tables know" in result.stdout


def test_a_narrow_terminal_gets_lines_below_their_text() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "codeblue", "matrix", "check", *ASKED]
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "50", "TERM": "xterm"}
    subprocess.run(command, stdout=theirs, env=environment, check=True)
    os.close(theirs)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", os.read(ours, 1 << 16).decode()).splitlines()

    assert max(map(len, shown)) <= 50
    assert shown[1].startswith("  ! driver 535.129.03")
    assert shown[2].startswith("    2.7.1+cu128 (CUDA 12.8)")


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
