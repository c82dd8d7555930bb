"""``codeblue triage`` as a user meets it: files, standard input, known facts, unusable input."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.test_cli import Run

NO_IMAGE = "RuntimeError: CUDA error: no kernel image is available for execution on the device"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


def report(run: Run, tmp_path: Path, text: str, code: int, facts: Any = None) -> dict[str, Any]:
    """Return the document for a text and facts."""
    path = tmp_path / "error.txt"
    path.write_text(text, encoding="utf-8")
    extra = []
    if facts is not None:
        known = tmp_path / "facts.json"
        known.write_text(json.dumps(facts), encoding="utf-8")
        extra = ["--facts", str(known)]
    document: dict[str, Any] = json.loads(
        run("triage", str(path), *extra, "--format", "json", code=code).stdout
    )
    return document


def test_an_error_text_names_cause_layer_and_line(run: Run, tmp_path: Path) -> None:
    document = report(run, tmp_path, f"step 1\n{NO_IMAGE}\n", 1)

    [cause] = document["causes"]
    assert (cause["fault"], document["layer"]) == ("build-lacks-gpu-arch", "python")
    assert cause["evidence"][0]["source"].endswith("error.txt:2")
    assert document["barriers"] == []


def test_standard_input_is_read(run: Run) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codeblue", "triage", "-", "--format", "json"],
        input=NO_IMAGE,
        env=run.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 1
    assert json.loads(done.stdout)["causes"][0]["evidence"][0]["source"] == "stdin:1"


def test_known_facts_are_judged_with_the_text(run: Run, tmp_path: Path) -> None:
    document = report(run, tmp_path, "training works\n", 0, {"driver": "535.54.03", "gpu": "A100"})

    [risk] = document["risks"]
    assert risk["fault"] == "driver-below-safe-version"
    assert risk["evidence"][0]["source"].endswith("facts.json")


def test_an_error_that_nobody_knows_is_not_understood(run: Run, tmp_path: Path) -> None:
    document = report(run, tmp_path, "QuuxError: the frobnicator wobbles\n", 3)

    assert (document["verdict"], document["causes"]) == ("unknown", [])
    assert "QuuxError" in document["notes"][0]


def test_similar_words_are_offered_and_marked_as_no_evidence(run: Run, tmp_path: Path) -> None:
    text = "OddError: the frobnicator wobbles over parcels, cgroup limits and a legacy conda channel alias\n"

    document = report(run, tmp_path, text, 3)

    first = document["causes"][0]
    assert (first["certainty"], first["fix"]) == ("possible", None)
    assert "by similar words only" in first["summary"]
    assert document["layer"] is None


@pytest.mark.parametrize("text", ["", "epoch 1 loss 0.3\nepoch 2 loss 0.2\n", "训练正常\n"])
def test_a_quiet_text_points_at_nothing(run: Run, tmp_path: Path, text: str) -> None:
    document = report(run, tmp_path, text, 0)

    assert (document["verdict"], document["causes"]) == ("healthy", [])


def test_a_symptom_comes_with_what_may_be_behind_it(run: Run, tmp_path: Path) -> None:
    text = (
        "Failed to initialize NVML: Unknown Error\n# note: in the container, after systemctl daemon-reload\n"
    )

    document = report(run, tmp_path, text, 1)

    assert document["causes"][0]["fault"] == "cgroup-device-access-lost"


def test_the_report_is_chinese_if_asked_for(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(NO_IMAGE, encoding="utf-8")

    assert "根因" in run("triage", str(path), "--lang", "zh", code=1).stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"{", "JSON"), (b"[1]", "a list at the top"), (b"\xff\xfe", "JSON"), (b'"x"', "a str at the top")],
)
def test_facts_of_another_form_are_refused(run: Run, tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "facts.json").write_bytes(content)

    run.refused("triage", str(tmp_path / "a.txt"), "--facts", str(tmp_path / "facts.json"), says=says)


def test_a_missing_file_is_one_line(run: Run, tmp_path: Path) -> None:
    run.refused("triage", str(tmp_path / "none.txt"), says="none.txt")


def test_a_folder_is_searched_and_what_is_no_text_is_named(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "rank_1.log").write_text(f"{NO_IMAGE}\n", encoding="utf-8")
    (folder / "core").write_bytes(b"\x7fELF" + bytes(100))
    (folder / "loop").symlink_to(folder)

    document = json.loads(run("triage", str(folder), "--format", "json", code=1).stdout)

    assert "rank 1" in document["causes"][0]["summary"]
    assert any("core: not a text" in note for note in document["notes"])


def test_a_folder_without_files_is_unusable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    run.refused("triage", str(tmp_path / "empty"), says="no file in it")


def test_a_growing_log_is_followed_until_the_user_ends_it(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("step 1\n", encoding="utf-8")
    command = [sys.executable, "-m", "codeblue", "triage", "--follow", str(log)]
    process = subprocess.Popen(command, env=run.environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with log.open("a", encoding="utf-8") as stream:
        stream.write(f"[rank2]: {NO_IMAGE}\n")
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=30)[0]

    assert "rank 2 build-lacks-gpu-arch" in first
    assert "root cause" in rest
    assert process.returncode == 1


def test_only_one_file_can_be_followed(run: Run, tmp_path: Path) -> None:
    run.refused("triage", "--follow", str(tmp_path), says="one file")
