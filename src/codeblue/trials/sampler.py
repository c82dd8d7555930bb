"""Clocks, power and temperature while a trial runs, by NVML from a thread of the worker."""

import ctypes
import threading
import time
from ctypes import byref, c_uint, c_ulonglong, c_void_p

PERIOD = 0.05
"""Seconds between two samples."""
SM_CLOCK, TEMPERATURE = 1, 0
CORRECTED, UNCORRECTED, SINCE_LOAD = 0, 1, 0
IDLE = 0x1
"""The clock reason of a GPU that has nothing to do."""


class Sampler:
    """Samples one GPU by its PCI address; without NVML or address it has nothing to say."""

    def __init__(self, pci):
        self.samples = []
        self.library, self.handle = None, None
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
            handle = c_void_p()
            if pci and self._call("Init_v2") == 0:
                if self._call("DeviceGetHandleByPciBusId_v2", pci.encode(), byref(handle)) == 0:
                    self.handle = handle
        except OSError:
            pass  # no NVML here: a CPU, WSL without it, a container without the utility capability
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        if self.handle:
            self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        if self.handle:
            self._thread.join()

    def summary(self):
        """Return what the samples say together; a field is missing where NVML does not tell."""
        row = {
            "clock_mhz": _middle(self._column("clock")),
            "clock_lowest_mhz": min(self._column("clock"), default=None),
            "clock_max_mhz": self.number("DeviceGetMaxClockInfo", SM_CLOCK),
            "power_watts": _middle(self._column("power")),
            "power_limit_watts": _watts(self.number("DeviceGetEnforcedPowerLimit")),
            "power_default_watts": _watts(self.number("DeviceGetPowerManagementDefaultLimit")),
            "temperature": max(self._column("temperature"), default=None),
            "throttle": self.throttle(),
        }
        return {name: value for name, value in row.items() if value is not None}

    def throttle(self):
        """Return for each reason of lowered clocks, a bit of NVML's mask, the part of the samples with it."""
        masks = self._column("reasons")
        bits = [1 << place for place in range(64) if any(mask >> place & 1 for mask in masks)]
        shares = {
            str(bit): round(sum(1 for m in masks if m & bit) / len(masks), 3) for bit in bits if bit != IDLE
        }
        return shares if masks else None

    def errors(self):
        """Return the memory errors since the driver was loaded: corrected, uncorrected; and remapped rows."""
        counters = {}
        for name, kind in (("corrected", CORRECTED), ("uncorrected", UNCORRECTED)):
            counters[name] = self.number("DeviceGetTotalEccErrors", kind, SINCE_LOAD, kind=c_ulonglong)
        numbers = [c_uint() for _ in range(4)]
        if self.handle and self._call("DeviceGetRemappedRows", self.handle, *map(byref, numbers)) == 0:
            counters["remapped"] = numbers[0].value + numbers[1].value
        return {name: value for name, value in counters.items() if value is not None}

    def number(self, name, *before, **options):
        """Return the number that a call writes to its last argument, or None."""
        if not self.handle:
            return None
        value = options.get("kind", c_uint)()
        arguments = [self.handle] + [c_uint(one) for one in before] + [byref(value)]
        return value.value if self._call(name, *arguments) == 0 else None

    def _run(self):
        while not self._stop.wait(PERIOD):
            self.samples.append(
                {
                    "time": time.time(),
                    "clock": self.number("DeviceGetClockInfo", SM_CLOCK),
                    "power": _watts(self.number("DeviceGetPowerUsage")),
                    "temperature": self.number("DeviceGetTemperature", TEMPERATURE),
                    "reasons": self._reasons(),
                }
            )

    def _reasons(self):
        for name in ("DeviceGetCurrentClocksEventReasons", "DeviceGetCurrentClocksThrottleReasons"):
            mask = self.number(name, kind=c_ulonglong)
            if mask is not None:
                return mask
        return None

    def _call(self, name, *arguments):
        try:
            return getattr(self.library, "nvml" + name)(*arguments)
        except AttributeError:
            return -1

    def _column(self, name):
        return [sample[name] for sample in self.samples if sample[name] is not None]


def _middle(values):
    return sorted(values)[len(values) // 2] if values else None


def _watts(milliwatts):
    return None if milliwatts is None else round(milliwatts / 1000.0, 1)
