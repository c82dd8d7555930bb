"""Network interfaces and RDMA devices, without addresses."""

import fcntl
import os
import re
import socket
import struct

from codeblue_probe import files
from codeblue_probe.report import Report

NET = "/sys/class/net"
RDMA = "/sys/class/infiniband"
NODES = "/dev/infiniband"
PEERMEM = ("nvidia_peermem", "nv_peer_mem")

STANDARD = re.compile(
    r"(?:lo|(?:eth|ib|bond|team|docker|virbr|cni|podman|wlan|usb|ifb|dummy|tun|tap|rdma|hsn|efa)\d+"
    r"|(?:en|wl|ww|ib|sl)(?:o\d+|s\d+|b\d+|(?:P\d+)?p\d+s\d+)(?:f\d+)?(?:n[a-z]?\d+|np\d+)?(?:[dv]\d+)*"
    r"|flannel\.\d+|veth[0-9a-f]+|br-[0-9a-f]{12}|cali[0-9a-f]+|lxc[0-9a-f]+)(?:\.\d+)?$"
)
"""Names that the kernel, systemd or a container engine gives; others somebody chose, or hold an address."""

KINDS = {1: "ethernet", 32: "infiniband", 772: "loopback"}
"""ARPHRD numbers of linux/if_arp.h."""

GET_ADDRESS = 0x8915
"""SIOCGIFADDR."""

GLOBAL = ("00", "40")
"""Scopes of /proc/net/if_inet6 beyond the link: global and site."""


def read(context, sections):
    """Read the network section."""
    report = Report(NET + "/{key}")
    report.attempt("interfaces", _interfaces)
    report.attempt("rdma", _rdma, RDMA + "/{key}")
    report.attempt("rdma_nodes", lambda: files.names(NODES), NODES)
    report.attempt("peermem", _peermem, "/sys/module")
    return report


def _interfaces():
    names = [name for name in files.names(NET) if files.exists("%s/%s/operstate" % (NET, name))]
    rows, unknown, global_six = {}, 0, _six()
    for name in names:
        shown = name
        if not STANDARD.match(name):
            unknown += 1
            shown = "other-%d" % unknown
        rows[shown] = _interface(name, global_six)
    return rows


def _interface(name, global_six):
    base = "%s/%s/" % (NET, name)
    row = {
        "kind": KINDS.get(_number(base + "type"), "other"),
        "physical": files.exists(base + "device"),
        "state": _line(base + "operstate"),
        "speed": _speed(base + "speed"),
        "mtu": _number(base + "mtu"),
        "ipv4": _four(name),
    }
    if global_six is not None:
        row["ipv6"] = name in global_six
    return {key: value for key, value in row.items() if value is not None or key in ("state", "speed")}


def _four(name):
    """Return whether an interface has an IPv4 address; None if that could not be asked."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            fcntl.ioctl(asker.fileno(), GET_ADDRESS, struct.pack("256s", name[:15].encode("utf-8")))
    except OSError as error:
        return False if error.errno in (19, 99) else None  # ENODEV, EADDRNOTAVAIL
    return True


def _six():
    """Return the names with a global IPv6 address; None if that could not be read."""
    try:
        rows = [row.split() for row in files.text("/proc/net/if_inet6").splitlines()]
    except FileNotFoundError:  # a kernel without IPv6
        return set()
    except OSError:
        return None
    return {row[5] for row in rows if len(row) > 5 and row[3] in GLOBAL}


def _rdma():
    return {name: _device(name) for name in files.names(RDMA)}


def _device(name):
    base = "%s/%s/" % (RDMA, name)
    driver = files.target(base + "device/driver")
    ports = {port: _port(base + "ports/%s/" % port) for port in files.names(base + "ports")}
    node = _number(base + "device/numa_node")
    return {
        "driver": os.path.basename(driver) if driver else None,
        "firmware": _line(base + "fw_ver"),
        "numa": node if node is not None and node >= 0 else None,
        "ports": ports,
    }


def _port(base):
    row = {"link_layer": _line(base + "link_layer"), "rate": _line(base + "rate")}
    state = _line(base + "state")
    row["state"] = state.split(":")[-1].strip().lower() if state else None
    if row["link_layer"]:
        row["link_layer"] = row["link_layer"].lower()
    return {key: value for key, value in row.items() if value is not None}


def _peermem():
    return next((name for name in PEERMEM if files.exists("/sys/module/" + name)), None)


def _speed(path):
    number = _number(path)
    return number if number is not None and number > 0 else None


def _number(path):
    words = _line(path)
    return int(words) if words and re.match(r"-?\d+$", words) else None


def _line(path):
    try:
        return files.line(path)
    except OSError:  # the kernel refuses the speed of a link that is down
        return None
