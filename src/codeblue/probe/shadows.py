"""Local files and folders that are imported in place of the module that was meant."""

import os

from codeblue_probe import files
from codeblue_probe.ldso import real_path

PACKAGES = ("torch", "torchvision", "torchaudio", "numpy", "triton", "transformers")
STANDARD = (
    "select random types logging queue socket copy json io code token string re math time signal profile"
    " statistics inspect enum typing email http secrets tempfile operator collections multiprocessing"
    " ctypes platform ssl abc ast dis numbers site calendar datetime"
).split()
NAMES = list(PACKAGES) + STANDARD


class Shadows:
    """Looks along one path as the importer does.

    ``local`` are the real paths of the working directory and of PYTHONPATH's folders. ``builtin``
    names need no file; for ``loaded`` ones (name -> file) the start of the interpreter has decided.
    """

    def __init__(self, folders, local, cwd, builtin, loaded):
        self.folders = folders
        self.local = local
        self.cwd = cwd
        self.builtin = builtin
        self.loaded = loaded
        self.listed = {}

    def table(self):
        """Return import name -> the local file or folder that is found first."""
        found = {}
        for name in NAMES:
            path = self._loaded(name) if name in self.loaded else self._searched(name)
            if path:
                found[name] = path
        return found

    def _loaded(self, name):
        path = self.loaded[name] or ""
        folder = os.path.dirname(path)
        package = os.path.basename(path).startswith("__init__.")
        folder = os.path.dirname(folder) if package else folder
        if not path or real_path(folder) not in self.local:
            return None
        if self._is_install(name, folder) or self._is_library(folder):
            return None
        return self._written(folder, folder + "/" + name if package else path)

    def _searched(self, name):
        if name in self.builtin:
            return None  # found before any folder is looked at
        hits = self._hits(name)
        regular = [hit for hit in hits if hit[2]]
        if regular:
            folder, path = regular[0][:2]
        elif hits and name in PACKAGES:
            folder, path = hits[0][:2]  # folders without __init__.py win only where nothing else is
        else:
            return None
        if real_path(folder) not in self.local or self._is_install(name, folder):
            return None
        others = [hit for hit in regular if real_path(hit[0]) != real_path(folder)]
        if not others and (real_path(folder) != real_path(self.cwd) or self._is_library(folder)):
            return None  # the only one there is: nothing is hidden
        return self._written(folder, path)

    def _hits(self, name):
        """Return (folder, path, is regular) for each folder of the path that has the name."""
        hits = []
        for folder in self.folders:
            base = folder + "/" + name
            names = self._names(folder)
            if name in names and files.exists(base + "/__init__.py"):
                hits.append((folder, base, True))
            elif name + ".py" in names:
                hits.append((folder, base + ".py", True))
            elif name in names and os.path.isdir(files.place(base)):
                hits.append((folder, base, False))
        return hits

    def _names(self, folder):
        if folder not in self.listed:
            try:
                self.listed[folder] = set(files.names(folder))
            except OSError:
                self.listed[folder] = set()
        return self.listed[folder]

    def _is_install(self, name, folder):
        """True if the folder is one that packages are installed into, not a place of local files."""
        if os.path.basename(folder) in ("site-packages", "dist-packages"):
            return True
        start = name + "-"
        return any(n.startswith(start) and n.endswith(".dist-info") for n in self._names(folder))

    def _is_library(self, folder):
        """True if the folder is the standard library itself (the job runs inside it)."""
        return "os.py" in self._names(folder)

    def _written(self, folder, path):
        return "." + path[len(folder) :] if folder == self.cwd else path
