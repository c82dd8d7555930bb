"""What the readers may know: the job's interpreter, directory, environment and user."""

import os
import pwd
import sys


class Context:
    """Settings of one probe run, from the JSON that the sender puts in front of the program."""

    def __init__(self, config):
        self.python = config.get("python") or sys.executable
        self.cwd = config.get("cwd") or os.getcwd()
        self.budget = float(config.get("budget", 30))
        self.until = config.get("until", "frameworks")
        self.next_boot = bool(config.get("next_boot", False))
        self.salt = config.get("salt", "")
        self.root = config.get("root")
        self.engine = (config.get("container") or {}).get("engine")
        self.user = config.get("as_user")
        self.environment = dict(os.environ)
        if self.user:
            self._become_later(self.user)

    def _become_later(self, name):
        entry = pwd.getpwuid(int(name)) if name.isdigit() else pwd.getpwnam(name)
        self.uid, self.gid, self.name = entry.pw_uid, entry.pw_gid, entry.pw_name
        self.groups = os.getgrouplist(entry.pw_name, entry.pw_gid)
        self.environment.update(HOME=entry.pw_dir, USER=entry.pw_name, LOGNAME=entry.pw_name)

    def become(self):
        """Turn this (child) process into the judged user."""
        if not self.user:
            return
        if os.getuid() == 0:
            os.setgroups(self.groups)
            os.setgid(self.gid)
            os.setuid(self.uid)
        elif os.getuid() != self.uid:
            raise PermissionError(1, "only root can look as another user")
        os.environ.update(self.environment)
