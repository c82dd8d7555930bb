"""The way of a PCI function to the processor: ports above it, errors on the way, who may redirect packets."""

import re
import struct

from codeblue_probe import files
from codeblue_probe.report import Unread, state_of

FOLDER = "/sys/bus/pci/devices"
ADDRESS = re.compile(r"[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]$")
AER = ("correctable", "nonfatal", "fatal")
EXTENDED, ACS = 0x100, 0x000D
"""Where extended capabilities begin, and the number of Access Control Services."""

ACS_FLAGS = ("source-validation", "translation-blocking", "request-redirect", "completion-redirect")
SHOWN = 64
"""Bytes of the configuration that others than root are shown."""

MOST = 48
"""Extended capabilities that are followed before the chain is taken for broken."""


def upstream(address):
    """Return the addresses of the ports above a function, the nearest first."""
    link = files.target("%s/%s" % (FOLDER, address))
    parts = [part.lower() for part in (link or "").split("/") if ADDRESS.match(part)]
    return parts[-2::-1]


def errors(address):
    """Return the counters of Advanced Error Reporting that are not zero: ``fatal DLP``. None without it."""
    found, seen = {}, False
    for kind in AER:
        try:
            rows = files.text("%s/%s/aer_dev_%s" % (FOLDER, address, kind), 4096).splitlines()
        except OSError:  # the function, the kernel or the firmware does not count
            continue
        seen = True
        for row in rows:
            name, _, count = row.rpartition(" ")
            if count.isdigit() and int(count) and not name.startswith("TOTAL_"):
                found["%s %s" % (kind, name)] = int(count)
    return found if seen else None


def iommu(address):
    """Return how the IOMMU treats a function: ``identity``, ``DMA``, ``DMA-FQ`` …; None without one."""
    group = "%s/%s/iommu_group" % (FOLDER, address)
    if not files.exists(group):
        return None
    return files.line(group + "/type")


def access_control(address):
    """Return the switches of ACS that are on; None if the port has none. Raises OSError, Unread."""
    with open("%s%s/%s/config" % (files.ROOT, FOLDER, address), "rb") as stream:
        space = stream.read(4096)
    if len(space) <= SHOWN:
        raise Unread("denied", "only root may read the extended configuration of " + address)
    place = EXTENDED
    for _ in range(MOST):
        if place + 8 > len(space):
            break
        head = struct.unpack_from("<I", space, place)[0]
        if head & 0xFFFF == ACS:
            control = struct.unpack_from("<H", space, place + 6)[0]
            return [name for bit, name in enumerate(ACS_FLAGS) if control >> bit & 1]
        place = head >> 20
        if place < EXTENDED:
            break
    return None


def port(address):
    """Return the row of one port; what could not be read is left out."""
    row = {"errors": errors(address)}
    try:
        row["access_control"] = access_control(address)
    except (OSError, Unread) as error:
        row["unread"] = {"access_control": state_of(error)}
    return row
