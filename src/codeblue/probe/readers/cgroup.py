"""The control group of the process: limits on memory and processes, and device rules."""

from codeblue_probe import files
from codeblue_probe.report import Absent, Report, Unread

BASE = "/sys/fs/cgroup"
UNLIMITED = 1 << 60
"""cgroup v1 writes "no limit" as the largest number of pages."""


def read(context, sections):
    """Read the cgroup section."""
    if files.exists(BASE + "/cgroup.controllers"):
        return _second(_own(context).get("", "/"))
    mounts = _controllers()
    if not mounts:
        raise Absent("no control groups are mounted")
    return _first(_own(context), mounts)


def _own(context):
    """Return controller -> path of the group of the judged process; cgroup v2 has the empty name."""
    found = {}
    process = context.process
    rows = process.text("cgroup") if process else files.text("/proc/self/cgroup")
    for row in rows.splitlines():
        parts = row.split(":", 2)
        if len(parts) == 3:
            for name in parts[1].split(","):
                found[name] = parts[2]
    return found


def _controllers():
    """Return controller -> mount point of cgroup v1."""
    found = {}
    for row in files.rows("/proc/self/mounts"):
        parts = row.split()
        if len(parts) > 3 and parts[2] == "cgroup":
            for option in parts[3].split(","):
                found[option] = parts[1]
    return {name: found[name] for name in ("memory", "pids", "devices") if name in found}


def _second(path):
    report = Report(BASE)
    report.put("version", 2)
    _memory(report, _groups(BASE, path), "memory.max", "memory.current", "memory.events")
    report.attempt("pids_max", lambda: _smallest(_groups(BASE, path), "pids.max")[0])
    report.unread["device_rules"] = "unsupported"
    return report


def _first(own, mounts):
    report = Report(BASE)
    report.put("version", 1)
    if "memory" in mounts:
        groups = _groups(mounts["memory"], own.get("memory", "/"))
        _memory(report, groups, "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.oom_control")
    else:
        report.unread.update(memory_max="unsupported", memory_current="unsupported", oom_kills="unsupported")
    _controlled(report, "pids_max", own, mounts, "pids", lambda groups: _smallest(groups, "pids.max")[0])
    _controlled(report, "device_rules", own, mounts, "devices", lambda groups: _rules(groups[0]))
    return report


def _controlled(report, field, own, mounts, controller, function):
    if controller in mounts:
        groups = _groups(mounts[controller], own.get(controller, "/"))
        report.attempt(field, lambda: function(groups), groups[0])
    else:
        report.unread[field] = "unsupported"


def _groups(base, path):
    """Return the folders of the own group and of those above it, the own one first."""
    path = path.rstrip("/")
    if "/.." in path or not files.exists(base + path):
        path = ""  # in a container the mount is the own group, whatever the path says
    folders = []
    while path:
        folders.append(base + path)
        path = path.rpartition("/")[0]
    return folders + [base]


def _memory(report, groups, limit, usage, events):
    # A limit above counts as well; then usage and kills are those of the group that has it.
    holder = [groups[0]]

    def smallest():
        value, holder[0] = _smallest(groups, limit)
        return value

    report.attempt("memory_max", smallest)
    used, killed = "%s/%s" % (holder[0], usage), "%s/%s" % (holder[0], events)
    report.sources["memory_max"] = "%s/%s" % (holder[0], limit)
    report.attempt("memory_current", lambda: int(files.line(used)), used)
    report.attempt("oom_kills", lambda: _kills(killed), killed)


def _smallest(groups, name):
    """Return the smallest limit (None: unlimited) and the group that has it."""
    best, holder = None, groups[0]
    for group in groups:
        try:
            value = files.line("%s/%s" % (group, name))
        except FileNotFoundError:  # the root group, or a group without this controller
            continue
        if value.isdigit() and int(value) < UNLIMITED and (best is None or int(value) < best):
            best, holder = int(value), group
    return best, holder


def _kills(path):
    rows = dict(row.split() for row in files.text(path).splitlines() if len(row.split()) == 2)
    return int(rows["oom_kill"]) if "oom_kill" in rows else None


def _rules(group):
    try:
        return files.text(group + "/devices.list").splitlines()[:100]
    except FileNotFoundError:
        raise Unread("unsupported", "no devices.list")
