"""NVML's functions about what joins GPUs: NVLinks, peers, the fabric, licences of virtual GPUs (nvml.h)."""

import ctypes
from ctypes import byref, c_char, c_int, c_ubyte, c_uint, c_ulonglong, c_ushort

from codeblue_probe.nvml_calls import NOT_FOUND, PciInfo, address

NOT_SUPPORTED, NO_PERMISSION = 3, 4
MOST_LINKS = 36
"""NVML_NVLINK_MAX_LINKS of the newest header; a number that a GPU does not have is an error."""

GSP_SIZE = 64
"""NVML_GSP_FIRMWARE_VERSION_BUF_SIZE: that call is not told the size of its buffer."""

COUNTERS = ("replay", "recovery", "crc_flit", "crc_data", "ecc_data")
"""nvmlNvLinkErrorCounter_t."""

REMOTE = ("gpu", "ibmnpu", "switch")
"""nvmlIntNvLinkDeviceType_t."""

LEVELS = {0: "internal", 10: "single", 20: "multiple", 30: "hostbridge", 40: "node", 50: "system"}
PEER_STATES = (
    "ok",
    "chipset-not-supported",
    "gpu-not-supported",
    "topology-not-supported",
    "disabled-by-regkey",
    "not-supported",
    "unknown",
)
PEER_WAYS = ("read", "write", "nvlink", "atomics")
FABRIC_STATES = ("not-supported", "not-started", "in-progress", "completed")
HEALTH = {1: "healthy", 2: "unhealthy"}
VIRTUALISATION = ("none", "pass-through", "vgpu", "host-vgpu", "host-vsga")
LICENCES = (
    "unknown",
    "uninitialised",
    "unlicensed-unrestricted",
    "unlicensed-restricted",
    "unlicensed",
    "licensed",
)


class FabricInfo(ctypes.Structure):
    """nvmlGpuFabricInfo_t."""

    _fields_ = [("cluster", c_ubyte * 16), ("status", c_uint), ("clique", c_uint), ("state", c_uint)]


class FabricInfo2(ctypes.Structure):
    """nvmlGpuFabricInfo_v2_t."""

    _fields_ = [("version", c_uint)] + FabricInfo._fields_ + [("health_mask", c_uint)]


class FabricInfo3(ctypes.Structure):
    """nvmlGpuFabricInfo_v3_t."""

    _fields_ = FabricInfo2._fields_ + [("health", c_ubyte)]


class Licence(ctypes.Structure):
    """nvmlGridLicensableFeature_t of version 4."""

    _fields_ = [
        ("code", c_uint),
        ("state", c_uint),
        ("info", c_char * 128),
        ("product", c_char * 128),
        ("enabled", c_uint),
        ("year", c_uint),
        ("rest", c_ushort * 5),
        ("expiry", c_ubyte),
    ]


class Licences(ctypes.Structure):
    """nvmlGridLicensableFeatures_t of version 4."""

    _fields_ = [("supported", c_int), ("count", c_uint), ("features", Licence * 3)]


class Refused(Exception):
    """A call gave no answer; ``state`` says why."""

    def __init__(self, code):
        super().__init__("NVML error %d" % code)
        self.state = state_of(code)


def state_of(code):
    """Return the fact state that a return code of NVML stands for."""
    if code in (NOT_FOUND, NOT_SUPPORTED):
        return "unsupported"
    return "denied" if code == NO_PERMISSION else "error"


class Row:
    """The facts of one GPU, and why others are missing."""

    def __init__(self):
        self.facts, self.unread = {}, {}

    def attempt(self, field, function):
        """Record what the function returns, or the state of its refusal."""
        try:
            self.facts[field] = function()
        except Refused as refusal:
            self.unread[field] = refusal.state

    def document(self):
        """Return it as plain data."""
        return dict(self.facts, unread=self.unread) if self.unread else self.facts


def asked(library, name, *arguments):
    """Make one call. Raises Refused."""
    code = library.call(name, *arguments)
    if code != 0:
        raise Refused(code)


def number(library, name, *before, **options):
    """Return the number that a call writes to its last argument. Raises Refused."""
    value = options.get("kind", c_uint)()
    asked(library, name, *(before + (byref(value),)))
    return value.value


def vbios(library, handle):
    """Return the version of the GPU's BIOS. Raises Refused."""
    buffer = ctypes.create_string_buffer(32)
    asked(library, "nvmlDeviceGetVbiosVersion", handle, buffer, c_uint(32))
    return buffer.value.decode("utf-8", "replace")


def gsp_firmware(library, handle):
    """Return the version of the firmware on the GPU's system processor. Raises Refused."""
    buffer = ctypes.create_string_buffer(GSP_SIZE)
    asked(library, "nvmlDeviceGetGspFirmwareVersion", handle, buffer)
    return buffer.value.decode("utf-8", "replace")


def links(library, handle):
    """Return the NVLinks of a GPU by number; a GPU without any has none. Raises Refused."""
    found, last = {}, NOT_FOUND
    for link in range(MOST_LINKS):
        active = c_uint()
        last = library.call("nvmlDeviceGetNvLinkState", handle, c_uint(link), byref(active))
        if last == 0:
            found[str(link)] = _link(library, handle, link, active.value)
        elif link == 0 and last != NOT_SUPPORTED:
            raise Refused(last)
    return found


def _link(library, handle, link, active):
    row = {"active": bool(active)}
    if active:
        peer, kind = PciInfo(), c_uint()
        if library.call("nvmlDeviceGetNvLinkRemotePciInfo_v2", handle, c_uint(link), byref(peer)) == 0:
            row["remote"] = address(peer)
        code = library.call("nvmlDeviceGetNvLinkRemoteDeviceType", handle, c_uint(link), byref(kind))
        if code == 0 and kind.value < len(REMOTE):
            row["remote_kind"] = REMOTE[kind.value]
    return row


def link_errors(library, handle, numbers):
    """Return the error counters that are not zero, by link. Raises Refused if no counter answers."""
    found, answers, code = {}, 0, NOT_SUPPORTED
    for link in numbers:
        for counter, name in enumerate(COUNTERS):
            value = c_ulonglong()
            arguments = (handle, c_uint(int(link)), c_uint(counter), byref(value))
            code = library.call("nvmlDeviceGetNvLinkErrorCounter", *arguments)
            answers += code == 0
            if code == 0 and value.value:
                found.setdefault(link, {})[name] = value.value
    if not answers:
        raise Refused(code)
    return found


def fabric(library, handle):
    """Return how far the GPU's registration with the NVLink fabric is. Raises Refused."""
    for kind, version in ((FabricInfo3, 3), (FabricInfo2, 2)):
        info = kind(version=ctypes.sizeof(kind) | version << 24)
        code = library.call("nvmlDeviceGetGpuFabricInfoV", handle, byref(info))
        if code == 0:
            break
    else:
        info = FabricInfo()
        asked(library, "nvmlDeviceGetGpuFabricInfo", handle, byref(info))
    state = FABRIC_STATES[info.state] if info.state < len(FABRIC_STATES) else "unknown"
    found = {"state": state, "status": info.status, "clique": info.clique, "multi_node": any(info.cluster)}
    if hasattr(info, "health"):
        found["health"] = HEALTH.get(info.health)
    if hasattr(info, "health_mask"):
        found["health_mask"] = info.health_mask
    return found


def peers(library, handles):
    """Return how every two GPUs reach each other, by their numbers: ``0-1``. Raises Refused."""
    rows = {}
    for one in sorted(handles):
        for other in sorted(handles):
            if one < other:
                rows["%d-%d" % (one, other)] = _peer(library, handles[one], handles[other])
    return rows


def _peer(library, one, other):
    row = {}
    level = number(library, "nvmlDeviceGetTopologyCommonAncestor", one, other)
    row["level"] = LEVELS.get(level, "unknown")
    for index, way in enumerate(PEER_WAYS):
        value = c_uint()
        if library.call("nvmlDeviceGetP2PStatus", one, other, c_uint(index), byref(value)) == 0:
            row[way] = PEER_STATES[min(value.value, len(PEER_STATES) - 1)]
    return row


def virtualisation(library, handle):
    """Return whether the GPU is the machine's own, passed through, or a virtual one. Raises Refused."""
    mode = number(library, "nvmlDeviceGetVirtualizationMode", handle)
    return VIRTUALISATION[mode] if mode < len(VIRTUALISATION) else "unknown"


def licence(library, handle):
    """Return the licence state of a virtual GPU; None if it needs none. Raises Refused."""
    found = Licences()
    asked(library, "nvmlDeviceGetGridLicensableFeatures_v4", handle, byref(found))
    states = [one.state for one in found.features[: min(found.count, 3)] if one.enabled]
    if not found.supported or not states:
        return None
    return LICENCES[states[0]] if states[0] < len(LICENCES) else "unknown"
