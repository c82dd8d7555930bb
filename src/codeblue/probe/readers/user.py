"""The user for whom access is judged. Runs as that user."""

import grp
import os
import pwd

from codeblue_probe.report import Report

GPU_GROUPS = ("video", "render", "docker", "podman", "vglusers", "nvidia", "rdma", "slurm")
"""Names that decide about access to GPUs, whatever their number."""

FIRST_PRIVATE = 1000
"""Lowest number of the groups that people, not distributions, create."""


def read(context, sections):
    """Read the user section."""
    if context.process:
        report = Report("%sstatus" % context.process.folder)
        uid, gid, groups = context.process.user()
    else:
        report = Report("getuid, getgroups")
        uid, gid, groups = os.getuid(), os.getgid(), os.getgroups()
    report.put("uid", uid)
    report.put("gid", gid)
    members = sorted(set(groups) | {gid})
    report.attempt("groups", lambda: {_group(number): number for number in members}, report.source)
    report.attempt("name", lambda: _name(uid), "passwd")
    report.put("judged_as", "pid" if context.process else "--as-user" if context.user else "self")
    return report


def _group(number):
    try:
        name = grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
    if number < FIRST_PRIVATE or name in GPU_GROUPS or name in ("nogroup", "nobody"):
        return name
    return "group-%d" % number  # a team's or a person's name is nobody's business


def _name(uid):
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return None
