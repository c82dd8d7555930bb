"""libcuda called directly: does CUDA start, and which devices does it enumerate?"""

import ctypes
import os
import time

from codeblue_probe.report import Absent, Report

MAJOR, MINOR = 75, 76
"""CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR (cuda.h)."""


def read(context, sections):
    """Load libcuda as the job would, initialise it, list the devices."""
    report = Report("libcuda.so.1 (ctypes)")
    library = context.library("libcuda.so.1")
    masked = os.environ.get("CUDA_VISIBLE_DEVICES") is not None
    # Before our own call: a process that is forked after cuInit cannot use CUDA.
    other = _ask_without_mask(library) if masked else None
    cuda = _load(report, library)
    started = time.time()
    code = cuda.cuInit(0)
    report.put("init_seconds", round(time.time() - started, 4))
    report.put("init", code, "cuInit(0)")
    report.put("driver_version", _number(cuda, "cuDriverGetVersion"), "cuDriverGetVersion")
    count = _number(cuda, "cuDeviceGetCount") if code == 0 else None
    report.put("count", count, "cuDeviceGetCount")
    report.put("devices", {str(n): _device(cuda, n) for n in range(count or 0)}, "cuDeviceGetAttribute")
    if other is not None:
        _put_answer(report, other)
    return report


def _load(report, library):
    try:
        cuda = ctypes.CDLL(library)
    except OSError as error:
        raise Absent(str(error))
    report.put("library", _mapped("libcuda.so"), "/proc/self/maps")
    report.put("load_error", None)
    return cuda


def _mapped(name):
    with open("/proc/self/maps") as maps:
        for row in maps:
            path = row.rstrip("\n").split(" ")[-1]
            if name in os.path.basename(path):
                return path
    return "libcuda.so.1"


def _number(cuda, function):
    value = ctypes.c_int(-1)
    code = getattr(cuda, function)(ctypes.byref(value))
    return value.value if code == 0 else None


def _device(cuda, index):
    handle = ctypes.c_int()
    if cuda.cuDeviceGet(ctypes.byref(handle), index) != 0:
        return {}
    name = ctypes.create_string_buffer(128)
    pci = ctypes.create_string_buffer(32)
    memory = ctypes.c_size_t()
    row = {}
    if cuda.cuDeviceGetName(name, 128, handle) == 0:
        row["name"] = name.value.decode("utf-8", "replace")
    if cuda.cuDeviceTotalMem_v2(ctypes.byref(memory), handle) == 0:
        row["memory_bytes"] = memory.value
    if cuda.cuDeviceGetPCIBusId(pci, 32, handle) == 0:
        row["pci"] = pci.value.decode("ascii", "replace").lower()
    major, minor = _attribute(cuda, MAJOR, handle), _attribute(cuda, MINOR, handle)
    if major is not None:
        row["capability"] = "%d.%d" % (major, minor)
    return row


def _attribute(cuda, attribute, handle):
    value = ctypes.c_int()
    code = cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, handle)
    return value.value if code == 0 else None


def _ask_without_mask(library):
    """Start a process that asks CUDA without CUDA_VISIBLE_DEVICES; return its pid and answer pipe."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    # os.environ keeps the C library's environment in step, which is where libcuda looks.
    del os.environ["CUDA_VISIBLE_DEVICES"]
    try:
        cuda = ctypes.CDLL(library)
        code = cuda.cuInit(0)
        count = _number(cuda, "cuDeviceGetCount") if code == 0 else None
        os.write(writing, ("%d %s" % (code, count)).encode("ascii"))
    finally:
        os._exit(0)


def _put_answer(report, other):
    pid, reading = other
    answer = os.read(reading, 100).decode("ascii").split()
    os.waitpid(pid, 0)
    if len(answer) == 2:
        report.put("unmasked_init", int(answer[0]))
        report.put("unmasked_count", int(answer[1]) if answer[1] != "None" else None)
