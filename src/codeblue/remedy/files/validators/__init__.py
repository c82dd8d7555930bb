"""Who judges a changed file before it takes the place of the old one.

Where a program exists that reads the file it is asked, with what it is known to overlook checked besides.
What it said about the old file already is not the fault of the change.
"""

import os
import re
from collections.abc import Callable

from msgspec import Struct

from codeblue.model.plan import Refused
from codeblue.remedy.files.protocol import Validate
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.files.validators import docker, plain, programs, shell, systemd

Complaint = Callable[[str, str], str]
"""From the file to judge and the path that it is for, to what is wrong with it; empty if nothing."""

START_FILES = re.compile(r"\.(?:bash|zsh)\w*|\.profile|.*\.sh")


class Judge(Struct, frozen=True):
    """Who judges a file."""

    name: str
    complaint: Complaint | None = None


def judge(path: str) -> Judge:
    """Return who judges the file at a resolved path."""
    folder, name = os.path.split(path)
    if name == "daemon.json":
        return Judge(docker.name(), docker.complaint)
    if systemd.unit_of(path):
        return _program("systemd-analyze", ("verify",), systemd.complaint) or _parsed("ini")
    if name == "sshd_config" or folder.endswith("/sshd_config.d"):
        return _program("sshd", ("-t", "-f")) or _missing("sshd")
    if name == "sudoers" or folder.endswith("/sudoers.d"):
        return _program("visudo", ("-c", "-f")) or _missing("visudo")
    if path == "/etc/default/grub" or folder.endswith("/default/grub.d"):
        return Judge("sh", shell.grub)
    if folder.endswith("/modprobe.d"):
        asked = _program("modprobe", ("--showconfig",), lambda file, _: plain.modprobe(file))
        return asked or _parsed("modprobe")
    if folder.endswith("/udev/rules.d"):
        return _udev()
    return _by_name(path, folder, name)


def _udev() -> Judge:
    """``udevadm verify`` exists since systemd 254."""
    program = programs.found("udevadm")
    if program and b"verify" in programs.asked([program, "--help"]).out:
        return Judge("udevadm verify", lambda file, _: plain.answered(file, "udevadm", "verify"))
    return Judge("codeblue (this udevadm has no verify)", lambda file, _: plain.by_line(plain.UDEV, file))


def _by_name(path: str, folder: str, name: str) -> Judge:
    if folder.endswith(("/ld.so.conf.d", "/limits.d")) or name in ("ld.so.conf", "limits.conf"):
        pattern = plain.LIMITS if "limits" in folder + name else plain.LIBRARIES
        return Judge("codeblue", lambda file, _: plain.by_line(pattern, file))
    if START_FILES.fullmatch(name):
        return Judge(f"{shell.interpreter(path)} -n", shell.syntax)
    kinds = {".json": "json", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".ini": "ini"}
    kind = "ini" if name in ("pip.conf", ".condarc.ini") else kinds.get(os.path.splitext(name)[1])
    return _parsed(kind) if kind else Judge("no validator")


def _missing(program: str) -> Judge:
    return Judge(f"no validator ({program} is not installed)")


def _program(name: str, flags: tuple[str, ...], complaint: Complaint | None = None) -> Judge | None:
    if programs.found(name) is None:
        return None
    label = " ".join((name, *flags))
    return Judge(label, complaint or (lambda file, _: plain.answered(file, name, *flags)))


def _parsed(kind: str) -> Judge:
    return Judge(f"codeblue ({kind})", lambda file, _: plain.parsed(kind, file))


def validating(path: str) -> Validate:
    """Return the function that judges what should take the place of ``path``. It raises Refused."""
    one = judge(path)

    def validate(temporary: str) -> None:
        words = one.complaint(temporary, path) if one.complaint else ""
        if words and not _said_before(one, path, words, temporary):
            raise rejected(path, one.name, words.replace(temporary, path))

    return validate


def _said_before(one: Judge, path: str, words: str, temporary: str) -> bool:
    if one.complaint is None or not os.path.isfile(path):
        return False
    return one.complaint(path, path).replace(path, "") == words.replace(temporary, "")


def rejected(path: str, judge_name: str, words: str) -> Refused:
    """Return the refusal of a result that its own program would not accept."""
    return refused(
        "{path}: {judge} would not accept the changed file ({words}); nothing was changed",
        "{path}：{judge} 不接受修改后的文件（{words}）；未做任何改动",
        path=path,
        judge=judge_name,
        words=" ".join(words.split())[:300],
    )
