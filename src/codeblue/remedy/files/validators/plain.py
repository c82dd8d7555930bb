"""Files that no program judges, or one that is asked in one line."""

import os
import re
import shutil
import tempfile
from pathlib import Path

from codeblue.model.plan import Refused
from codeblue.remedy.files.edits import FORMATS
from codeblue.remedy.files.validators import programs

UDEV = re.compile(r'\s*(?:[A-Z_]+(?:\{[^}"]*\})?\s*(?:==|!=|=|\+=|-=|:=)\s*[ei]?"(?:[^"\\]|\\.)*"\s*,?\s*)+')
LIMITS = re.compile(r"\S+\s+(?:soft|hard|-)\s+[a-z]+\s+(?:-?\d+|unlimited|infinity)")
LIBRARIES = re.compile(r"(?:/\S*|include\s+\S.*|hwcap\s.*)")


def parsed(kind: str, temporary: str) -> str:
    """Return what is wrong with a file of a known format, empty if nothing."""
    try:
        FORMATS[kind].parse(Path(temporary).read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        return str(error)
    except Refused as refusal:
        return refusal.line.say("en")
    return ""


def by_line(pattern: "re.Pattern[str]", temporary: str) -> str:
    """Return the first line that does not fit, empty if all do. Comments and empty lines fit."""
    text = Path(temporary).read_bytes().decode("utf-8", "surrogateescape").replace("\\\n", " ")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip() if '"' not in line else line.strip()
        if words and not words.startswith("#") and not pattern.fullmatch(words):
            return f"line {number}: {words.encode('utf-8', 'replace').decode()[:80]}"
    return ""


def modprobe(temporary: str) -> str:
    """Return which lines modprobe would ignore. It reads only files whose names end with ``.conf``."""
    with tempfile.TemporaryDirectory(prefix="codeblue-modprobe") as folder:
        copy = os.path.join(folder, "x.conf")
        shutil.copyfile(temporary, copy)
        return answered(copy, "modprobe", "--showconfig", "-C").replace(copy, temporary)


def answered(temporary: str, *argv: str) -> str:
    """Return what a program says to a file; one that ends well but prints an error does not accept it."""
    program = programs.found(argv[0])
    if program is None:
        return ""
    said = programs.asked([program, *argv[1:], temporary])
    return said.words.strip() or f"exit {said.code}" if said.code or "error" in said.words.lower() else ""
