"""Facts that come from NVIDIA's own libraries and tools."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class CudaDevice(Row, frozen=True, kw_only=True):
    """One device as the CUDA driver API enumerates it."""

    name: Fact[str] = UNREAD
    capability: Fact[str] = UNREAD
    """``major.minor``."""
    memory_bytes: Fact[int] = UNREAD
    pci: Fact[str | None] = UNREAD


class Cuda(Section, frozen=True, kw_only=True):
    """libcuda called directly in the job's environment. Absent: no libcuda could be loaded."""

    NAME: ClassVar[str] = "cuda"
    TABLE: ClassVar[str] = "devices"

    library: Fact[str] = UNREAD
    """The file that was loaded."""
    load_error: Fact[str | None] = UNREAD
    """The loader's words when libcuda could not be loaded."""
    init: Fact[int] = UNREAD
    """Return code of cuInit."""
    driver_version: Fact[int | None] = UNREAD
    """cuDriverGetVersion, e.g. 13000."""
    count: Fact[int | None] = UNREAD
    devices: Fact[dict[str, CudaDevice]] = UNREAD
    """By index."""
    init_seconds: Fact[float] = UNREAD
    unmasked_init: Fact[int | None] = UNREAD
    """cuInit without CUDA_VISIBLE_DEVICES, tried when it failed or hid devices."""
    unmasked_count: Fact[int | None] = UNREAD


class GpuProcess(Row, frozen=True, kw_only=True):
    """One process that holds memory on a GPU."""

    pid: Fact[int] = UNREAD
    memory_bytes: Fact[int | None] = UNREAD
    name: Fact[str | None] = UNREAD
    """Program name; None where the pid is outside this namespace."""


class Gpu(Row, frozen=True, kw_only=True):
    """One GPU as NVML describes it. Missing fields were not supported or not permitted."""

    handle: Fact[int] = UNREAD
    """Return code of nvmlDeviceGetHandleByIndex_v2; the rest is missing if it is not 0."""
    name: Fact[str] = UNREAD
    uuid: Fact[str] = UNREAD
    """Pseudonym."""
    pci: Fact[str] = UNREAD
    minor: Fact[int] = UNREAD
    capability: Fact[str] = UNREAD
    memory_total: Fact[int] = UNREAD
    """Bytes."""
    memory_used: Fact[int] = UNREAD
    temperature: Fact[int] = UNREAD
    """Degrees Celsius."""
    persistence: Fact[bool] = UNREAD
    compute_mode: Fact[str] = UNREAD
    """``default``, ``exclusive-thread``, ``prohibited`` or ``exclusive-process``."""
    mig: Fact[bool] = UNREAD
    mig_instances: Fact[int] = UNREAD
    ecc: Fact[bool] = UNREAD
    ecc_uncorrected: Fact[int] = UNREAD
    """Uncorrected errors since the driver was loaded."""
    remapped_pending: Fact[bool] = UNREAD
    remapped_failed: Fact[bool] = UNREAD
    recovery_action: Fact[int] = UNREAD
    """NVML's recovery action; 0 is none. Driver 570 and newer."""
    throttle: Fact[int] = UNREAD
    """Bit mask of the current clock event reasons."""
    link_width: Fact[int] = UNREAD
    link_width_max: Fact[int] = UNREAD
    processes: Fact[list[GpuProcess]] = UNREAD


class Nvml(Section, frozen=True, kw_only=True):
    """libnvidia-ml called directly. Absent: it could not be loaded."""

    NAME: ClassVar[str] = "nvml"
    TABLE: ClassVar[str] = "gpus"

    library: Fact[str] = UNREAD
    load_error: Fact[str | None] = UNREAD
    init: Fact[int] = UNREAD
    """Return code of nvmlInit_v2."""
    driver_version: Fact[str | None] = UNREAD
    count: Fact[int | None] = UNREAD
    gpus: Fact[dict[str, Gpu]] = UNREAD
    """By index."""


class NvidiaSmi(Section, frozen=True, kw_only=True):
    """One plain run of nvidia-smi, for its own words. Absent: not installed."""

    NAME: ClassVar[str] = "nvidia_smi"

    path: Fact[str] = UNREAD
    exit_code: Fact[int | None] = UNREAD
    """None if it was stopped at its deadline."""
    words: Fact[str] = UNREAD
    """The first lines it printed, at most 400 characters."""
    recognised: Fact[bool] = UNREAD
    """The output holds the banner of nvidia-smi."""
