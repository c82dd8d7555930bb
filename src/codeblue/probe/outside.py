"""What can be told of a container or a folder in which nothing can be run: from its files alone."""

import os

from codeblue_probe import files
from codeblue_probe.children import within
from codeblue_probe.docker_socket import endpoint
from codeblue_probe.readers import host
from codeblue_probe.report import Unread

STATIC = ("host", "driver_files", "nodes", "loader")
"""Sections that the files below another root tell."""

MACHINE = ("modules", "pci", "driver")
"""Sections that are told by /proc and /sys, which a running container has mounted."""

PATIENCE = 1.0
"""Seconds in which the files below the other root must answer."""

OUTSIDE = {"state": "unsupported", "reason": "seen from outside"}
COPIED = {"state": "unsupported", "reason": "only some files of the container were looked at"}
HANDED_IN = ("libcuda.so.1", "libnvidia-ml.so.1")
"""Libraries that the runtime puts in when it starts the container."""


def below_root(context):
    """Return the sections to be read below the other root."""
    told = ("environment",) if context.engine else ()
    if context.copied:
        return told + ("driver_files", "loader")
    if context.next_boot and not context.engine:
        told += ("next_boot",)
    return told + STATIC + (MACHINE if _mounted() else ())


def of_machine(context):
    """Return the sections to be read from the machine itself: its kernel is the one of its containers."""
    told = ("process",) if context.process else ()
    return told + (("host",) + MACHINE if context.copied and not _elsewhere(context) else ())


def complete(context, sections, names):
    """Finish the sections; ``names`` are all that there are."""
    for name in names:
        sections.setdefault(name, dict(COPIED if context.copied else OUTSIDE))
    if context.engine:
        engine = {"state": "read", "engine": context.engine, "source": "the target"}
        sections["container"] = dict(engine, unread={"injected": "unsupported"})
        if not context.process:
            sections["environment"]["source"] = "%s inspect" % context.engine
    _host(context, sections["host"])
    if context.copied:
        _as_it_will_start(context, sections)


def _mounted():
    try:
        return within(PATIENCE, lambda: files.exists("/proc/version"))
    except Unread:
        return False


def _elsewhere(context):
    return context.engine == "docker" and endpoint(dict(os.environ)).remote


def _host(context, section):
    if section["state"] != "read":
        return
    # The C library that answered is the one of our own interpreter.
    section.pop("glibc", None)
    section["unread"] = dict(section.get("unread", {}), glibc="unsupported")
    if context.copied:
        for field in ("distribution", "distribution_version"):
            section.pop(field, None)
        try:
            section.update(host.distribution())
        except OSError:
            section["unread"].update(distribution="unsupported", distribution_version="unsupported")


def _as_it_will_start(context, sections):
    """Take away what says nothing about a container that runs, where the runtime hands in the driver.

    It leaves empty files where it had mounted the driver's libraries.
    """
    if context.incomplete:
        for name in ("driver_files", "loader"):
            sections[name] = {"state": "timeout", "reason": "copied in part only: " + context.incomplete}
        return
    found = sections["driver_files"]
    if found["state"] == "read" and "libraries" in found:
        found["libraries"] = {path: row for path, row in found["libraries"].items() if row["size"]}
    loader = sections["loader"]
    if loader["state"] == "read":
        rows = loader.get("libraries", {})
        for name in HANDED_IN:
            if rows.get(name, {}).get("via") != "LD_LIBRARY_PATH":
                rows.pop(name, None)
        for field in ("libcuda_copies", "nvidia_ml_copies"):
            loader[field] = [path for path in loader.get(field, []) if _filled(path)]
        loader.pop("preload_missing", None)
        loader["unread"] = dict(loader.get("unread", {}), preload_missing="unsupported")


def _filled(path):
    try:
        return os.path.getsize(files.place(path)) > 0
    except OSError:
        return False
