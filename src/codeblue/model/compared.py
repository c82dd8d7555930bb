"""What of a snapshot is compared with another one, and which changes matter most.

A place is ``section.field``, ``section.field.row_field`` or ``section.field[key]``. Every fact is
compared unless its place is volatile.
"""

VOLATILE: dict[str, tuple[str, ...]] = {
    "cgroup": ("memory_current",),
    "container_run": ("pid", "started", "ended"),
    "cuda": ("init_seconds",),
    # Of another job, not of another machine.
    "environment": tuple(
        f"variables[{name}]"
        for name in (
            "SLURM_JOB_ID",
            "SLURM_PROCID",
            "SLURM_LOCALID",
            "RANK",
            "LOCAL_RANK",
            "MASTER_PORT",
        )
    ),
    # Some file systems make their inodes as they are needed.
    "filesystems": ("filesystems.free", "filesystems.inodes", "filesystems.inodes_free"),
    "fabric": ("gpus.pcie_replays", "gpus.link_errors", "gpus.unread"),
    "host": ("uptime_seconds",),
    # The texts hold process numbers and addresses; what they mean is compared as Xids and sightings.
    "kernel_log": (
        "lines",
        *(f"{log}.{field}" for log in ("xids", "sxids") for field in ("seconds", "pid", "process", "text")),
    ),
    "modules": ("loaded.references",),
    # Measured anew each time: earlier trials are compared by their own spread.
    **{f"{trial}_trial": ("devices",) for trial in ("gpu", "memory", "links", "nccl", "loader")},
    "trial_history": ("measures", "since"),
    # A GPU may add up in another order each time; the fingerprint says whether it does.
    "numerics_trial": ("devices.seconds", "devices.canary"),
    # The user's choice, not a fact about the machine.
    "numerics_base": ("name", "host_name", "time", "devices"),
    "nvidia_smi": ("words",),
    "nvml": ("gpus.memory_used", "gpus.temperature", "gpus.throttle", "gpus.processes"),
    "packages": ("changes.time",),
    # Idle GPUs lower the speed of their link.
    "pci": ("functions.link_speed", "functions.errors", "ports.errors", "ports.unread"),
    "process": (
        "age",
        "memory",
        "memory_locked",
        "memory_peak",
        "open_files",
        "run_state",
        "threads",
        "uninterruptible",
        "waits_in",
    ),
    "conda": ("files.unread",),
    "services": ("services.last_start",),
    "sightings": (
        "unrecognised_errors",
        "unusual",
        "streams",
        "skipped",
        *(f"seen.{field}" for field in ("text", "file", "line", "values", "host", "time", "when", "repeats")),
        *(f"seen.{field}" for field in ("last_line", "last_time", "last_when")),
    ),
    "torch_trial": ("words", "import_seconds", "kernel_seconds"),
}
"""Facts that differ between two looks at one unchanged machine, by section."""

EFFECTS = (
    "cuda.count",
    "cuda.devices",
    "cuda.init",
    "cuda.load_error",
    "cuda.unmasked_count",
    "cuda.unmasked_init",
    "kernel_log",
    "nvidia_smi",
    "nvml.count",
    "nvml.driver_version",
    "nvml.init",
    "nvml.load_error",
    "sightings",
    "torch_trial",
)
"""Facts that say how it went, not what it went with."""

PER_BOOT = (
    "cgroup.oom_kills",
    "host.boot_id",
    "nodes.nodes.expected_major",
    "nodes.nodes.major",
    "nvml.gpus.ecc_uncorrected",
    "services.services.restarts",
)
"""Facts that a boot may change although nobody changed anything."""

ORDER = (
    "driver.module_version",
    "host.kernel",
    "host.boot_id",
    "driver",
    "driver_files",
    "nodes.nodes.mode",
    "nodes",
    "user",
    "cgroup.device_rules",
    "modules",
    "pci",
    "container",
    "loader.libraries.version",
    "loader.libraries.path",
    "loader.libraries.elf",
    "loader.environment.version",
    "loader.environment.elf",
    "loader.damaged",
    "loader.shadowed",
    "python.executable",
    "python.version",
    "torch",
    "python.distributions",
    "environment",
    "loader.search_path",
    "loader.preload",
    "limits",
    "filesystems",
    "cgroup",
    "host.cmdline",
    "python",
    "",
    "host",
    "services",
    "loader",
    *EFFECTS,
)
"""Beginnings of places, what matters most first; the empty one stands for all that are not named."""


def volatile(place: str) -> bool:
    """True if the fact at the place is left out of comparisons."""
    section, _, rest = place.partition(".")
    return rest in VOLATILE.get(section, ())


def importance(place: str) -> int:
    """Return the position of a place in the order of what matters; 0 matters most."""
    return ORDER.index(max((start for start in ORDER if within(place, start)), key=len))


def within(place: str, start: str) -> bool:
    """True if the place is ``start`` or lies below it."""
    return not start or place == start or place.startswith((f"{start}.", f"{start}["))
