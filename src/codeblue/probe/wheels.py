"""The shared libraries that a Python environment brings along, and who installed them."""

import re

from codeblue_probe import elf, files
from codeblue_probe.ldso import real_path

SONAMES = (
    "libcuda.so.1 libcuda.so libnvidia-ml.so.1 libcudart.so.11.0 libcudart.so.12 libcudart.so.13"
    " libcublas.so.11 libcublas.so.12 libcublas.so.13 libcublasLt.so.11 libcublasLt.so.12 libcublasLt.so.13"
    " libcudnn.so.8 libcudnn.so.9 libnccl.so.2 libnvJitLink.so.12 libnvJitLink.so.13"
    " libnvrtc.so.11.2 libnvrtc.so.12 libnvrtc.so.13 libcusparse.so.11 libcusparse.so.12"
    " libgomp.so.1 libstdc++.so.6"
).split()
"""The names that decide whether GPU work starts."""

MORE = re.compile(r"lib(cudnn_|cusolver|cufft|curand|nvshmem|cusparseLt|cufile)\w*\.so\.\d+$")
BUNDLED = re.compile(r"-[0-9a-f]{8}(?=[.-])")
"""The hash that wheel tools put into the name of a library that they bundle."""

RECORD_LIMIT = 8 << 20
IN_RECORD = re.compile(r"^(nvidia/[^,\n]*/lib/[^,/\n]*\.so[^,/\n]*),", re.M)


class Environment:
    """The library files in the folders of one ``sys.path``."""

    def __init__(self, python, cwd):
        self.python = python
        self.sites = _existing([cwd if entry == "." else entry for entry in python.get("path", [])])
        self.owners = {}
        self.files = [file for site in self.sites for file in self._wheel_files(site)]
        self.files += self._conda_files()

    def sonames(self):
        """Return soname -> path of the first copy that the environment has."""
        found = {}
        for path, name in self.files:
            if name in SONAMES or MORE.match(name):
                found.setdefault(name, path)
        return found

    def owner(self, path):
        """Return (distribution, version) of a file, with None for what is not known."""
        name = self.owners.get(path)
        if name is None and "/torch/lib/" in path:
            return "torch", None
        return name, self.python.get("distributions", {}).get(name, {}).get("version")

    def damaged(self):
        """Return path -> row of the files that cannot be loaded as they are."""
        rows = {}
        for path, _ in self.files:
            try:
                state, size = elf.check(path)
            except FileNotFoundError:
                state, size = "unreadable", 0  # a link that leads nowhere
            if state != "ok":
                rows[path] = {"elf": state, "size": size or 0, "owner": self.owner(path)[0]}
        return rows

    def lets_through(self, name, path):
        """True if LD_LIBRARY_PATH is searched before the wheel's own folder for this library.

        A library that asks for others with DT_RPATH, and no DT_RUNPATH, searches there first.
        """
        needed_by = [site + "/torch/lib/libtorch_cuda.so" for site in self.sites]
        if name.startswith("libcudnn_"):
            needed_by = [path.rsplit("/", 1)[0] + "/libcudnn.so." + name.rsplit(".", 1)[1]]
        for library in needed_by:
            if files.exists(library):
                tags = elf.tags(library)
                return elf.RPATH not in tags or elf.RUNPATH in tags
        return True

    def _wheel_files(self, site):
        names = set(_names(site))
        if "nvidia" in names:
            self._learn_owners(site, names)
            for package in _names(site + "/nvidia"):
                for pair in _libraries("%s/nvidia/%s/lib" % (site, package)):
                    yield pair
        if "torch" in names:
            for pair in _libraries(site + "/torch/lib"):
                yield pair
        for name in sorted(names):
            if name.endswith(".libs"):
                for pair in _libraries(site + "/" + name):
                    if pair[1] in SONAMES:
                        yield pair

    def _conda_files(self):
        if self.python.get("environment") != "conda":
            return []
        found = _libraries(self.python.get("prefix", "") + "/lib")
        return [pair for pair in found if pair[1] in SONAMES or MORE.match(pair[1])]

    def _learn_owners(self, site, names):
        for name in names:
            if name.startswith("nvidia") and name.endswith(".dist-info"):
                owner = re.sub("[-_.]+", "-", name.split("-")[0]).lower()
                try:
                    record = files.text("%s/%s/RECORD" % (site, name), RECORD_LIMIT)
                except OSError:
                    continue
                for path in IN_RECORD.findall(record):
                    self.owners[site + "/" + path] = owner


def _libraries(folder):
    """Return (path, soname) of the library files in a folder."""
    pairs = []
    for name in _names(folder):
        if ".so" in name and name.startswith("lib"):
            pairs.append((folder + "/" + name, BUNDLED.sub("", name)))
    return pairs


def _existing(folders):
    seen, kept = set(), []
    for folder in folders:
        real = real_path(folder)
        if real not in seen and files.exists(folder):
            seen.add(real)
            kept.append(folder)
    return kept


def _names(folder):
    try:
        return files.names(folder)
    except OSError:
        return []
