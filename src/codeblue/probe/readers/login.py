"""The files that sshd judges before it takes a key of the user. Runs as the judged user."""

import os
import pwd
import stat

from codeblue_probe import files
from codeblue_probe.report import Absent, Report

KEYS = "~/.ssh/authorized_keys"
JUDGED = ("~", "~/.ssh", KEYS)


def read(context, sections):
    """Read the login section."""
    home = _home(os.getuid())
    found = {name: os.stat(files.place(home + name[1:])) for name in JUDGED}
    if not found[KEYS].st_size:
        raise Absent("%s is empty" % KEYS)
    report = Report("stat {key}")
    report.put("files", {name: _row(told) for name, told in found.items()})
    return report


def _home(uid):
    try:
        return pwd.getpwuid(uid).pw_dir
    except KeyError:
        raise Absent("user %d has no entry in passwd, and so no home" % uid)


def _row(told):
    return {
        "mode": "%04o" % stat.S_IMODE(told.st_mode),
        "uid": told.st_uid,
        "private_group": _private(told.st_uid, told.st_gid),
    }


def _private(uid, gid):
    """True if the local tables give the group to nobody but the user."""
    people = _table("/etc/passwd", 6)
    mine = [fields[0] for fields in people if fields[2] == str(uid)]
    primary = [fields[0] for fields in people if fields[3] == str(gid)]
    groups = [fields for fields in _table("/etc/group", 3) if fields[2] == str(gid)]
    listed = [name for fields in groups for name in fields[3].split(",") if name]
    members = primary + listed
    return bool(members) and all(name in mine for name in members)


def _table(path, colons):
    try:
        return [row.split(":") for row in files.rows(path) if row.count(":") >= colons]
    except OSError:  # an image without tables: then no group is known to be private
        return []
