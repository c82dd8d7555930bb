"""Packages of driver, CUDA and kernel: what is installed, and what changed lately."""

import gzip
import os
import re
import time

from codeblue_probe import files
from codeblue_probe.report import Absent, Report
from codeblue_probe.running import output

STATUS = "/var/lib/dpkg/status"
RPM = ("/var/lib/rpm", "/usr/lib/sysimage/rpm")
APT = "/etc/apt/apt.conf.d"

WANTED = re.compile(
    r"(?:lib)?(?:nvidia|nvlsm|cuda|cudnn|nccl|cublas|nvinfer)|xserver-xorg-video-nvidia|datacenter-gpu-manager|dkms$"
    r"|linux-(?:image|modules|headers|nvidia|generic)|kernel(?:-core|-modules|-devel|-headers|-default)?$"
    r"|kmod-nvidia|docker-ce$|docker\.io$|containerd|podman$|mlnx|doca-"
)
DAYS = 90
MOST = 200
LONGEST = 16 << 20
"""Bytes read of one log, unpacked."""

LOGS = ("/var/log/dpkg.log", "/var/log/dpkg.log.1") + tuple("/var/log/dpkg.log.%d.gz" % n for n in (2, 3, 4))
DPKG = re.compile(r"(\S+) (\S+) (install|upgrade|remove|purge) ([^\s:]+)\S* (\S+) (\S+)$")
DNF = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\S* \S+ (Installed|Install|Upgrade|Erase|Removed): (\S+)$")
DNF_ACTIONS = {"Upgrade": "upgrade", "Erase": "remove", "Removed": "remove"}

PERIODIC = re.compile(r'^\s*APT::Periodic::Unattended-Upgrade\s+"([^"]*)"\s*;', re.M)
EXCLUDED = re.compile(r"^\s*Unattended-Upgrade::Package-Blacklist\s*\{(.*?)\}", re.M | re.S)


def read(context, sections):
    """Read the packages section."""
    if files.exists(STATUS):
        report = Report(STATUS)
        report.put("manager", "dpkg")
        report.put("installed", _dpkg())
        report.attempt("changes", lambda: _changes(LOGS, _dpkg_change), "/var/log/dpkg.log")
        report.attempt("unattended", _unattended, APT)
        report.attempt("unattended_excluded", _excluded, APT)
        return report
    if any(files.exists(folder) for folder in RPM):
        report = Report("rpm -qa")
        report.put("manager", "rpm")
        report.put("installed", _rpm())
        logs = ("/var/log/dnf.rpm.log", "/var/log/dnf.rpm.log.1")
        report.attempt("changes", lambda: _changes(logs, _dnf_change), "/var/log/dnf.rpm.log")
        return report
    raise Absent("neither %s nor a database of RPM" % STATUS)


def _dpkg():
    found, name, state = {}, None, []
    with open(files.ROOT + STATUS, "rb") as stream:
        for row in stream:
            if row.startswith(b"Package: "):
                text = row[9:].decode("utf-8", "replace").strip()
                name, state = (text if WANTED.match(text) else None), []
            elif name and row.startswith(b"Status: "):
                state = row[8:].decode("utf-8", "replace").split()
            elif name and row.startswith(b"Version: "):
                if len(state) == 3 and state[2] not in ("not-installed", "config-files"):
                    found[name] = {
                        "version": row[9:].decode("utf-8", "replace").strip(),
                        "held": state[0] == "hold",
                        "whole": state[1:] == ["ok", "installed"],
                    }
                name = None
    return found


def _rpm():
    code, out, words = output(["rpm", "-qa", "--qf", "%{NAME}\\t%{VERSION}-%{RELEASE}\\n"], 8)
    if code != 0:
        raise OSError(words)
    rows = [row.split("\t") for row in out.splitlines()]
    return {row[0]: {"version": row[1]} for row in rows if len(row) == 2 and WANTED.match(row[0])}


def _changes(logs, parse):
    """Return the latest changes of the logs, the oldest first. Without any log there is no history."""
    first = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() - DAYS * 86400))
    found, seen = [], False
    for path in reversed(logs):
        try:
            found += [change for change in map(parse, _rows(path)) if change and change["time"] >= first]
            seen = True
        except FileNotFoundError:
            continue
    if not seen:
        raise FileNotFoundError(logs[0])
    return sorted(found, key=lambda change: change["time"])[-MOST:]


def _rows(path):
    packed = path.endswith(".gz")
    with (gzip.open if packed else open)(files.ROOT + path, "rb") as stream:
        size = 0 if packed else os.fstat(stream.fileno()).st_size
        if size > LONGEST:  # the newest changes stand at the end
            stream.seek(size - LONGEST)
            stream.readline()
        left = LONGEST
        for row in stream:
            left -= len(row)
            if left < 0:
                return
            yield row.decode("utf-8", "replace").rstrip("\n")


def _dpkg_change(row):
    match = DPKG.match(row)
    if not match or not WANTED.match(match.group(4)):
        return None
    day, hour, action, package, old, new = match.groups()
    return {
        "time": "%sT%s" % (day, hour),
        "action": "remove" if action == "purge" else action,
        "package": package,
        "old": None if old == "<none>" else old,
        "new": None if new == "<none>" else new,
    }


def _dnf_change(row):
    match = DNF.match(row)
    parts = match.group(3).rsplit("-", 2) if match else []
    if len(parts) != 3 or not WANTED.match(parts[0]):
        return None
    action = DNF_ACTIONS.get(match.group(2), "install")
    version = "-".join(parts[1:]).rpartition(".")[0]
    old, new = (version, None) if action == "remove" else (None, version)
    return {"time": match.group(1), "action": action, "package": parts[0], "old": old, "new": new}


def _apt():
    """Return the texts of APT's configuration without comments, in the order in which they count."""
    names = [name for name in files.names(APT) if re.match(r"[\w.-]+$", name) and _counts(name)]
    texts = [files.text("%s/%s" % (APT, name), 1 << 16) for name in names]
    return [re.sub(r"^\s*(?://|#).*$|\s//.*$", "", text, flags=re.M) for text in texts]


def _counts(name):
    return "." not in name or name.endswith(".conf")


def _unattended():
    values = [value for text in _apt() for value in PERIODIC.findall(text)]
    return bool(values) and values[-1] not in ("0", "")


def _excluded():
    lists = [block for text in _apt() for block in EXCLUDED.findall(text)]
    return [word for block in lists for word in re.findall(r'"([^"]+)"', block)]
