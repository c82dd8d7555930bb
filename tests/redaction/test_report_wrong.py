"""The bundle about a wrong verdict: log lines are in it, planted secrets are not, and the gate looks last."""

import json
from pathlib import Path
from typing import Any

from codeblue.model.snapshot import SCHEMA
from tests.redaction.test_planted import ONE_LINE, groups, lost
from tests.test_cli import HEALTHY, Run, changed

TOKEN = "hf_" + "aB3" * 12


def bundle(run: Run, tmp_path: Path, *arguments: str) -> tuple[str, dict[str, Any]]:
    """Return the written bundle as text and as a document."""
    out = tmp_path / "bundle.json"
    run("snapshot", *arguments, "--report-wrong", "--expected", "rank-hung", "-o", str(out), code=0)
    content = out.read_text(encoding="utf-8")
    return content, json.loads(content)


def test_no_planted_secret_is_in_it(tmp_path: Path) -> None:
    logs = []
    for number, group in enumerate(groups(ONE_LINE, 5)):
        log = tmp_path / f"rank-{number}.log"
        log.write_text("".join(f"MyError: {one.text}\n" for one in group), encoding="utf-8")
        logs += ["--log", str(log)]

    content, document = bundle(Run(tmp_path / "state"), tmp_path, HEALTHY, *logs)

    assert lost(ONE_LINE, content) == []
    views = document["snapshot"]["views"][1:]
    lines = [line for view in views for line in view["sightings"]["unrecognised_errors"]]
    assert len(lines) == len(ONE_LINE)
    assert sum("secret-" in line for line in lines) > len(ONE_LINE) / 2


def test_a_recording_that_nobody_has_redacted(tmp_path: Path) -> None:
    text = f"node7:1:1 [0] NCCL WARN by node7: HF_TOKEN={TOKEN} password=hunter22"
    seen = {
        "fault": "rank-hung",
        "text": text,
        "file": "/home/alice/run/train.log",
        "line": 3,
        "values": {"what": "hunter22"},
    }
    sightings = {"state": "read", "seen": [seen], "unrecognised_errors": [text]}
    view = {"kind": "text", "name": "/home/alice/run/train.log", "sightings": sightings}
    recording = tmp_path / "old.json"
    recording.write_text(json.dumps({"schema": SCHEMA, "views": [view]}), encoding="utf-8")

    content, document = bundle(Run(tmp_path / "state"), tmp_path, f"file:{recording}")

    assert [word for word in (TOKEN, "hunter22", "alice", "node7") if word in content] == []
    [shared] = document["snapshot"]["views"]
    assert shared["name"] == shared["sightings"]["seen"][0]["file"] == "train.log"
    assert "NCCL WARN by host-" in shared["sightings"]["unrecognised_errors"][0]


def test_what_the_user_expected_is_redacted_too(tmp_path: Path) -> None:
    run, out = Run(tmp_path / "state"), tmp_path / "bundle.json"
    words = f"it works with HF_TOKEN={TOKEN}"
    run("snapshot", HEALTHY, "--report-wrong", "--expected", words, "-o", str(out), code=0)

    assert TOKEN not in out.read_text(encoding="utf-8")


def test_the_gate_looks_last(tmp_path: Path) -> None:
    run, out = Run(tmp_path / "state"), tmp_path / "bundle.json"
    target = changed(tmp_path, environment={"variables": {"CUDA_VISIBLE_DEVICES": TOKEN}, "source": "x"})
    done = run("snapshot", target, "--report-wrong", "--expected", "rank-hung", "-o", str(out), code=2)

    assert "CUDA_VISIBLE_DEVICES" in done.stderr
    assert TOKEN not in done.stderr
    assert not out.exists()
