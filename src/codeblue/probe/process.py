"""A running process that is judged: what /proc says of it, or that it has gone meanwhile."""

import os
import re
import resource

from codeblue_probe import files
from codeblue_probe.report import Unread

PYTHON = re.compile(r"(?:python|pypy)[\d.]*$")
DELETED = " (deleted)"
STARTED = 19
"""Index of the start time in /proc/N/stat, counted from the state."""

LIMITS = {
    "address_space": ("Max address space", resource.RLIMIT_AS),
    "memlock": ("Max locked memory", resource.RLIMIT_MEMLOCK),
    "files": ("Max open files", resource.RLIMIT_NOFILE),
    "processes": ("Max processes", resource.RLIMIT_NPROC),
    "stack": ("Max stack size", resource.RLIMIT_STACK),
    "core": ("Max core file size", resource.RLIMIT_CORE),
    "cpu_seconds": ("Max cpu time", resource.RLIMIT_CPU),
    "file_size": ("Max file size", resource.RLIMIT_FSIZE),
}
"""Names of limits, in /proc/N/limits and for the kernel."""


class Gone(Unread):
    """The process has ended."""

    def __init__(self, pid):
        super().__init__("error", "process %d is gone" % pid)


class Process:
    """Reads below /proc/N. Every read that fails because the process has ended raises Gone."""

    def __init__(self, pid):
        self.pid = pid
        self.folder = "/proc/%d/" % pid
        self.started = None
        self.started = self.stat()[STARTED]

    def stat(self):
        """Return the words of /proc/N/stat from the state on."""
        try:
            words = files.text(self.folder + "stat").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            raise Gone(self.pid)
        if self.started not in (None, words[STARTED]):  # the number has gone to another process
            raise Gone(self.pid)
        return words

    def text(self, name):
        """Return a file's text. Raises Gone, FileNotFoundError, or another OSError."""
        return self._read(lambda path: files.text(path, 8 << 20), name)

    def names(self, name):
        """Return the names in a folder of the process."""
        return self._read(lambda path: sorted(os.listdir(files.ROOT + path)), name)

    def link(self, name):
        """Return where a link of the process points."""
        return self._read(lambda path: os.readlink(files.ROOT + path), name)

    def _read(self, function, name):
        try:
            found = function(self.folder + name)
        except (FileNotFoundError, ProcessLookupError):
            self.stat()
            raise
        self.stat()
        return found

    def status(self):
        """Return /proc/N/status as name -> text."""
        return files.pairs(self.text("status"), ":")

    def user(self):
        """Return uid, gid (the effective ones) and the supplementary groups."""
        status = self.status()
        groups = [int(number) for number in status.get("Groups", "").split()]
        return int(status["Uid"].split()[1]), int(status["Gid"].split()[1]), groups

    def environment(self):
        """Return the environment that the process was started with."""
        rows = [row.partition("=") for row in self._read(_bytes, "environ").split("\0")]
        return {name: value for name, sign, value in rows if name and sign}

    def limits(self):
        """Return name -> (soft, hard); None is unlimited."""
        rows = re.findall(r"^(Max [a-z ]*?[a-z])  +(\S+) +(\S+)", self.text("limits"), re.M)
        told = {words: (_limit(soft), _limit(hard)) for words, soft, hard in rows}
        return {name: told[words] for name, (words, _) in LIMITS.items() if words in told}

    def image(self):
        """Return the path of the program, though its file may have been replaced since."""
        path = self.link("exe")
        return path[: -len(DELETED)] if path.endswith(DELETED) else path

    def arguments(self):
        """Return the command line. It holds private data: only names from it may be told."""
        return self.text("cmdline").rstrip("\0").split("\0")

    def python(self, environment, cwd):
        """Return the interpreter of the process, by the name that gives it its virtual environment.

        A program that is no Python gets the one that its environment would start.
        """
        image = self.image()
        found = list(_named(self.arguments()[0], environment, cwd))
        if not PYTHON.match(os.path.basename(image)):
            return next((path for path in found[1:] if files.exists(path)), "python3")
        real = os.path.realpath(image)
        return next((path for path in found if os.path.realpath(path) == real), image)


def _named(name, environment, cwd):
    """Yield what may stand for the interpreter: the first argument, the active environment, PATH."""
    yield os.path.join(cwd, name) if "/" in name else _on_path(name, environment)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if environment.get(variable):
            yield environment[variable] + "/bin/python"
    for name in ("python3", "python"):
        yield _on_path(name, environment)


def _on_path(name, environment):
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    paths = [os.path.join(folder, name) for folder in folders if folder]
    return next((path for path in paths if os.access(path, os.X_OK)), name)


def _bytes(path):
    with open(files.ROOT + path, "rb") as stream:
        return os.fsdecode(stream.read(8 << 20))


def _limit(word):
    return int(word) if word.isdigit() else None
