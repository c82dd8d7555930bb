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
    report = Report("getuid, getgroups")
    report.put("uid", os.getuid())
    report.put("gid", os.getgid())
    report.attempt("groups", _groups, "getgroups")
    report.attempt("name", _name, "passwd")
    report.put("judged_as", "--as-user" if context.user else "self")
    return report


def _groups():
    return {_group(number): number for number in sorted(set(os.getgroups()) | {os.getgid()})}


def _group(number):
    try:
        name = grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
    if number < FIRST_PRIVATE or name in GPU_GROUPS or name in ("nogroup", "nobody"):
        return name
    return "group-%d" % number  # a team's or a person's name is nobody's business


def _name():
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return None
