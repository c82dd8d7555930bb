"""The command line as a user meets it: verdicts, exit codes, one line for unusable input."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codeblue.model.snapshot import SCHEMA
from tests.conftest import RECORDINGS

HEALTHY = f"file:{RECORDINGS / 'h200-healthy.json'}"


class Run:
    """Runs codeblue with a state directory of its own."""

    def __init__(self, home: Path) -> None:
        self.environment = {**os.environ, "XDG_STATE_HOME": str(home), "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
        self.environment.pop("VIRTUAL_ENV", None)

    def __call__(
        self, *arguments: str, code: int | None = None, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "codeblue", *arguments],
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if code is not None:
            assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    def refused(self, *arguments: str, says: str) -> None:
        """Run with unusable input: exit 2 and one line."""
        done = self(*arguments, code=2)
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1, done.stderr
        assert says in done.stderr


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


def changed(tmp_path: Path, **sections: Any) -> str:
    """Return a target: the healthy recording with changed sections."""
    content = json.loads((RECORDINGS / "h200-healthy.json").read_text(encoding="utf-8"))
    content["views"][0] |= sections
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return f"file:{path}"


def test_a_healthy_recording_is_healthy(run: Run) -> None:
    document = json.loads(run("check", HEALTHY, "--format", "json", code=0).stdout)

    assert (document["verdict"], document["causes"]) == ("healthy", [])
    assert document["schema"] == "codeblue/diagnosis/1"


def test_trouble_exits_with_one_and_names_layer_and_cause(run: Run, tmp_path: Path) -> None:
    environment = {"variables": {"CUDA_VISIBLE_DEVICES": ""}, "source": "environment"}
    cuda = {"init": 100, "library": "libcuda.so.1", "count": None, "unmasked_init": 0, "unmasked_count": 1}
    target = changed(tmp_path, environment=environment, cuda=cuda | {"driver_version": 13000, "devices": {}})

    document = json.loads(run("check", target, "--format", "json", code=1).stdout)

    assert (document["layer"], document["causes"][0]["fault"]) == (
        "application",
        "cuda-visible-devices-empty",
    )


def test_a_layer_that_could_not_be_read_exits_with_three(run: Run, tmp_path: Path) -> None:
    target = changed(tmp_path, cuda={"state": "timeout", "reason": "no answer within 15 s"})

    done = run("check", target, code=3)

    assert "no answer within 15 s" in done.stdout


def test_fail_on_risk(run: Run, tmp_path: Path) -> None:
    shm = json.loads((RECORDINGS / "h200-healthy.json").read_text(encoding="utf-8"))["views"][0][
        "filesystems"
    ]
    shm["filesystems"]["/dev/shm"] |= {"total": 64 << 20, "free": 64 << 20}
    target = changed(tmp_path, filesystems=shm)

    run("check", target, code=0)
    run("check", target, "--fail-on", "risk", code=1)


def test_unusable_targets(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"schema": "codeblue/snapshot/1", "views": [', encoding="utf-8")
    newer = tmp_path / "newer.json"
    newer.write_text('{"schema": "codeblue/snapshot/9"}', encoding="utf-8")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"schema": SCHEMA, "views": [{"kind": 3}]}), encoding="utf-8")
    large = tmp_path / "large.json"
    with large.open("wb") as stream:
        stream.truncate(200 << 20)

    run.refused("check", "moon:base", says="unknown target 'moon:base'")
    run.refused("check", f"file:{tmp_path / 'none.json'}", says="No such file")
    run.refused("check", f"file:{tmp_path}", says="Is a directory")
    run.refused("check", f"file:{broken}", says="not a JSON document or truncated")
    run.refused("check", f"file:{newer}", says="codeblue/snapshot/9 is newer")
    run.refused("check", f"file:{wrong}", says="views[0].kind")
    run.refused("check", f"file:{large}", says="200 MB is too large")
    run.refused("check", "python:/nowhere/python", says="no such executable")
    run.refused("check", HEALTHY, "--log", str(tmp_path / "none.log"), says="cannot read the log")
    run.refused("check", "--nonsense", says="--nonsense")
    run.refused("check", "--as-user", "nobody-of-that-name", says="no such user")
    run.refused("frobnicate", says="frobnicate")
    run.refused("explain", "device-node-permission", says="did you mean device-node-permissions")


def test_an_interpreter_that_is_no_python_costs_only_its_own_layers(run: Run, tmp_path: Path) -> None:
    impostor = tmp_path / "python"
    impostor.write_text("#!/bin/sh\necho I am no Python\n", encoding="utf-8")
    impostor.chmod(0o755)

    document = json.loads(run("check", f"python:{impostor}", "--format", "json", code=3).stdout)

    states = {barrier["layer"]: barrier["state"] for barrier in document["barriers"]}
    assert states["python"] == "unread"
    assert states["hardware"] != "unread"


def test_an_interpreter_that_hangs_is_left_at_the_deadline(run: Run, tmp_path: Path) -> None:
    hanging = tmp_path / "python"
    hanging.write_text("#!/bin/sh\nsleep 600\n", encoding="utf-8")
    hanging.chmod(0o755)

    started = time.monotonic()
    done = run("check", f"python:{hanging}", "--budget", "3", code=3)

    assert time.monotonic() - started < 30
    assert "python" in done.stdout


def test_output_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    run.refused("check", HEALTHY, "--format", "json", "-o", "/dev/full", says="/dev/full")
    run.refused("check", HEALTHY, "-o", str(tmp_path / "no" / "report"), says="No such file")


def test_a_state_directory_that_cannot_be_written_stops_nothing(run: Run) -> None:
    run("check", "--fast", code=0, XDG_STATE_HOME="/proc/nowhere")


def test_a_reader_that_leaves_early_is_no_error(run: Run) -> None:
    command = f"{sys.executable} -m codeblue explain --list | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], env=run.environment, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_piped_output_has_no_escape_sequences(run: Run) -> None:
    assert "\x1b" not in run("check", HEALTHY).stdout


def test_hostile_text_is_made_harmless(run: Run, tmp_path: Path) -> None:
    words = "\x1b[2Jgone\x07 <script>alert(1)</script> [link](x) | cell"
    target = changed(tmp_path, nvidia_smi={"path": "/x", "exit_code": 9, "words": words, "recognised": False})

    terminal = run("check", target).stdout
    page = run("check", target, "--format", "markdown").stdout

    assert "\x1b" not in terminal
    assert "gone" in terminal
    assert "<script>" not in page


def test_the_terminal_gets_colour_unless_it_is_not_wanted(run: Run) -> None:
    assert b"\x1b[" in _on_a_terminal(run, {})
    assert b"\x1b[1;32m" not in _on_a_terminal(run, {"NO_COLOR": "1"})


def _on_a_terminal(run: Run, environment: dict[str, str]) -> bytes:
    control, terminal = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "codeblue", "check", HEALTHY],
        env=run.environment | {"TERM": "xterm-256color"} | environment,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            chunk = os.read(control, 4096)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(control)
    child.wait(timeout=20)
    return shown


@pytest.mark.parametrize("arguments", [("--lang", "zh"), ()])
def test_chinese_by_option_or_locale(run: Run, arguments: tuple[str, ...]) -> None:
    done = run("check", HEALTHY, *arguments, code=0, LC_ALL="zh_CN.UTF-8")

    assert "没有发现问题" in done.stdout


def test_json_keys_are_the_same_in_every_language(run: Run) -> None:
    english = json.loads(run("check", HEALTHY, "--format", "json").stdout)
    chinese = json.loads(run("check", HEALTHY, "--format", "json", "--lang", "zh").stdout)

    assert english.keys() == chinese.keys()
    assert english["verdict"] == chinese["verdict"]


def test_a_snapshot_of_this_machine_gives_the_same_verdict(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "here.json"
    run("snapshot", "-o", str(path), code=0)
    live = json.loads(run("check", "--format", "json").stdout)

    again = json.loads(run("check", f"file:{path}", "--format", "json").stdout)

    assert (again["verdict"], again["barriers"]) == (live["verdict"], live["barriers"])


def test_a_probe_run_by_hand_is_read(run: Run, tmp_path: Path) -> None:
    program, output = tmp_path / "probe.py", tmp_path / "node.json"
    program.write_text(run("probe", code=0).stdout, encoding="utf-8")
    with output.open("wb") as stream:
        subprocess.run([sys.executable, str(program)], stdout=stream, check=True, timeout=60)

    document = json.loads(run("check", f"file:{output}", "--format", "json").stdout)

    assert {barrier["layer"] for barrier in document["barriers"]} >= {"hardware", "python"}
    assert document["host"].startswith("host-")


def test_alone_it_says_what_to_do_next(run: Run) -> None:
    assert "codeblue check" in run(code=0).stdout
    run("check", "--fast")
    assert "--log" in run(code=0).stdout


def test_explain_has_a_page_and_a_list(run: Run) -> None:
    assert "## What it means" in run("explain", "device-node-permissions", code=0).stdout
    assert "## 含义" in run("explain", "device-node-permissions", "--lang", "zh", code=0).stdout
    listing = json.loads(run("explain", "--list", "--format", "json", code=0).stdout)
    assert {"fault", "layer", "kind", "title", "explains"} <= listing[0].keys()


def test_files_of_the_job_that_are_named_like_modules_do_not_break_it(run: Run, tmp_path: Path) -> None:
    for name in ("queue", "select", "click", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)\n", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "codeblue", "check", HEALTHY],
        cwd=tmp_path,
        env=run.environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
