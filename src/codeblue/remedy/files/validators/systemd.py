"""Units and their drop-ins, as systemd would read them."""

import os
import re
import shutil
import tempfile
from pathlib import Path

from codeblue.remedy.files.validators import programs

UNIT = re.compile(r".+\.(?:service|socket|timer|mount|target|path|slice|scope|swap|automount)")
FOLDERS = (
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
)
SETTINGS = "[Service]\nExecStart=/bin/true\n"
"""Stands in for a unit whose file is not found."""


def unit_of(path: str) -> str | None:
    """Return the name of the unit that a path belongs to, None if it is none."""
    folder, last = os.path.split(path)
    above = os.path.basename(folder).removesuffix(".d")
    if last.endswith(".conf") and folder.endswith(".d") and UNIT.fullmatch(above):
        return above
    return last if UNIT.fullmatch(last) and "systemd" in folder else None


def complaint(temporary: str, path: str) -> str:
    """Return the lines that name the unit or its drop-in: systemd ignores mistakes and still exits with 0."""
    unit = unit_of(path)
    program = programs.found("systemd-analyze")
    if unit is None or program is None:
        return ""
    with tempfile.TemporaryDirectory(prefix="codeblue-unit") as folder:
        target = Path(folder) / unit
        if os.path.basename(path) == unit:
            shutil.copyfile(temporary, target)
        else:
            _base(unit, target)
            drop_in = Path(folder) / f"{unit}.d" / os.path.basename(path)
            drop_in.parent.mkdir()
            shutil.copyfile(temporary, drop_in)
        argv = [program, "verify", "--man=no", str(target)]
        said = programs.asked(argv, {"SYSTEMD_UNIT_PATH": f"{folder}:"})
        lines = [line.replace(folder, "") for line in said.words.splitlines()]
        return "; ".join(line for line in lines if unit in line or os.path.basename(path) in line)


def _base(unit: str, target: Path) -> None:
    known = next((Path(folder) / unit for folder in FOLDERS if os.path.isfile(f"{folder}/{unit}")), None)
    if known:
        shutil.copyfile(known, target)
    else:
        target.write_text(SETTINGS if unit.endswith(".service") else "", encoding="utf-8")
