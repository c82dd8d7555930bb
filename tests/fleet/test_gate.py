"""The gate: what refuses a job, what is only told, and that a mistake keeps no node from its work."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from codeblue.fleet.admission import Decision, Terms, decide
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Certainty
from codeblue.model.layers import Layer
from codeblue.pipeline import judge
from tests.conftest import recording
from tests.faults.expecting import expecting
from tests.fleet.cli import Done, codeblue

COUNT, SHM, VERSION = "gpu-count-unexpected", "shm-below-expectation", "driver-below-safe-version"
EXPECTS = '[expect]\ngpus = 99\nshm = "999T"\n'


def gate(tmp_path: Path, site: str, *options: str) -> Done:
    """Return what the gate says on this machine."""
    path = tmp_path / "codeblue.toml"
    path.write_text(site, encoding="utf-8")
    given = () if "--seconds" in options or "seconds" in site else ("--seconds", "60")
    return codeblue("fleet", "gate", "--kubernetes-init", "--config", str(path), *given, *options)


@pytest.mark.parametrize(
    ("site", "options", "code", "words"),
    [
        ("", (), 1, f"refuse: 0 GPU(s) here, the site expects 99 (codeblue explain {COUNT})"),
        (f'only-report = ["{COUNT}"]', (), 1, f"(codeblue explain {SHM})"),
        (f'only-report = ["{COUNT}", "{SHM}"]', (), 0, "admit, only reported: 0 GPU(s) here"),
        (f'only-report = ["{COUNT}", "{SHM}"]', ("--only-report", SHM), 1, f"(codeblue explain {COUNT})"),
        ('up-to = "hardware"', ("--only-report", COUNT), 0, "admit, only reported: 0 GPU(s) here"),
        ('up-to = "hardware"', ("--only-report", COUNT, "--up-to", "container"), 1, SHM),
        (f'up-to = "driver"\nrefuse-for = ["{SHM}"]', ("--only-report", COUNT), 1, SHM),
    ],
)
def test_the_file_says_what_refuses_and_the_command_line_wins(
    tmp_path: Path, site: str, options: tuple[str, ...], code: int, words: str
) -> None:
    done = gate(tmp_path, f"{EXPECTS}[gate]\n{site}\n", *options)

    assert done.code == code, done.words
    [line] = done.words.splitlines()
    assert words in line


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("secs = 3", "codeblue.toml:2:1: unknown key gate.secs; did you mean seconds?"),
        (
            "refuse_likely = true",
            "codeblue.toml:2:1: unknown key gate.refuse_likely; did you mean refuse-likely?",
        ),
        ('up-to = "python"', "codeblue.toml:2:1: gate.up-to: Invalid enum value 'python'"),
        ("seconds = 1", "codeblue.toml:2:1: gate.seconds: "),
        ('only-report = ["shm-below"]', "codeblue.toml:2:1: no fault named 'shm-below'; did you mean "),
    ],
)
def test_a_mistake_in_the_file_is_one_line_and_keeps_no_job_out(
    tmp_path: Path, mistake: str, words: str
) -> None:
    done = gate(tmp_path, f"[gate]\n{mistake}\n", "--seconds", "60")
    refusing = gate(tmp_path, f"[gate]\n{mistake}\n", "--seconds", "60", "--if-undecided", "refuse")
    check = codeblue("check", "--config", str(tmp_path / "codeblue.toml"))

    assert (done.code, refusing.code, check.code) == (0, 1, 2)
    for one in (done, refusing, check):
        assert words in one.words and len(one.words.splitlines()) == 1


@pytest.mark.root
@pytest.mark.skipif(os.geteuid() != 0, reason="the user of the file is for root alone")
def test_what_is_undecided_goes_by_the_file_too(tmp_path: Path) -> None:
    late = '[gate]\nseconds = 2\nif-undecided = "{}"\n[check]\nas-user = "no-such-user"\n'

    assert gate(tmp_path, late.format("admit")).code == 0
    done = gate(tmp_path, late.format("refuse"))
    assert (done.code, len(done.words.splitlines())) == (1, 1)
    assert gate(tmp_path, late.format("refuse"), "--if-undecided", "admit").code == 0


def test_a_fault_that_nobody_knows_is_wrong_usage(tmp_path: Path) -> None:
    for option in ("--refuse-for", "--only-report"):
        done = gate(tmp_path, "", option, "shm-below")
        assert done.code == 2 and "no fault named 'shm-below'" in done.words


def decided(diagnosis: Diagnosis, **terms: Any) -> Decision:
    return decide(diagnosis, Terms(**terms))


def faults(decision: Decision) -> tuple[str | None, Sequence[str]]:
    return decision.refused.fault if decision.refused else None, [one.fault for one in decision.reported]


def test_a_risk_refuses_only_if_it_is_named() -> None:
    found = judge(recording("h200-healthy", driver={"module_version": "580.65.06"}))
    assert VERSION in [risk.fault for risk in found.risks]

    assert faults(decided(found)) == (None, [])
    assert faults(decided(found, refuse_for=[VERSION])) == (VERSION, [])
    assert faults(decided(found, refuse_for=[VERSION], only_report=[VERSION])) == (None, [VERSION])


def test_what_follows_from_a_fault_that_is_only_told_does_not_refuse_either() -> None:
    found = judge(recording("nvidiactl-missing"))
    [cause] = found.causes
    assert cause.finding.certainty is Certainty.CERTAIN and found.consequences

    assert faults(decided(found))[0] == cause.finding.fault
    assert faults(decided(found, only_report=[cause.finding.fault])) == (None, [cause.finding.fault])
    both = [cause.finding.fault, found.consequences[0].finding.fault]
    assert faults(decided(found, only_report=both)) == (None, both)
    effect = found.consequences[-1].finding.fault
    assert faults(decided(found, only_report=[cause.finding.fault], refuse_for=[effect]))[0] == effect


def test_layers_above_the_one_that_was_named_do_not_refuse() -> None:
    found = judge(recording("h200-healthy", expectations=expecting(shm="999T")))

    assert faults(decided(found))[0] == SHM
    assert faults(decided(found, layers=(Layer.HARDWARE, Layer.DRIVER)))[0] is None
