"""``diff``, ``explain --on`` and ``snapshot --report-wrong`` as a user meets them."""

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import RECORDINGS
from tests.test_cli import HEALTHY, Run, changed

GOOD = str(RECORDINGS / "h200-healthy.json")
LINE = "RuntimeError: No CUDA GPUs are available\n"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


@pytest.fixture
def other(tmp_path: Path) -> str:
    """A target that differs from the healthy recording in one variable."""
    return changed(
        tmp_path,
        environment={"variables": {"OMP_NUM_THREADS": "8"}, "source": "environment"},
        container={"state": "denied", "reason": "no"},
    )


def test_diff_names_every_change(run: Run, other: str) -> None:
    document = json.loads(run("diff", GOOD, other, "--format", "json", code=0).stdout)

    assert document["schema"] == "codeblue/diff/1"
    assert document["changes"] == [
        {
            "kind": "added",
            "section": "environment",
            "side": None,
            "path": "environment[OMP_NUM_THREADS]",
            "old": None,
            "new": "8",
            "old_state": "read",
            "new_state": "read",
            "source": "environment",
        },
        {
            "kind": "not-comparable",
            "section": "container",
            "side": None,
            "path": "container",
            "old": None,
            "new": None,
            "old_state": "absent",
            "new_state": "denied",
            "source": "the reader of container",
        },
    ]
    assert "\x1b" not in run("diff", GOOD, other, code=0).stdout


def test_diff_in_both_languages_and_as_markdown(run: Run, other: str) -> None:
    english = run("diff", GOOD, other).stdout
    chinese = run("diff", GOOD, other, "--lang", "zh").stdout

    assert "+ environment[OMP_NUM_THREADS]  8   environment" in english
    assert "? container  absent → denied" in english
    assert "未能比较" in chinese
    assert "| 新增 | environment" in run("diff", GOOD, other, "--format", "markdown", "--lang", "zh").stdout


def test_only_exit_code_makes_a_change_a_failure(run: Run, other: str, tmp_path: Path) -> None:
    run("diff", GOOD, other, code=0)
    run("diff", GOOD, other, "--exit-code", code=1)
    assert "nothing that is compared has changed" in run("diff", GOOD, HEALTHY, "--exit-code", code=0).stdout
    unread = changed(tmp_path, container={"state": "denied", "reason": "no"})
    run("diff", GOOD, unread, "--exit-code", code=0)


def test_unusable_input_is_one_line(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")

    run.refused("diff", GOOD, says="give two snapshots")
    run.refused("diff", GOOD, str(tmp_path / "none.json"), says="No such file")
    run.refused("diff", str(broken), GOOD, says="not a JSON document")
    run.refused("diff", "--since-good", "local", "x", says="takes one TARGET")
    run.refused("diff", "--since-good", says="run codeblue check local first")
    run.refused("explain", "rank-hung", "--on", "local", says="run codeblue check local first")
    run.refused("explain", "rank-hung", "--on", "python:/x", says="run codeblue check python:/x first")
    run.refused("explain", "rank-hung", "--on", str(broken), says="not a JSON document")
    run.refused("explain", "rank-hung", "--on", str(tmp_path / "none.json"), says="No such file")
    run.refused("explain", "rank-hang", "--on", GOOD, says="did you mean rank-hung")
    run.refused("snapshot", HEALTHY, "--report-wrong", says="--expected")
    run.refused("snapshot", HEALTHY, "--expected", "rank-hung", says="--report-wrong")
    run.refused("snapshot", HEALTHY, "--report-wrong", "--expected", "rank-hang", says="rank-hung")
    run.refused("snapshot", HEALTHY, "--report-wrong", "--expected", "x" * 201, says="200")


def test_what_changed_since_it_last_worked(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text(LINE, encoding="utf-8")
    done = json.loads(run("check", "--fast", "--format", "json").stdout)
    kept = tmp_path / "state" / "codeblue"
    good = list((kept / "good").glob("local-*.json"))
    assert bool(good) == (done["verdict"] in ("healthy", "risk"))
    # Whatever this machine is like, let its first look be the good one.
    shutil.copytree(kept / "last", kept / "good", dirs_exist_ok=True)

    arguments = ("check", "--fast", "--log", str(log), "--format", "json")
    document = json.loads(run(*arguments, code=1, NCCL_DEBUG="TRACE").stdout)
    told = run("diff", "--since-good", code=0).stdout

    [note] = [note for note in document["notes"] if "since it last worked" in note]
    assert "environment[NCCL_DEBUG] ∅ → TRACE" in note
    assert note.endswith("codeblue diff --since-good")
    assert "+ environment[NCCL_DEBUG]  TRACE" in told
    assert "train.log was given to one of the two looks only" in told
    assert "NCCL_DEBUG" not in good_snapshots(kept)


def good_snapshots(kept: Path) -> str:
    """Return what is kept as good."""
    return "".join(path.read_text(encoding="utf-8") for path in (kept / "good").iterdir())


def test_without_a_good_check_there_is_nothing_to_compare_with(run: Run) -> None:
    run("check", "--fast")
    shutil.rmtree(Path(run.environment["XDG_STATE_HOME"]) / "codeblue" / "good", ignore_errors=True)

    run.refused("diff", "--since-good", says="found it working yet")
    assert "rank-hung" in run("explain", "rank-hung", "--on", "local", code=0).stdout


def test_explain_on_a_snapshot(run: Run) -> None:
    closed = str(RECORDINGS / "nvidiactl-0644.json")

    document = json.loads(
        run("explain", "device-node-permissions", "--on", closed, "--format", "json", code=0).stdout
    )
    clear = run("explain", "device-node-permissions", "--on", HEALTHY, "--lang", "zh", code=0).stdout
    page = run("explain", "cuda-init-failed", "--on", closed, "--format", "markdown", code=0).stdout

    assert (document["schema"], document["outcome"]) == ("codeblue/why/1", "fired")
    assert document["findings"][0]["evidence"][0]["path"] == "nodes[/dev/nvidiactl].open_rw"
    assert "未命中：查看过，不存在" in clear
    assert "- device-node-permissions" in page


def test_a_report_of_a_wrong_verdict_holds_the_lines_of_logs_redacted(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "alice-private"
    folder.mkdir()
    log = folder / "train.log"
    log.write_text(LINE + "ValueError: no access for https://alice:hunter22@10.1.2.3/x\n", encoding="utf-8")
    bundle = tmp_path / "bundle.json"

    arguments = ("snapshot", HEALTHY, "--log", str(log), "--report-wrong", "--expected", "rank-hung")
    done = run(*arguments, "-o", str(bundle), code=0)

    content = bundle.read_text(encoding="utf-8")
    document = json.loads(content)
    assert str(bundle) in done.stderr
    assert "issue of the project" in done.stderr
    assert [word for word in ("alice", "hunter22", "10.1.2.3") if word in content] == []
    assert document["schema"] == "codeblue/report/1"
    assert document["expected"] == {"fault": "rank-hung", "words": "rank-hung"}
    assert document["shown"]["causes"] == ["torch-cuda-unavailable"]
    assert document["diagnosis"]["schema"] == "codeblue/diagnosis/1"
    assert "No CUDA GPUs" in document["snapshot"]["views"][1]["sightings"]["seen"][0]["text"]
    [unknown] = document["snapshot"]["views"][1]["sightings"]["unrecognised_errors"]
    assert unknown.startswith("ValueError: no access for https://")
    [sighting] = document["snapshot"]["views"][1]["sightings"]["seen"]
    assert (sighting["fault"], sighting["file"], sighting["line"]) == (
        "torch-cuda-unavailable",
        "train.log",
        1,
    )


def test_the_snapshot_of_a_report_can_be_judged_again(run: Run, tmp_path: Path) -> None:
    done = run(
        "snapshot", HEALTHY, "--report-wrong", "--expected", "it hangs after an hour", "--lang", "zh", code=0
    )
    document = json.loads(done.stdout)
    again = tmp_path / "again.json"
    again.write_text(json.dumps(document["snapshot"]), encoding="utf-8")

    assert document["expected"] == {"fault": None, "words": "it hangs after an hour"}
    assert "issue" in done.stderr
    assert (
        json.loads(run("check", f"file:{again}", "--format", "json", code=0).stdout)["verdict"] == "healthy"
    )
