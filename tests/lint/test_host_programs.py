"""What lint says of a host's files is what the programs say that read them, where they are installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.lint.case import Case
from tests.lint.cases import access, boot, services

SKIPPED_BY_SYSTEMD = ("unit-key-unknown", "unit-environment-split", "memlock-limit-too-low")


def said(*command: str) -> str:
    """Return all that a program prints."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def program(name: str) -> str:
    """Return a program's path; skip the test if it is not here."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        pytest.skip(f"no {name} here")
    return path


def chosen(cases: tuple[Case, ...], faults: tuple[str, ...], ending: str) -> list[Case]:
    """Return the cases of these faults in files of one kind."""
    return [case for case in cases if case.fault in faults and case.name.endswith(ending)]


@pytest.mark.parametrize(
    "case", chosen(services.CASES, SKIPPED_BY_SYSTEMD, ".service"), ids=lambda case: case.fault
)
def test_systemd_skips_what_is_found(case: Case, tmp_path: Path) -> None:
    verify = program("systemd-analyze")
    unit = tmp_path / "x.service"
    unit.write_text(case.text.replace("/usr/bin/worker", "/bin/true"), encoding="utf-8")
    output = said(verify, "verify", str(unit))

    if "Failed to" in output and "x.service:" not in output:
        pytest.skip("systemd-analyze cannot work here")
    lines = {line for line, _ in case.places}
    assert {int(line.split(":")[1]) for line in output.splitlines() if line.startswith(f"{unit}:")} == lines


@pytest.mark.parametrize(
    "case", chosen(access.CASES, ("sshd-config-key-unknown",), "sshd_config"), ids=lambda case: case.name
)
def test_sshd_refuses_what_is_found(case: Case, tmp_path: Path) -> None:
    sshd = program("sshd")
    path = tmp_path / "sshd_config"
    path.write_text(case.text, encoding="utf-8")

    assert ("Bad configuration option" in said(sshd, "-t", "-f", str(path))) == bool(case.places)


@pytest.mark.parametrize(
    "case", chosen(boot.CASES, ("modprobe-config-ignored",), ""), ids=lambda case: case.name
)
def test_modprobe_reads_no_more_than_lint_says(case: Case, tmp_path: Path) -> None:
    modprobe = program("modprobe")
    (tmp_path / Path(case.name).name).write_text(case.text, encoding="utf-8")
    read = said(modprobe, "-C", str(tmp_path), "--showconfig")
    whole = case.text.strip().splitlines()[-1] in read and "ignoring bad line" not in read

    if Path(case.name).suffix == ".conf" and "noveau" not in case.text:
        assert whole == (not case.places)
    elif Path(case.name).suffix != ".conf":
        assert not whole


@pytest.mark.parametrize(
    "case",
    # Names that only the kernel does not know are all the same to a shell.
    [
        case
        for case in chosen(boot.CASES, ("grub-cmdline-typo",), "grub")
        if not case.places or not any(name in case.text for name in ("mod", "iommmu"))
    ],
    ids=lambda case: case.name,
)
def test_a_shell_reads_grubs_defaults_as_lint_says(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "grub"
    path.write_text(case.text, encoding="utf-8")
    output = said(
        program("env"), "-i", "PATH=/usr/bin:/bin", "sh", "-c", f'. "{path}"; echo "<$GRUB_CMDLINE_LINUX>"'
    )

    wrong = any(sign in output for sign in ("not found", "nterminated", "\u201c"))
    assert wrong == bool(case.places)
