"""Files that a shell reads."""

import os
import re
import shlex
from pathlib import Path

from codeblue.remedy.files.edits import env_text, grub_text
from codeblue.remedy.files.edits.shell_scan import assignments
from codeblue.remedy.files.validators import programs

LITERAL = re.compile(r"[^$`\\]*")


def interpreter(path: str) -> str:
    """Return the shell that reads a start file."""
    name = os.path.basename(path)
    wanted = "bash" if "bash" in name else "zsh" if name.startswith((".z", "z")) else "sh"
    return wanted if programs.found(wanted) else "sh"


def syntax(temporary: str, path: str) -> str:
    """Return what the shell says to the syntax, empty if nothing. Nothing is run."""
    said = programs.asked([interpreter(path), "-n", temporary])
    return said.words or f"exit {said.code}" if said.code else ""


def grub(temporary: str, path: str) -> str:
    """Return which variable GRUB would not get as written.

    A check of the syntax passes ``X=a b`` and ``X = a``, so the file is read as GRUB reads it: by a shell
    with an empty environment.
    """
    script = '. "$1"; set'
    said = programs.asked(["/usr/bin/env", "-i", "/bin/sh", "-c", script, "sh", temporary])
    if said.code or said.words.strip():
        return said.words.strip() or f"exit {said.code}"
    got = grub_text.sourced(said.out)
    text = Path(temporary).read_bytes().decode("utf-8", "surrogateescape")
    statements: dict[int, str] = {}
    for one in assignments(text):
        if first := statements.get(one.line):
            return f"{first} would lose {text[one.start : one.end]}, which is not inside its quotes"
        statements[one.line] = one.name
    for name, raw in env_text.parse(text).items():
        if LITERAL.fullmatch(raw) and got.get(name) != "".join(shlex.split(raw)):
            return f"{name} would be {got.get(name)!r}"
    return ""
