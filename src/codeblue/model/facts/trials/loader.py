"""The input side: processors, shared memory, file systems, and what a DataLoader feeds."""

from typing import ClassVar

from codeblue.model.facts.trials.base import Measured, Tried
from codeblue.model.section import UNREAD, Fact, Row


class Processors(Row, frozen=True, kw_only=True):
    """Which processors the job may use, and what they gave."""

    error: Fact[str | None] = None
    """Why they could not be measured."""
    online: Fact[int] = UNREAD
    allowed: Fact[int] = UNREAD
    """By the affinity mask."""
    mask: Fact[str] = UNREAD
    """As the kernel writes it: ``0-3,8``."""
    quota: Fact[float | None] = UNREAD
    """Processors by the smallest quota of the control group and those above it; None is unlimited."""
    quota_source: Fact[str | None] = UNREAD
    """The file that says so."""
    nodes: Fact[list[int]] = UNREAD
    """NUMA nodes of the mask."""
    all_nodes: Fact[int] = UNREAD
    """Number of NUMA nodes with processors."""
    gpu_nodes: Fact[dict[str, int]] = UNREAD
    """NUMA node of each GPU that was tried, where the machine says it."""
    variables: Fact[dict[str, str]] = UNREAD
    """Variables that set numbers of threads."""
    torch_threads: Fact[int | None] = UNREAD
    """Threads that torch takes by itself for one operation."""
    effective: Fact[float] = UNREAD
    """How many processors gave what one of them gives alone, all ``tried`` of them being at work."""
    tried: Fact[int] = UNREAD
    """Busy processes that ran at once; at most 64."""
    others: Fact[float] = UNREAD
    """Processors of the mask that others used meanwhile, the kernel included."""
    stolen: Fact[float] = UNREAD
    """Processors that the hypervisor gave to other guests meanwhile."""
    throttled: Fact[float] = UNREAD
    """Part of the periods in which the quota stopped the job. Unset without a quota."""


class SharedMemory(Row, frozen=True, kw_only=True):
    """The file system through which workers hand over samples, /dev/shm."""

    error: Fact[str | None] = None
    kind: Fact[str | None] = UNREAD
    path: Fact[str] = UNREAD
    total: Fact[int] = UNREAD
    """Bytes."""
    free: Fact[int] = UNREAD
    read_only: Fact[bool] = UNREAD
    not_written: Fact[str | None] = None
    """Why nothing was written."""
    write_mbs: Fact[float] = UNREAD
    """MB/s, into new pages."""
    read_mbs: Fact[float] = UNREAD


class Latency(Row, frozen=True, kw_only=True):
    """How long one operation on a small file takes."""

    p50_ms: Fact[float] = UNREAD
    p99_ms: Fact[float] = UNREAD
    count: Fact[int] = UNREAD


class Storage(Row, frozen=True, kw_only=True):
    """The file system at one path."""

    error: Fact[str | None] = None
    path: Fact[str] = UNREAD
    kind: Fact[str | None] = UNREAD
    network: Fact[bool] = UNREAD
    """True if its data lies on another machine, by its kind."""
    total: Fact[int] = UNREAD
    """Bytes."""
    free: Fact[int] = UNREAD
    read_only: Fact[bool] = UNREAD
    not_written: Fact[str | None] = None
    """Why nothing was written: read-only, no permission, little room."""
    small_files: Fact[dict[str, Latency]] = UNREAD
    """``create``, ``stat`` and ``read`` of files of 4 KiB that were made for it, not among data."""
    write_mbs: Fact[float] = UNREAD
    """MB/s of a large file with fsync."""
    read_mbs: Fact[float] = UNREAD
    direct: Fact[bool] = UNREAD
    """False if the page cache could not be kept out of ``read_mbs``."""
    files: Fact[int] = UNREAD
    """Of a folder with data: files that were found in it and read."""
    listing_seconds: Fact[float] = UNREAD
    given_files: Fact[dict[str, Latency]] = UNREAD
    """``stat`` and ``read`` (256 KiB at most) of them."""
    given_read_mbs: Fact[float] = UNREAD
    """MB/s of the largest of them, if it has 4 MiB."""
    given_direct: Fact[bool] = UNREAD


class Feed(Row, frozen=True, kw_only=True):
    """A DataLoader with some number of workers."""

    error: Fact[str | None] = None
    """What it died of."""
    left_alone: Fact[str | None] = None
    """Why it was not tried."""
    first_seconds: Fact[float] = UNREAD
    """Until the first batch: start of the workers, mostly."""
    samples_per_second: Fact[float] = UNREAD
    mbs: Fact[float] = UNREAD


class Crowd(Row, frozen=True, kw_only=True):
    """Processes that multiply with NumPy side by side, as loader workers do."""

    error: Fact[str | None] = None
    processes: Fact[int] = UNREAD
    threads: Fact[int] = UNREAD
    """Threads of each, as the job's environment has it."""
    per_second: Fact[float] = UNREAD
    """Products of all together."""
    per_second_single: Fact[float] = UNREAD
    """The same with one thread each."""


class LoaderTried(Measured, frozen=True, kw_only=True):
    """The input side of the machine."""

    small: Fact[bool] = UNREAD
    """True if sizes were small: speeds then say little."""
    processors: Fact[Processors] = UNREAD
    shm: Fact[SharedMemory] = UNREAD
    storage: Fact[dict[str, Storage]] = UNREAD
    """By name: ``data``, ``data-2`` … as asked for; ``cwd``, ``tmp`` where these are other mounts."""
    feeds: Fact[dict[str, dict[str, Feed]]] = UNREAD
    """By data set (``decode`` costs processor time, ``memory`` none, ``pinned`` goes on to the GPU), then by
    number of workers."""
    crowd: Fact[Crowd] = UNREAD
    """Unset without NumPy."""


class LoaderTrial(Tried, frozen=True, kw_only=True):
    """Input of the whole machine; one worker has measured it."""

    NAME: ClassVar[str] = "loader_trial"
    TABLE: ClassVar[str] = "devices"

    devices: Fact[dict[str, LoaderTried]] = UNREAD
    """One row, by the number of the device whose worker it was."""
