"""What the readers may know: the job's interpreter, directory, environment and user."""

import os
import pwd
import resource
import sys

from codeblue_probe.children import within
from codeblue_probe.ldso import Search
from codeblue_probe.process import LIMITS, Gone, Process


PATIENCE = 2.0
"""Seconds in which the process that is judged must be readable."""

WHY = {
    "no-program": "a zombie or a thread of the kernel has no environment",
    "denied": "only root may read the environment of this process",
    "timeout": "the process is stuck in the kernel, its environment does not come",
}


class Context:
    """Settings of one probe run, from the JSON that the sender puts in front of the program."""

    def __init__(self, config):
        self.python = config.get("python") or sys.executable
        self.cwd = config.get("cwd") or os.getcwd()
        self.budget = float(config.get("budget", 30))
        self.without_gpu = "without-gpu" in sys.argv[1:]
        """True if whoever started us asked for no GPU: that none can be used here says nothing."""
        self.until = "plain" if self.without_gpu else config.get("until", "frameworks")
        self.next_boot = bool(config.get("next_boot", False))
        self.trials = config.get("trials")
        """What is to be measured, and the program of the workers; None in an ordinary check."""
        self.salt = config.get("salt", "")
        self.root = config.get("root")
        self.copied = bool(config.get("copied"))
        """True if ``root`` is a copy of files of a container, as they lie there while it does not run."""
        self.incomplete = config.get("incomplete")
        """Why something is missing in the copy."""
        self.engine = (config.get("container") or {}).get("engine")
        self.user = config.get("as_user")
        self.container = config.get("container")
        # Below another root our own variables mean nothing.
        self.environment = dict(config.get("environment") or {}) if self.root else dict(os.environ)
        self.namespaces = config.get("namespaces") or []
        self.process = Process(config["pid"]) if config.get("pid") else None
        self.apart = None
        """Why nothing can be started as the process was: its name, and the words."""
        self.unread_environment = None
        if self.process:
            self._as_process(config)
        elif self.user:
            self._become_later(self.user)

    def _become_later(self, name):
        told = within(PATIENCE, lambda: _account(name))
        if told is None:
            raise KeyError(name)
        self.uid, self.gid, self.name, home, self.groups = told
        self.environment.update(HOME=home, USER=self.name, LOGNAME=self.name)

    def _as_process(self, config):
        self.uid, self.gid, self.groups = self.process.user()
        self.limits = self.process.limits()
        # In a child: a process that is stuck in the kernel may keep its memory locked.
        words, told = within(PATIENCE, self._told, ("timeout", None))
        if words == "gone":
            raise Gone(self.process.pid)
        if told is None:
            self._no_environment(words, WHY[words])
        else:
            self.cwd, self.environment, image = told
            # In another child: a folder on its PATH may lie on a file system that does not answer.
            find = lambda: self.process.python(self.environment, self.cwd)  # noqa: E731
            self.python = within(PATIENCE, find, image)
        if self.apart:
            return
        if config.get("apart"):
            self.apart = ("namespaces", "the process lives in namespaces that only root can enter")
        elif os.getuid() != 0 and not self._is_us():
            self.apart = ("user", "the process has another user or other groups; only root can take them")

    def _told(self):
        """Return why nothing could be read, and what was: folder, environment and program of the process."""
        try:
            return None, (self.process.link("cwd"), self.process.environment(), self.process.image())
        except Gone:
            return "gone", None
        except (FileNotFoundError, ProcessLookupError):
            return "no-program", None
        except PermissionError:
            return "denied", None

    def _is_us(self):
        ours, groups = (os.getuid(), os.getgid()), set(os.getgroups()) | {os.getgid()}
        return ours == (self.uid, self.gid) and groups == set(self.groups) | {self.gid}

    def _no_environment(self, name, words):
        self.apart = (name, words)
        self.unread_environment = words
        self.environment = {}

    def library(self, name):
        """Return what to load for a library's name.

        Our own process was started without the LD_LIBRARY_PATH of the process that is judged.
        """
        variable = self.environment.get("LD_LIBRARY_PATH") if self.process else None
        return (Search(variable, self.cwd).in_folders(name) if variable else None) or name

    def become(self):
        """Turn this (child) process into the judged user, within the limits of the judged process."""
        if not (self.user or self.process):
            return
        if self.process:
            _lower(self.limits)
        if self.process and self._is_us():
            pass  # root of a user namespace may not even set the groups that it has
        elif os.getuid() == 0:
            os.setgroups(self.groups)
            os.setgid(self.gid)
            os.setuid(self.uid)
        elif os.getuid() != self.uid:
            raise PermissionError(1, "only root can look as another user")
        if self.process:
            os.environ.clear()
        os.environ.update(self.environment)


def _account(name):
    try:
        entry = pwd.getpwuid(int(name)) if name.isdigit() else pwd.getpwnam(name)
    except KeyError:
        return None
    groups = os.getgrouplist(entry.pw_name, entry.pw_gid)
    return entry.pw_uid, entry.pw_gid, entry.pw_name, entry.pw_dir, groups


def _lower(limits):
    """Set the limits of the process, as far as this user may; a core file is never wanted."""
    for name, (soft, hard) in limits.items():
        number = LIMITS[name][1]
        soft, hard = (resource.RLIM_INFINITY if value is None else value for value in (soft, hard))
        if name == "core":
            continue
        try:
            resource.setrlimit(number, (soft, hard))
        except (ValueError, OSError):  # only root may raise the hard one
            highest = resource.getrlimit(number)[1]
            resource.setrlimit(number, (_smaller(soft, highest), highest))


def _smaller(soft, hard):
    infinite = resource.RLIM_INFINITY
    return soft if hard == infinite or (soft != infinite and soft < hard) else hard
