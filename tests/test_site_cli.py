"""codeblue.toml as a user meets it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RECORDINGS
from tests.test_cli import HEALTHY, Run, changed

EIGHT = "[expect]\ngpus = 8\n"
WAIVER = (
    '[[waive]]\nfault = "gpu-count-unexpected"\nreason = "one\\u001b is *enough*"\n'
    'owner = "ops"\nexpires = 2026-12-31\n'
)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with private state and configuration."""
    run = Run(tmp_path / "state")
    run.environment["XDG_CONFIG_HOME"] = str(tmp_path / "config")
    return run


def site(tmp_path: Path, content: str) -> str:
    """Return a file of this content."""
    path = tmp_path / "site.toml"
    path.write_text(content, encoding="utf-8")
    return str(path)


def document(run: Run, *arguments: str, code: int) -> dict[str, Any]:
    """Return the JSON document of a check."""
    content: dict[str, Any] = json.loads(run("check", *arguments, "--format", "json", code=code).stdout)
    return content


def test_an_expectation_that_is_not_met_is_a_cause(run: Run, tmp_path: Path) -> None:
    config = site(tmp_path, EIGHT)

    found = document(run, HEALTHY, "--config", config, code=1)

    assert (found["layer"], found["causes"][0]["fault"]) == ("hardware", "gpu-count-unexpected")
    assert found["causes"][0]["evidence"][1] == {"path": "expectations.gpus", "value": 8, "source": config}


def test_a_waiver_decides_the_exit_code_and_is_shown(run: Run, tmp_path: Path) -> None:
    config = site(tmp_path, EIGHT + WAIVER)

    found = document(run, HEALTHY, "--config", config, code=0)
    shown = run("check", HEALTHY, "--config", config).stdout
    chinese = run("check", HEALTHY, "--config", config, "--lang", "zh").stdout
    page = run("check", HEALTHY, "--config", config, "--format", "markdown").stdout

    assert found["verdict"] == "healthy"
    assert found["waived"] == [
        {
            "fault": "gpu-count-unexpected",
            "subject": "host",
            "reason": "one\x1b is *enough*",
            "owner": "ops",
            "expires": "2026-12-31",
        }
    ]
    assert "accepted by the site\n  gpu-count-unexpected  host: one\N{REPLACEMENT CHARACTER} is" in shown
    assert "站点已接受" in chinese
    assert "## accepted by the site" in page and "\\*enough\\*" in page


def test_the_user_s_own_file_is_found_and_the_nearest_wins(run: Run, tmp_path: Path) -> None:
    users = tmp_path / "config" / "codeblue" / "codeblue.toml"
    users.parent.mkdir(parents=True)
    users.write_text(EIGHT, encoding="utf-8")

    document(run, HEALTHY, code=1)
    users.write_text(EIGHT + WAIVER, encoding="utf-8")
    document(run, HEALTHY, code=0)


def test_fail_on_comes_from_the_file_and_the_command_line_wins(run: Run, tmp_path: Path) -> None:
    view = json.loads((RECORDINGS / "h200-healthy.json").read_text(encoding="utf-8"))["views"][0]
    view["filesystems"]["filesystems"]["/dev/shm"] |= {"total": 64 << 20, "free": 64 << 20}
    target = changed(tmp_path, filesystems=view["filesystems"])
    config = site(tmp_path, '[check]\nfail-on = "risk"\n')

    run("check", target, "--config", config, code=1)
    run("check", target, "--config", config, "--fail-on", "trouble", code=0)


def test_a_mistake_is_refused_by_every_verb_that_looks(run: Run, tmp_path: Path) -> None:
    config = site(tmp_path, "[expect]\ngpuz = 8\n")

    run.refused("check", HEALTHY, "--config", config, says=f"{config}:2:1: unknown key expect.gpuz")
    run.refused("snapshot", HEALTHY, "--config", config, says="did you mean gpu, gpus?")
    run.refused("check", "--config", str(tmp_path / "none"), says="No such file")


def test_a_waiver_for_no_fault_is_refused(run: Run, tmp_path: Path) -> None:
    config = site(tmp_path, WAIVER.replace("count", "counts"))

    run.refused("check", HEALTHY, "--config", config, says="did you mean gpu-count-unexpected")


def test_a_recording_replays_with_what_was_expected_of_it(run: Run, tmp_path: Path) -> None:
    node, host = str(tmp_path / "node.json"), os.uname().nodename
    first = site(tmp_path, f'[[host]]\nmatch = "{host[:3]}*"\nexpect.gpus = 77\nexpect.driver = "1.2"\n')
    run("snapshot", "-o", node, "--config", first, code=0)
    other = site(tmp_path, "[expect]\ngpus = 66\n")

    live = document(run, f"file:{node}", code=1)
    again = document(run, f"file:{node}", "--config", other, code=1)

    def wanted(found: dict[str, Any]) -> list[Any]:
        rows = [one for one in found["causes"] if one["fault"] == "gpu-count-unexpected"]
        return [row["evidence"][1]["value"] for row in rows]

    assert (wanted(live), wanted(again)) == ([77], [66])
    assert "driver-version-unexpected" in [cause["fault"] for cause in live["causes"]]


def test_host_tables_that_cannot_be_tried_are_told(run: Run, tmp_path: Path) -> None:
    config = site(tmp_path, '[[host]]\nmatch = "*"\nexpect.gpus = 8\n')

    found = document(run, HEALTHY, "--config", config, code=0)

    assert "[[host]] tables were not tried" in found["notes"][0]


@pytest.mark.root
@pytest.mark.skipif(os.getuid() != 0, reason="needs root to look as another user")
def test_root_judges_for_the_user_of_the_file(run: Run, tmp_path: Path) -> None:
    node = tmp_path / "node.json"
    run("snapshot", "-o", str(node), "--config", site(tmp_path, '[check]\nas-user = "nobody"\n'), code=0)
    unknown = site(tmp_path, '[check]\nas-user = "no-such-user"\n')

    [view] = json.loads(node.read_text(encoding="utf-8"))["views"]

    assert view["user"]["judged_as"] == "--as-user"
    run.refused("check", "--config", unknown, says="check.as-user no-such-user: no such user")


def test_the_budget_of_the_file(run: Run, tmp_path: Path) -> None:
    hanging = tmp_path / "python"
    hanging.write_text("#!/bin/sh\nsleep 600\n", encoding="utf-8")
    hanging.chmod(0o755)
    config = site(tmp_path, "[check]\nbudget = 2\n")

    found = document(run, f"python:{hanging}", "--config", config, code=3)

    assert found["seconds"] < 15
