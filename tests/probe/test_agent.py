"""The whole probe as it is shipped: one text, every interpreter, always an answer."""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codeblue.model.facts.trials.base import Tried
from codeblue.model.snapshot import SECTIONS
from codeblue.sources.live import view_of
from codeblue.sources.logs import Signatures
from codeblue.sources.probe_text import program
from tests.probe.loading import VERSIONS, interpreters

ELSEWHERE = {
    "sightings",
    "expectations",
    "pods",
    "kubernetes_node",
    "collective_tests",
    "trial_history",
    "numerics_base",
} | {name for name, kind in SECTIONS.items() if issubclass(kind, Tried)}
"""Sections that come from texts, from the site, from a cluster, or only when a trial is asked for."""

MARKER = "codeblue-test:"
FLAGS = ("-I", "-S", "-B", "-")


def answers(python: str, environment: dict[str, str] | None = None, /, **config: Any) -> list[dict[str, Any]]:
    """Return the documents that the shipped text prints."""
    done = subprocess.run(
        [python, *(FLAGS if "2.7" not in python else ("-",))],
        input=program({"marker": MARKER} | config),
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | (environment or {}),
        check=True,
    )
    lines = done.stdout.splitlines()
    return [json.loads(line[len(MARKER) :]) for line in lines if line.startswith(MARKER)]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_interpreter_gives_every_section(version: str) -> None:
    if version not in interpreters():
        pytest.skip(f"no Python {version} at hand")

    partial, final = answers(interpreters()[version], python=sys.executable, salt="x", next_boot=True)

    assert (partial["part"], final["part"]) == ("partial", "final")
    assert set(final["sections"]) == set(SECTIONS) - ELSEWHERE
    assert "torch_trial" not in partial["sections"]
    view = view_of(final, "here", Signatures([]), 0.0)
    unexpected = {n: view.section(SECTIONS[n]).reason for n in ("host", "pci", "user", "limits", "python")}
    assert set(unexpected.values()) == {""}


def test_an_interpreter_that_is_too_old_says_so() -> None:
    old = sorted(Path.home().glob(".pyenv/versions/2.7.*/bin/python"))
    if not old:
        pytest.skip("no Python 2 at hand")

    [document] = answers(str(old[0]))

    assert document == {"part": "error", "reason": "python 2.7 is too old for the probe"}


def test_an_unknown_user_is_told() -> None:
    [document] = answers(sys.executable, as_user="nobody-of-that-name")

    assert document["part"] == "error"
    assert "no such user" in document["reason"]


def test_nobody_listens_any_more() -> None:
    with subprocess.Popen(
        [sys.executable, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin and child.stdout and child.stderr
        child.stdout.close()
        child.stdin.write(program({"marker": "marker:", "until": "libraries"}).encode())
        child.stdin.close()

        assert (child.wait(60), child.stderr.read()) == (141, b"")


def test_a_program_that_hangs_costs_its_own_section_only(tmp_path: Path) -> None:
    hanging = tmp_path / "nvidia-smi"
    hanging.write_text("#!/bin/sh\nsleep 300\n", encoding="utf-8")
    hanging.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}

    started = time.monotonic()
    *_, document = answers(sys.executable, path, budget=3, until="libraries")

    assert time.monotonic() - started < 20
    assert document["sections"]["nvidia_smi"]["state"] == "timeout"
    assert document["sections"]["pci"]["state"] == "read"


def test_nothing_is_written(tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))

    answers(sys.executable, {"HOME": str(tmp_path)}, cwd=str(tmp_path), python=sys.executable)

    assert sorted(tmp_path.rglob("*")) == before


def test_names_leave_only_as_pseudonyms(tmp_path: Path) -> None:
    secret = {"MASTER_ADDR": "gpu7.example.org", "HF_TOKEN": "hf_abcdefghijklmnop", "NCCL_KEY": "k"}
    home = {"HOME": "/home/alice", "LD_LIBRARY_PATH": "/home/alice/lib:/data/bob/lib"}

    text = json.dumps(answers(sys.executable, secret | home, salt="key", until="plain"))
    again = json.dumps(answers(sys.executable, secret | home, salt="key", until="plain"))
    other = json.dumps(answers(sys.executable, secret | home, salt="another", until="plain"))

    for private in ("alice", "gpu7.example.org", "hf_abcdef", "NCCL_KEY", f'"{os.uname().nodename}"'):
        assert private not in text
    assert _pseudonyms(text) == _pseudonyms(again)
    assert not _pseudonyms(text) & _pseudonyms(other)


def _pseudonyms(text: str) -> set[str]:
    documents = json.loads(text)
    return {documents[-1]["sections"]["host"]["hostname"]}


@pytest.mark.parametrize(("limit", "value"), [("RLIMIT_NOFILE", 14), ("RLIMIT_NPROC", 6)])
@pytest.mark.skipif(os.getuid() != 0, reason="root becomes a user whose processes can be counted")
def test_few_descriptors_or_processes_only_make_it_slower(limit: str, value: int) -> None:
    def poor() -> None:
        os.setgid(54321)
        os.setuid(54321)
        kind = getattr(resource, limit)
        resource.setrlimit(kind, (value, value))

    done = subprocess.run(
        ["/usr/bin/python3", *FLAGS],
        input=program({"marker": MARKER, "until": "libraries"}),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd="/",
        preexec_fn=poor,
    )

    document = json.loads(done.stdout.splitlines()[-1][len(MARKER) :])
    states = {name: section["state"] for name, section in document["sections"].items()}
    assert {states[name] for name in ("host", "pci", "limits", "environment")} == {"read"}


@pytest.mark.root
@pytest.mark.skipif(os.getuid() != 0, reason="another user needs root")
def test_another_user_is_judged_as_that_user() -> None:
    *_, document = answers(sys.executable, as_user="nobody", until="opens")

    user = document["sections"]["user"]
    assert (user["uid"], user["name"], user["judged_as"]) == (65534, "nobody", "--as-user")


def test_the_next_boot_is_read_only_on_demand() -> None:
    [final] = answers(sys.executable, python=sys.executable, salt="x", until="plain")

    assert "next_boot" not in final["sections"]
