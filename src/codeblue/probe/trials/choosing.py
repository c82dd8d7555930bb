"""Which devices are tried: those that torch sees, unless somebody else is at work on them."""

ROOM = 2 << 30
"""Bytes that may be in use on a GPU that nobody works with: the driver's own, a desktop."""

CPU_WORKERS = 2
"""Collectives need somebody to talk to."""


class Refused(Exception):
    """Nothing can be tried. ``state`` is that of the sections."""

    def __init__(self, state, reason):
        super().__init__(reason)
        self.state = state


def chosen(sections, wanted):
    """Return the settings of the workers, and device -> why it was passed over. Raises Refused."""
    torch = sections.get("torch_trial", {})
    if torch.get("state") == "absent":
        raise Refused("absent", torch.get("reason", "no torch"))
    if not torch.get("imported"):
        raise Refused("not-attempted", "torch cannot be imported here; see the findings about it")
    if torch.get("available"):
        return _gpus(sections, wanted)
    if _has_gpu(sections):
        raise Refused("not-attempted", "torch sees no GPU; see the findings about it")
    if wanted.get("gpus"):
        raise Refused("not-attempted", "there is no GPU %d; this machine has none" % max(wanted["gpus"]))
    return [{"device": "cpu", "index": number} for number in range(CPU_WORKERS)], {}


def _has_gpu(sections):
    nvml, pci = sections.get("nvml", {}), sections.get("pci", {})
    return bool(nvml.get("count") or pci.get("functions") or sections.get("driver", {}).get("gpus"))


def _gpus(sections, wanted):
    cuda = sections.get("cuda", {}).get("devices") or {}
    count = sections["torch_trial"].get("count") or 0
    asked = wanted.get("gpus")
    if asked and max(asked) >= count:
        raise Refused("not-attempted", "there is no GPU %d; torch sees %d" % (max(asked), count))
    devices, passed_over = [], {}
    for index in asked or range(count):
        row = cuda.get(str(index), {})
        why = None if wanted.get("touch_busy") else _taken(_of(sections, row.get("pci")))
        if why:
            passed_over[str(index)] = why
        else:
            devices.append({"device": "cuda:%d" % index, "index": index, "pci": row.get("pci")})
    if not devices:
        raise Refused("busy", "; ".join("GPU %s: %s" % pair for pair in sorted(passed_over.items())))
    return devices, passed_over


def _of(sections, pci):
    """Return NVML's row of the GPU at this address; empty if it is not known."""
    gpus = sections.get("nvml", {}).get("gpus") or {}
    return next((gpu for gpu in gpus.values() if pci and gpu.get("pci") == pci), {})


def _taken(gpu):
    """Return why a GPU is to be left alone, or None."""
    mode = gpu.get("compute_mode", "default")
    if mode != "default":
        return "compute mode %s" % mode
    processes = gpu.get("processes")
    if processes:
        return "%d processes are at work on it" % len(processes)
    if gpu.get("memory_used", 0) > ROOM:
        return "%.1f GiB of its memory are in use" % (gpu["memory_used"] / 2.0**30)
    return None
