"""What joins the GPUs, and what they run inside: asked of NVML, apart from the GPUs themselves."""

import ctypes

from codeblue_probe import files, nvml_links
from codeblue_probe.nvml_calls import Library
from codeblue_probe.report import Absent, Report, Unread

IMEX_CHANNELS = "/dev/nvidia-caps-imex-channels"
IMEX_NODES = "/etc/nvidia-imex/nodes_config.cfg"


def read(context, sections):
    """Read the fabric section in a process of its own: older drivers lack many of these calls."""
    report = Report("libnvidia-ml.so.1 (ctypes)")
    try:
        library = Library(ctypes.CDLL(context.library("libnvidia-ml.so.1")))
    except OSError as error:
        raise Absent(str(error))
    report.attempt("imex_channels", _channels, IMEX_CHANNELS)
    report.attempt("imex_nodes", _imex_nodes, IMEX_NODES)
    code = library.call("nvmlInit_v2")
    if code != 0:
        report.unread.update(gpus="error", peers="error")
        return report
    handles = _handles(library)
    rows = {str(index): _gpu(library, handles[index]) for index in sorted(handles)}
    report.put("gpus", rows)
    report.attempt("peers", lambda: _peers(library, handles), "nvmlDeviceGetP2PStatus")
    return report


def _handles(library):
    """Return the GPUs that answer, by number."""
    found = {}
    for index in range(library.number("nvmlDeviceGetCount_v2") or 0):
        handle = ctypes.c_void_p()
        if library.call("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index), ctypes.byref(handle)) == 0:
            found[index] = handle
    return found


def _gpu(library, handle):
    row = nvml_links.Row()
    row.attempt("links", lambda: nvml_links.links(library, handle))
    numbers = sorted(row.facts.get("links") or {}, key=int)
    row.attempt("link_errors", lambda: nvml_links.link_errors(library, handle, numbers))
    row.attempt("fabric", lambda: nvml_links.fabric(library, handle))
    row.attempt("vbios", lambda: nvml_links.vbios(library, handle))
    row.attempt("gsp_firmware", lambda: nvml_links.gsp_firmware(library, handle))
    replays = "nvmlDeviceGetPcieReplayCounter"
    row.attempt("pcie_replays", lambda: nvml_links.number(library, replays, handle))
    row.attempt("virtualisation", lambda: nvml_links.virtualisation(library, handle))
    row.attempt("licence", lambda: nvml_links.licence(library, handle))
    return row.document()


def _peers(library, handles):
    try:
        return nvml_links.peers(library, handles)
    except nvml_links.Refused as refusal:
        raise Unread(refusal.state, str(refusal))


def _channels():
    """Return the numbers of the IMEX channels that this process is shown; None without the folder."""
    if not files.exists(IMEX_CHANNELS):
        return None
    return [
        int(name[7:]) for name in files.names(IMEX_CHANNELS) if name[:7] == "channel" and name[7:].isdigit()
    ]


def _imex_nodes():
    """Return how many nodes the IMEX domain is configured with; their addresses are not taken."""
    rows = (row.split("#")[0].strip() for row in files.text(IMEX_NODES, 1 << 16).splitlines())
    return sum(1 for row in rows if row)
