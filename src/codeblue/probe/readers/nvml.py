"""libnvidia-ml called directly: the driver's own view of its GPUs, codes included."""

import ctypes

from codeblue_probe.nvml_calls import Device, Library
from codeblue_probe.report import Absent, Report


def read(context, sections):
    """Load NVML as the job would, initialise it, describe every GPU.

    A failing nvmlInit is a fact; its code says which layer is broken.
    """
    report = Report("libnvidia-ml.so.1 (ctypes)")
    try:
        library = Library(ctypes.CDLL(context.library("libnvidia-ml.so.1")))
    except OSError as error:
        raise Absent(str(error))
    report.put("library", _mapped(), "/proc/self/maps")
    report.put("load_error", None)
    code = library.call("nvmlInit_v2")
    report.put("init", code, "nvmlInit_v2")
    if code != 0:
        report.put("driver_version", None)
        report.put("count", None)
        report.unread["gpus"] = "error"
        return report
    report.put("driver_version", library.text("nvmlSystemGetDriverVersion", 80))
    count = library.number("nvmlDeviceGetCount_v2")
    report.put("count", count)
    report.put("gpus", {str(index): _gpu(library, index) for index in range(count or 0)})
    return report


def _gpu(library, index):
    """Return what one GPU answers; what it does not support or permit is left out."""
    handle = ctypes.c_void_p()
    code = library.call("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index), ctypes.byref(handle))
    if code != 0:
        return {"handle": code}
    row = dict(Device(library, handle).facts(), handle=0)
    return {name: value for name, value in row.items() if value is not None}


def _mapped():
    with open("/proc/self/maps") as maps:
        for row in maps:
            if "libnvidia-ml.so" in row:
                return row.rstrip("\n").split(None, 5)[-1]
    return "libnvidia-ml.so.1"
