"""Layers that cut a GPU into parts: the ones in containers (HAMi) and NVIDIA's own in virtual machines."""

import os
import re

from codeblue_probe import files
from codeblue_probe.report import Absent, Report

PRELOAD_FILE = "/etc/ld.so.preload"
LAYER = "libvgpu.so"
PLACES = ("/usr/local/vgpu/libvgpu.so",)
LIMIT = re.compile(r"CUDA_DEVICE_(?:MEMORY|SM)_LIMIT(?:_\d+)?$")
SWITCHES = ("CUDA_DISABLE_CONTROL", "CUDA_OVERSUBSCRIBE", "CUDA_TASK_PRIORITY", "GPU_CORE_UTILIZATION_POLICY")
CACHE = "CUDA_DEVICE_MEMORY_SHARED_CACHE"
GRIDD, GRIDD_CONFIGURATION = "/usr/bin/nvidia-gridd", "/etc/nvidia/gridd.conf"
TOKENS = "/etc/nvidia/ClientConfigToken"


def read(context, sections):
    """Read the vgpu section; absent where no such layer shows."""
    report = Report(PRELOAD_FILE)
    variables = context.environment
    report.attempt("preload_file", _preloaded)
    preloaded = re.split("[: ]+", variables.get("LD_PRELOAD", "")) + (report.facts.get("preload_file") or [])
    library = next((path for path in preloaded if os.path.basename(path) == LAYER), None)
    report.put("preloaded", library is not None, "LD_PRELOAD, " + PRELOAD_FILE)
    report.put("library", library or next((path for path in PLACES if files.exists(path)), None))
    report.put(
        "limits", {name: variables[name] for name in sorted(variables) if LIMIT.match(name)}, "environment"
    )
    report.put("switches", {name: variables[name] for name in SWITCHES if name in variables}, "environment")
    cache = variables.get(CACHE)
    report.put("shared_cache", files.exists(cache) if cache else None, CACHE)
    report.put("gridd", files.exists(GRIDD), GRIDD)
    report.put("gridd_configured", files.exists(GRIDD_CONFIGURATION), GRIDD_CONFIGURATION)
    report.attempt("tokens", _tokens, TOKENS)
    seen = ("library", "limits", "gridd", "gridd_configured")
    if not any(report.facts[name] for name in seen):
        raise Absent("neither %s nor nvidia-gridd" % LAYER)
    return report


def _preloaded():
    """Return the libraries that every program loads first. Comments are allowed since glibc 2.26."""
    rows = (row.split("#")[0] for row in files.text(PRELOAD_FILE, 1 << 16).splitlines())
    return [word for row in rows for word in re.split("[: \t]+", row) if word]


def _tokens():
    if not files.exists(TOKENS):
        return 0
    return sum(1 for name in files.names(TOKENS) if name.endswith(".tok"))
