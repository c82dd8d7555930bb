"""``codeblue lint`` as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: x}
spec:
  containers:
  - name: main
    image: registry.example/train@sha256:0000000000000000000000000000000000000000000000000000000000000000
    env:
    - name: Nccl_ib_disable
      value: "1"
"""
RIGHT = POD.replace("Nccl_ib_disable", "NCCL_IB_HCA")


def lint(folder: Path, *arguments: str, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run the verb in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "codeblue", "lint", *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder / "none"), **env},
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "k8s").mkdir()
    (tmp_path / "k8s" / "pod.yaml").write_text(POD)
    return tmp_path


def test_a_folder_is_searched(folder: Path) -> None:
    done = lint(folder, ".")

    assert done.returncode == 1
    assert done.stdout.startswith("k8s/pod.yaml:9:13: error env-name-misspelt: ")
    assert done.stderr == ""


def test_what_is_right_is_quiet(folder: Path) -> None:
    (folder / "k8s" / "pod.yaml").write_text(RIGHT)
    done = lint(folder, ".")

    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "nothing to say about 1 files"


def test_standard_input_is_read(folder: Path) -> None:
    assert lint(folder, "-", text=POD).stdout.startswith("stdin:9:13: error env-name-misspelt")


def test_the_document_has_the_promised_keys(folder: Path) -> None:
    [finding] = json.loads(lint(folder, "--format", "json", ".").stdout)["findings"]

    keys = {"fault", "path", "line", "column", "severity", "certainty", "message", "fix"}
    assert keys <= set(finding)
    assert (finding["path"], finding["line"], finding["column"]) == ("k8s/pod.yaml", 9, 13)
    assert finding["fix"]["edits"] == [
        {"line": 9, "column": 13, "end_line": 9, "end_column": 28, "text": "NCCL_IB_DISABLE"}
    ]


def test_sarif_names_rule_place_and_fix(folder: Path) -> None:
    [run] = json.loads(lint(folder, "--format", "sarif", ".").stdout)["runs"]

    [result] = run["results"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [result["ruleId"]]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (9, 13, 28)
    [change] = result["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "NCCL_IB_DISABLE"}


def test_github_gets_workflow_commands(folder: Path) -> None:
    os.rename(folder / "k8s" / "pod.yaml", folder / "k8s" / "a,b:c%.yaml")
    [line] = lint(folder, "--format", "github", ".").stdout.splitlines()

    assert line.startswith("::error file=k8s/a%2Cb%3Ac%25.yaml,line=9,endLine=9,col=13,endColumn=28,title=")


def test_junit_fails_the_file(folder: Path) -> None:
    (folder / "right.yaml").write_text(RIGHT)
    suite = ElementTree.fromstring(lint(folder, "--format", "junit", ".").stdout)  # noqa: S314 - our own text

    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert {case.get("name"): len(case) for case in suite} == {"k8s/pod.yaml": 1, "right.yaml": 0}


def test_chinese(folder: Path) -> None:
    done = lint(folder, "--lang", "zh", ".")

    assert "没有程序读取 Nccl_ib_disable" in done.stdout
    assert "错误 1 个" in done.stdout


def test_fix_needs_the_word_unsafe_where_it_changes_what_happens(folder: Path) -> None:
    lint(folder, "--fix", ".")
    assert (folder / "k8s" / "pod.yaml").read_text() == POD

    assert lint(folder, "--fix", "--unsafe-fixes", ".").returncode == 0
    assert (folder / "k8s" / "pod.yaml").read_text() == POD.replace("Nccl_ib_disable", "NCCL_IB_DISABLE")


def test_a_fix_without_a_place_for_its_lock_is_one_line(folder: Path) -> None:
    done = lint(folder, "--fix", "--unsafe-fixes", ".", XDG_STATE_HOME="/proc/none")

    [line] = done.stderr.splitlines()
    assert line.startswith("codeblue: /proc/none") and "XDG_STATE_HOME" in line
    assert (folder / "k8s" / "pod.yaml").read_text() == POD
    assert done.returncode == 1


def test_a_diff_writes_nothing_and_can_be_applied(folder: Path) -> None:
    diff = lint(folder, "--diff", "--unsafe-fixes", ".").stdout
    assert (folder / "k8s" / "pod.yaml").read_text() == POD

    subprocess.run(["patch", "-s", "-p1"], cwd=folder, input=diff, text=True, check=True)
    assert (folder / "k8s" / "pod.yaml").read_text() == POD.replace("Nccl_ib_disable", "NCCL_IB_DISABLE")


def test_bytes_outside_of_the_edit_stay(folder: Path) -> None:
    path = folder / "k8s" / "pod.yaml"
    crlf = b"\xef\xbb\xbf" + f"# 中文 {'é' * 9}\r\n".encode() + POD.replace("\n", "\r\n").encode()
    path.write_bytes(crlf)
    path.chmod(0o640)

    lint(folder, "--fix", "--unsafe-fixes", ".")

    assert path.read_bytes() == crlf.replace(b"Nccl_ib_disable", b"NCCL_IB_DISABLE")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_comment_with_a_reason_accepts(folder: Path) -> None:
    path = folder / "k8s" / "pod.yaml"
    path.write_text(
        POD.replace("_disable", "_disable  # codeblue: ignore[env-name-misspelt] read by our wrapper")
    )
    done = lint(folder, "--format", "json", ".")

    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert document["findings"] == []
    [accepted] = document["suppressed"]
    assert (accepted["by"], accepted["reason"]) == ("comment", "read by our wrapper")


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("# codeblue: ignore[env-name-misspelt]", "gives no reason"),
        ("# codeblue: ignore", "names no fault"),
        ("# codeblue: ignore[no-such-thing] because", "there is no fault no-such-thing"),
        ("# codeblue: ignore[pod-shm-missing] because", "nothing here is pod-shm-missing any more"),
    ],
)
def test_a_comment_that_accepts_nothing_is_told(folder: Path, comment: str, words: str) -> None:
    path = folder / "k8s" / "pod.yaml"
    path.write_text(POD.replace("_disable", f"_disable  {comment}"))
    done = lint(folder, ".")

    assert words in done.stdout
    assert "env-name-misspelt" in done.stdout


def test_a_file_wide_comment(folder: Path) -> None:
    path = folder / "k8s" / "pod.yaml"
    path.write_text("# codeblue: ignore-file[env-name-misspelt] generated\n" + POD)

    assert lint(folder, ".").returncode == 0


def test_a_baseline_accepts_what_was_there_and_shows_what_is_new(folder: Path) -> None:
    assert lint(folder, "--write-baseline", "base.json", "k8s").returncode == 0
    assert lint(folder, "--baseline", "base.json", "k8s").returncode == 0

    path = folder / "k8s" / "pod.yaml"
    path.write_text("# a line more\n" + POD + '    - {name: NCCL_IB_DISABLED, value: "1"}\n')
    done = lint(folder, "--baseline", "base.json", "k8s")

    assert done.returncode == 1
    assert next(line for line in done.stdout.splitlines() if "pod" in line).startswith("k8s/pod.yaml:12:")
    assert done.stdout.count("env-name-misspelt") == 1


def test_a_waiver_of_the_site_accepts_until_it_expires(folder: Path) -> None:
    waiver = (
        '[[waive]]\nfault = "env-name-misspelt"\nsubject = "file:k8s/*"\nreason = "wrapper"\n'
        'owner = "ops"\nexpires = {}\n'
    )
    (folder / "codeblue.toml").write_text(waiver.format("2999-01-01"))
    assert lint(folder, "k8s").returncode == 0

    (folder / "codeblue.toml").write_text(waiver.format("2020-01-01"))
    assert lint(folder, "k8s").returncode == 1


def test_many_files_give_the_same_in_several_processes(folder: Path) -> None:
    for number in range(150):
        (folder / f"{number}.yaml").write_text(POD)

    one, two = (lint(folder, "--jobs", jobs, ".").stdout for jobs in ("1", "2"))

    assert one == two
    assert one.count("env-name-misspelt") == 151


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "tab.yaml",
            b"apiVersion: v1\nkind: Pod\n\tmetadata: x\n",
            "tab.yaml:3:1: error config-syntax-error: a tab",
        ),
        ("deep.yaml", b"apiVersion: v1\na: " + b"[" * 50000, "deep.yaml:2:"),
        (
            "deep.json",
            b'{"apiVersion":' + b"[" * 50000,
            "deep.json:1:1: error config-syntax-error: nested too",
        ),
        ("bytes.yaml", b"apiVersion: v1\na: \xff\x01\n", "bytes.yaml:2:"),
        ("data.yaml", b"\0\1\2" * 99, "not judged: data.yaml: not a text file"),
        (
            "chart.yaml",
            b"apiVersion: v1\nspec:\n  {{- if .x }}\n  a: 1\n  {{- end }}\n",
            "chart.yaml: a template",
        ),
    ],
)
def test_a_broken_file_is_told_and_the_others_are_judged(
    folder: Path, name: str, content: bytes, words: str
) -> None:
    (folder / name).write_bytes(content)
    done = lint(folder, ".")

    assert words in done.stdout
    assert "k8s/pod.yaml:9:13" in done.stdout
    assert done.returncode == 1
    assert done.stderr == ""


def test_aliases_that_multiply_cost_nothing(folder: Path) -> None:
    lines = ["apiVersion: v1", "kind: Pod", "l0: &l0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"l{n}: &l{n} [{','.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 14)]
    (folder / "bomb.yaml").write_text("\n".join(lines))

    assert lint(folder, ".").returncode == 1


def test_too_large_a_file_is_unusable_and_the_others_are_judged(folder: Path) -> None:
    with open(folder / "large.yaml", "wb") as stream:
        stream.truncate(100 << 20)
    done = lint(folder, ".")

    assert "not judged: large.yaml: larger than 10 MB" in done.stdout
    assert "k8s/pod.yaml:9:13" in done.stdout
    assert done.returncode == 2


def test_links_that_go_round_end(folder: Path) -> None:
    (folder / "k8s" / "loop").symlink_to("..")
    (folder / "k8s" / "self.yaml").symlink_to("self.yaml")
    done = lint(folder, ".")

    assert done.stdout.count("env-name-misspelt") == 1
    assert "self.yaml: cannot read: Too many levels of symbolic links" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing.yaml",), "nothing.yaml: cannot read: No such file or directory"),
        (("--baseline", "k8s/pod.yaml", "."), "not a baseline of codeblue lint"),
        (("--on", "file:none.json", "."), "none.json"),
    ],
)
def test_unusable_input_is_one_line(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    done = lint(folder, *arguments)

    assert done.returncode == 2
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_secrets_of_a_line_are_not_printed(folder: Path) -> None:
    secret = "hf_" + "a1B2" * 9
    line = f'    - {{name: NCCL_IB_DISABLED, value: "1"}} # HF_TOKEN={secret}\n'
    (folder / "k8s" / "pod.yaml").write_text(POD + line)

    for form in ("json", "sarif", "terminal"):
        assert secret not in lint(folder, "--format", form, ".").stdout


def test_the_hook_and_the_action_are_what_they_should_be() -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    action = yaml.safe_load((ROOT / "action.yml").read_text())

    assert hook["entry"].split()[:2] == ["codeblue", "lint"]
    assert [step["shell"] for step in action["runs"]["steps"]] == ["bash", "bash"]


def test_the_action_lints_and_annotates(folder: Path) -> None:
    """Its own shell lines, with this installation in place of a fresh one."""
    step = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"][1]
    bin_ = folder / "codeblue" / "bin"
    bin_.mkdir(parents=True)
    (bin_ / "codeblue").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codeblue "$@"\n')
    (bin_ / "codeblue").chmod(0o755)
    env = {"RUNNER_TEMP": str(folder), "PATHS": "k8s", "ARGUMENTS": "--pedantic", "SARIF": "out.sarif"}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stdout.startswith("::error file=k8s/pod.yaml,line=9,")
    assert json.loads((folder / "out.sarif").read_text())["version"] == "2.1.0"
