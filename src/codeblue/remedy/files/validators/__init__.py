"""Who judges a changed file before it takes the place of the old one.

Where a program exists that reads the file it is asked, with what it is known to overlook checked besides.
What it said about the old file already is not the fault of the change.
"""

import os
import re
from collections.abc import Callable

from msgspec import Struct

from codeblue.model.plan import Refused
from codeblue.model.text import Message, Text, message
from codeblue.remedy.files.protocol import Validate
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.files.validators import docker, plain, programs, shell, systemd

Complaint = Callable[[str, str], str]
"""From the file to judge and the path that it is for, to what is wrong with it; empty if nothing."""

START_FILES = re.compile(r"\.(?:bash|zsh)\w*|\.profile|.*\.sh")


class Judge(Struct, frozen=True):
    """Who judges a file."""

    name: Message
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
        return Judge(named("sh"), shell.grub)
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
        return Judge(named("udevadm verify"), lambda file, _: plain.answered(file, "udevadm", "verify"))
    told = message("codeblue (this udevadm has no verify)", "codeblue（此 udevadm 不支持 verify）")
    return Judge(told, lambda file, _: plain.by_line(plain.UDEV, file))


def _by_name(path: str, folder: str, name: str) -> Judge:
    if folder.endswith(("/ld.so.conf.d", "/limits.d")) or name in ("ld.so.conf", "limits.conf"):
        pattern = plain.LIMITS if "limits" in folder + name else plain.LIBRARIES
        return Judge(named("codeblue"), lambda file, _: plain.by_line(pattern, file))
    if START_FILES.fullmatch(name):
        return Judge(named(f"{shell.interpreter(path)} -n"), shell.syntax)
    kinds = {".json": "json", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".ini": "ini"}
    kind = "ini" if name in ("pip.conf", ".condarc.ini") else kinds.get(os.path.splitext(name)[1])
    return _parsed(kind) if kind else Judge(message("no validator", "没有校验程序"))


def _missing(program: str) -> Judge:
    return Judge(
        message(
            "no validator ({program} is not installed)", "没有校验程序（未安装 {program}）", program=program
        )
    )


def _program(name: str, flags: tuple[str, ...], complaint: Complaint | None = None) -> Judge | None:
    if programs.found(name) is None:
        return None
    label = " ".join((name, *flags))
    return Judge(named(label), complaint or (lambda file, _: plain.answered(file, name, *flags)))


def _parsed(kind: str) -> Judge:
    return Judge(named(f"codeblue ({kind})"), lambda file, _: plain.parsed(kind, file))


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


def named(program: str) -> Message:
    """Return a name that is the same in every language."""
    return Message(Text(program, program))


def rejected(path: str, judge_name: Message, words: str) -> Refused:
    """Return the refusal of a result that its own program would not accept."""
    return refused(
        "{path}: {judge_en} would not accept the changed file ({words}); nothing was changed",
        "{path}：{judge_zh} 不接受修改后的文件（{words}）；未做任何改动",
        path=path,
        judge_en=judge_name.say("en"),
        judge_zh=judge_name.say("zh"),
        words=" ".join(words.split())[:300],
    )
