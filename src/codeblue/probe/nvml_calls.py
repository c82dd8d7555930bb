"""NVML's functions and structures, as far as the probe asks them (nvml.h)."""

import ctypes
from ctypes import byref, c_char, c_double, c_int, c_longlong, c_uint, c_ulonglong

NOT_FOUND = -1
"""What a call returns here if the library does not have the function."""

NOT_AVAILABLE = 0xFFFFFFFFFFFFFFFF
COMPUTE_MODES = ("default", "exclusive-thread", "prohibited", "exclusive-process")
TEMPERATURE_GPU = 0
UNCORRECTED, SINCE_LOAD = 1, 0
RECOVERY_ACTION = 230
"""NVML_FI_DEV_GET_GPU_RECOVERY_ACTION."""

MOST_MIG = 8
MOST_PROCESSES = 256


class PciInfo(ctypes.Structure):
    """nvmlPciInfo_t of nvmlDeviceGetPciInfo_v3."""

    _fields_ = [
        ("busIdLegacy", c_char * 16),
        ("domain", c_uint),
        ("bus", c_uint),
        ("device", c_uint),
        ("pciDeviceId", c_uint),
        ("pciSubSystemId", c_uint),
        ("busId", c_char * 32),
    ]


class Memory(ctypes.Structure):
    """nvmlMemory_t: used includes what the driver has reserved."""

    _fields_ = [("total", c_ulonglong), ("free", c_ulonglong), ("used", c_ulonglong)]


class Memory2(ctypes.Structure):
    """nvmlMemory_v2_t: used is what programs hold, as nvidia-smi shows it."""

    _fields_ = [
        ("version", c_uint),
        ("total", c_ulonglong),
        ("reserved", c_ulonglong),
        ("free", c_ulonglong),
        ("used", c_ulonglong),
    ]


class ProcessInfo(ctypes.Structure):
    """nvmlProcessInfo_t of version 2 and 3 of the call."""

    _fields_ = [
        ("pid", c_uint),
        ("usedGpuMemory", c_ulonglong),
        ("gpuInstanceId", c_uint),
        ("computeInstanceId", c_uint),
    ]


class Value(ctypes.Union):
    """nvmlValue_t."""

    _fields_ = [("d", c_double), ("ui", c_uint), ("ull", c_ulonglong), ("sll", c_longlong), ("si", c_int)]


class FieldValue(ctypes.Structure):
    """nvmlFieldValue_t."""

    _fields_ = [
        ("fieldId", c_uint),
        ("scopeId", c_uint),
        ("timestamp", c_longlong),
        ("latencyUsec", c_longlong),
        ("valueType", c_uint),
        ("nvmlReturn", c_uint),
        ("value", Value),
    ]


class Library:
    """Calls by name; a function that an older library lacks fails like any other."""

    def __init__(self, handle):
        self.handle = handle

    def call(self, name, *arguments):
        """Return the code of one call."""
        try:
            function = getattr(self.handle, name)
        except AttributeError:
            return NOT_FOUND
        function.restype = c_uint
        return function(*arguments)

    def number(self, name, *before, **options):
        """Return the number that a call writes to its last argument, or None."""
        value = options.get("kind", c_uint)()
        return value.value if self.call(name, *(before + (byref(value),))) == 0 else None

    def pair(self, name, *before):
        """Return the two numbers that a call writes to its last arguments, or (None, None)."""
        first, second = c_uint(), c_uint()
        if self.call(name, *(before + (byref(first), byref(second)))) != 0:
            return None, None
        return first.value, second.value

    def text(self, name, size, *before):
        """Return the text that a call writes to a buffer, or None."""
        buffer = ctypes.create_string_buffer(size)
        if self.call(name, *(before + (buffer, c_uint(size)))) != 0:
            return None
        return buffer.value.decode("utf-8", "replace")


class Device:
    """One GPU."""

    def __init__(self, library, handle):
        self.library = library
        self.handle = handle

    def facts(self):
        """Return field -> value; None for what this GPU, driver or user does not give."""
        row = {
            "name": self._text("Name", 96),
            "uuid": self._text("UUID", 96),
            "pci": self.pci(),
            "minor": self._number("MinorNumber"),
            "capability": self.capability(),
            "temperature": self._number("Temperature", c_uint(TEMPERATURE_GPU)),
            "persistence": _truth(self._number("PersistenceMode")),
            "compute_mode": self.compute_mode(),
            "ecc": _truth(self.library.pair("nvmlDeviceGetEccMode", self.handle)[0]),
            "ecc_uncorrected": self.ecc_uncorrected(),
            "recovery_action": self.recovery_action(),
            "throttle": self.throttle(),
            "link_width": self._number("CurrPcieLinkWidth"),
            "link_width_max": self._number("MaxPcieLinkWidth"),
            "processes": self.processes(),
        }
        row.update(self.memory())
        row.update(self.mig())
        row.update(self.remapped())
        return row

    def pci(self):
        """Return the address as the kernel writes it."""
        info = PciInfo()
        if self.library.call("nvmlDeviceGetPciInfo_v3", self.handle, byref(info)) != 0:
            return None
        return address(info)

    def capability(self):
        """Return ``major.minor``."""
        major, minor = self.library.pair("nvmlDeviceGetCudaComputeCapability", self.handle)
        return None if major is None else "%d.%d" % (major, minor)

    def compute_mode(self):
        """Return who may use the GPU."""
        mode = self._number("ComputeMode")
        return COMPUTE_MODES[mode] if mode is not None and mode < len(COMPUTE_MODES) else None

    def ecc_uncorrected(self):
        """Return the uncorrected errors since the driver was loaded."""
        kinds = (c_uint(UNCORRECTED), c_uint(SINCE_LOAD))
        return self.library.number("nvmlDeviceGetTotalEccErrors", self.handle, *kinds, kind=c_ulonglong)

    def recovery_action(self):
        """Return what the driver says must be done to the GPU; 0 is nothing."""
        field = FieldValue(fieldId=RECOVERY_ACTION)
        code = self.library.call("nvmlDeviceGetFieldValues", self.handle, c_int(1), byref(field))
        return field.value.ui if code == 0 and field.nvmlReturn == 0 else None

    def throttle(self):
        """Return the bit mask of the reasons for the current clocks; the name changed with 12.2."""
        for name in ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"):
            mask = self.library.number(name, self.handle, kind=c_ulonglong)
            if mask is not None:
                return mask
        return None

    def memory(self):
        """Return total and used bytes."""
        info = Memory2(version=ctypes.sizeof(Memory2) | 2 << 24)
        if self.library.call("nvmlDeviceGetMemoryInfo_v2", self.handle, byref(info)) != 0:
            info = Memory()
            if self.library.call("nvmlDeviceGetMemoryInfo", self.handle, byref(info)) != 0:
                return {}
        return {"memory_total": info.total, "memory_used": info.used}

    def mig(self):
        """Return whether MIG is on, and how many instances there are."""
        mode = self.library.pair("nvmlDeviceGetMigMode", self.handle)[0]
        if mode is None:
            return {}
        most = self._number("MaxMigDeviceCount") if mode else 0
        instance = ctypes.c_void_p()
        name = "nvmlDeviceGetMigDeviceHandleByIndex"
        codes = [
            self.library.call(name, self.handle, c_uint(number), byref(instance))
            for number in range(min(most or 0, MOST_MIG))
        ]
        return {"mig": bool(mode), "mig_instances": codes.count(0)}

    def remapped(self):
        """Return the state of the row remapper."""
        numbers = [c_uint() for _ in range(4)]
        pointers = [byref(number) for number in numbers]
        if self.library.call("nvmlDeviceGetRemappedRows", self.handle, *pointers) != 0:
            return {}
        return {"remapped_pending": bool(numbers[2].value), "remapped_failed": bool(numbers[3].value)}

    def processes(self):
        """Return the compute processes on the GPU, or None."""
        for version in ("_v3", "_v2"):
            rows = self._processes("nvmlDeviceGetComputeRunningProcesses" + version)
            if rows is not None:
                return rows
        return None

    def _processes(self, name):
        count = c_uint(MOST_PROCESSES)
        infos = (ProcessInfo * MOST_PROCESSES)()
        if self.library.call(name, self.handle, byref(count), infos) != 0:
            return None
        rows = []
        for info in infos[: min(count.value, MOST_PROCESSES)]:
            used = None if info.usedGpuMemory == NOT_AVAILABLE else info.usedGpuMemory
            rows.append({"pid": info.pid, "memory_bytes": used, "name": _name(info.pid)})
        return rows

    def _number(self, what, *before):
        return self.library.number("nvmlDeviceGet" + what, self.handle, *before)

    def _text(self, what, size):
        return self.library.text("nvmlDeviceGet" + what, size, self.handle)


def address(info):
    """Return a PciInfo's address as the kernel writes it."""
    return "%04x:%02x:%02x.0" % (info.domain, info.bus, info.device)


def _truth(number):
    return None if number is None else bool(number)


def _name(pid):
    """Return a program's name; NVML's number may be of another pid namespace."""
    try:
        with open("/proc/%d/comm" % pid) as stream:
            return stream.readline().strip() or None
    except OSError:
        return None
