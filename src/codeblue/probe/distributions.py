"""Installed distributions, from the names of the folders that describe them."""

import os
import re

from codeblue_probe import files
from codeblue_probe.ldso import real_path

WANTED = re.compile(
    r"(torch.*|nvidia-.*|triton|numpy|jax.*|tensorflow.*|tensorrt.*|onnxruntime.*|cupy.*|vllm|flash-attn"
    r"|xformers|bitsandbytes|deepspeed|apex|transformers|accelerate|mkl.*|intel-openmp|cuda-.*|ray"
    r"|pytorch-lightning|lightning|transformer-engine|flashinfer.*|sglang|safetensors|peft)$"
)
"""Names that are collected, normalised; no other is reported."""

RECORD_LIMIT = 8 << 20
MOST_MISSING = 10
CHECKED = re.compile(r'"?([^,"]+(?:\.so(?:\.[^,"/]*)?|/version\.py))"?,[^,]*,(\d*)$')
"""Rows of a RECORD that are compared with the disk: libraries and version files."""


class Copy:
    """One copy of a distribution, described by one ``dist-info`` or ``egg-info``."""

    def __init__(self, name, version, folder, described_by):
        self.name = name
        self.version = version
        self.folder = folder
        self.described_by = described_by


class Distributions:
    """The copies on one path, in the order of the path."""

    def __init__(self, folders, cwd):
        self.cwd = cwd
        self.copies = {}
        seen = set()
        for folder in folders:
            real = real_path(folder)
            if real not in seen:
                seen.add(real)
                self._scan(folder)

    def table(self):
        """Return normalised name -> row of the copy that is found first."""
        return {name: self._row(copies[0]) for name, copies in self.copies.items()}

    def duplicates(self):
        """Return name -> ``version at location`` of every copy, where there is more than one."""
        found = {}
        for name, copies in self.copies.items():
            if len(copies) > 1:
                found[name] = ["%s at %s" % (copy.version, self._location(copy)) for copy in copies]
        return found

    def _scan(self, folder):
        try:
            names = files.names(folder)
        except OSError:  # an archive, a file, or a folder of another user: nothing of it is imported
            return
        here = {}
        for entry in names:
            stem, kind = os.path.splitext(entry)
            if kind not in (".dist-info", ".egg-info"):
                continue
            name = re.sub("[-_.]+", "-", stem.split("-")[0]).lower()
            if WANTED.match(name):
                version = _version(folder, entry, stem)
                here.setdefault(name, []).append(Copy(name, version, folder, folder + "/" + entry))
        for name, copies in here.items():
            # Two in one folder are the rest of a failed upgrade: the newer one describes the files.
            copies.sort(key=_age, reverse=True)
            self.copies.setdefault(name, []).extend(copies)

    def _location(self, copy):
        return "." if copy.folder == self.cwd else copy.folder

    def _row(self, copy):
        row = {"version": copy.version, "location": self._location(copy), "installer": None}
        try:
            row["installer"] = files.line(copy.described_by + "/INSTALLER") or None
        except OSError:
            pass
        try:
            record = files.text(copy.described_by + "/RECORD", RECORD_LIMIT)
        except OSError:  # without a RECORD nobody knows which files should be there
            return row
        row["missing_files"] = _missing(copy.folder, record)
        return row


def _missing(folder, record):
    missing = []
    for row in record.splitlines():
        match = CHECKED.match(row) if ".so" in row or "version.py" in row else None
        if not match:
            continue
        path, size = match.groups()
        try:
            actual = os.stat(files.place("%s/%s" % (folder, path))).st_size
        except OSError:
            missing.append(path)
            continue
        if size and int(size) != actual:
            missing.append(path)
    return missing[:MOST_MISSING]


def _age(copy):
    try:
        return os.stat(files.place(copy.described_by)).st_mtime
    except OSError:
        return 0


def _version(folder, entry, stem):
    """Return the version from the name, or from the metadata where the name has none."""
    parts = stem.split("-")
    if len(parts) > 1:
        return parts[1]
    for name in ("/PKG-INFO", "/METADATA", ""):
        try:
            content = files.text("%s/%s%s" % (folder, entry, name), 4096)
        except OSError:
            continue
        match = re.search(r"^Version:\s*(\S+)", content, re.M)
        if match:
            return match.group(1)
    return "unknown"
