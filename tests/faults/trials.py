"""Facts of trials for tests: a healthy H200, and what is different."""

from copy import deepcopy
from typing import Any

PRODUCTS: dict[str, dict[str, Any]] = {
    "bf16": {"tflops": 666.0, "relative_error": 1.7e-3},
    "fp32": {"tflops": 51.0, "relative_error": 1.6e-6},
}
CHECKED = {
    "size": 8192,
    "tflops_first": 600.0,
    "ramp_seconds": 0.1,
    "worst_row": 6.1,
    "changed": 0,
    "digest": "00c0ffee00c0ffee",
}
LOAD = {
    "clock_mhz": 1500,
    "clock_lowest_mhz": 1400,
    "clock_max_mhz": 1980,
    "power_watts": 690.0,
    "power_limit_watts": 700.0,
    "power_default_watts": 700.0,
    "temperature": 61,
    "throttle": {"4": 0.8},
}


def device(load: dict[str, Any] | None = None, **products: dict[str, Any]) -> dict[str, Any]:
    """Return one device's row; ``products`` change what was measured of a type, ``load`` what was seen."""
    rows = {kind: {**CHECKED, **row, **products.get(kind, {})} for kind, row in deepcopy(PRODUCTS).items()}
    return {"products": rows, "load": {**LOAD, **(load or {})}, "seconds": 8.0}


def trial(*devices: dict[str, Any]) -> dict[str, Any]:
    """Return the section of a trial with these devices."""
    return {
        "state": "read",
        "source": "codeblue trial",
        "passed_over": {},
        "devices": {str(number): row for number, row in enumerate(devices)},
    }
