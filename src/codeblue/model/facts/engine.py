"""Facts about the container engines of a machine, and about one container as its engine tells."""

from typing import ClassVar

from codeblue.model.facts.process import Limit
from codeblue.model.section import UNREAD, Fact, Row, Section


class DaemonJson(Row, frozen=True, kw_only=True):
    """The configuration file of the docker daemon."""

    path: Fact[str] = UNREAD
    error: Fact[str | None] = UNREAD
    """What the JSON parser says; None if the file is sound."""
    line: Fact[int | None] = UNREAD
    column: Fact[int | None] = UNREAD
    only_commas: Fact[bool] = UNREAD
    """True if nothing is wrong but commas before closing brackets."""
    runtimes: Fact[list[str]] = UNREAD
    """Names under ``runtimes``."""
    default_runtime: Fact[str | None] = UNREAD
    exec_opts: Fact[list[str]] = UNREAD
    default_shm_size: Fact[str | None] = UNREAD
    default_ulimits: Fact[list[str]] = UNREAD
    """Names of the limits that are set."""
    cdi: Fact[bool | None] = UNREAD
    """``features.cdi``."""
    data_root: Fact[str | None] = UNREAD


class CdiSpec(Row, frozen=True, kw_only=True):
    """One specification of the Container Device Interface, as far as its text shows."""

    kind: Fact[str | None] = UNREAD
    """E.g. ``nvidia.com/gpu``."""
    devices: Fact[list[str]] = UNREAD
    driver_versions: Fact[list[str]] = UNREAD
    """Driver releases in the names of the libraries that it mounts."""
    missing: Fact[list[str]] = UNREAD
    """Libraries with a driver release in their names that it mounts and that are not there; at most five."""


class Tool(Row, frozen=True, kw_only=True):
    """One program of the NVIDIA container toolkit."""

    path: Fact[str] = UNREAD
    version: Fact[str | None] = UNREAD
    """None if it does not say."""


class Engine(Section, frozen=True, kw_only=True):
    """Container engines as the judged user meets them. Absent: there is neither docker nor podman."""

    NAME: ClassVar[str] = "engine"

    programs: Fact[dict[str, Tool]] = UNREAD
    """Command-line programs at hand, by engine: ``docker``, ``podman``."""
    endpoint: Fact[str | None] = UNREAD
    """Local socket that the docker command talks to, or the scheme (``ssh``, ``tcp``) of a remote one;
    None without docker, or if the context does not exist."""
    context: Fact[str | None] = UNREAD
    """Docker's current context."""
    remote: Fact[bool] = UNREAD
    """True if the docker command talks to another machine; its daemon is not asked."""
    reachable: Fact[bool] = UNREAD
    """True if the docker daemon answered this user."""
    unreachable: Fact[str | None] = UNREAD
    """Why not: ``denied``, ``down``, ``no-socket``, ``asleep`` (systemd would start it), ``timeout``,
    ``no-such-context``, ``no-docker``."""
    server_version: Fact[str | None] = UNREAD
    cgroup_driver: Fact[str | None] = UNREAD
    cgroup_version: Fact[str | None] = UNREAD
    rootless: Fact[bool] = UNREAD
    desktop: Fact[bool] = UNREAD
    """True for the virtual machine of Docker Desktop."""
    snap: Fact[bool] = UNREAD
    runtimes: Fact[list[str]] = UNREAD
    """Runtimes that the running docker daemon knows."""
    default_runtime: Fact[str | None] = UNREAD
    daemon_json: Fact[DaemonJson | None] = UNREAD
    """None: there is no such file."""
    cdi_specs: Fact[dict[str, CdiSpec]] = UNREAD
    """By path."""
    toolkit: Fact[dict[str, Tool]] = UNREAD
    """Programs of the NVIDIA container toolkit at hand, by name."""
    toolkit_config: Fact[dict[str, str] | None] = UNREAD
    """Settings of config.toml, e.g. ``nvidia-container-cli.no-cgroups``; None: no such file."""
    ldconfig_there: Fact[bool | None] = UNREAD
    """Whether the host's ldconfig that config.toml names exists; None if it names none of the host."""


class DeviceRequest(Row, frozen=True, kw_only=True):
    """What ``--gpus`` or ``--device KIND=NAME`` asked for."""

    driver: Fact[str] = UNREAD
    """``nvidia``, ``cdi`` or empty."""
    count: Fact[int] = UNREAD
    """-1 is all."""
    devices: Fact[list[str]] = UNREAD
    capabilities: Fact[list[str]] = UNREAD


class ContainerRun(Section, frozen=True, kw_only=True):
    """The container that is judged, as its engine describes it from outside.

    Absent: the target is no container, or there is none of that name.
    """

    NAME: ClassVar[str] = "container_run"

    engine: Fact[str] = UNREAD
    name: Fact[str | None] = UNREAD
    status: Fact[str] = UNREAD
    """``created``, ``running``, ``paused``, ``restarting``, ``exited``, ``dead``."""
    started: Fact[str | None] = UNREAD
    """When it was last started, UTC, ISO 8601; None: never."""
    ended: Fact[str | None] = UNREAD
    """When it last ended; None: never."""
    exit_code: Fact[int | None] = UNREAD
    error: Fact[str | None] = UNREAD
    """Why the engine could not start it."""
    oom_killed: Fact[bool] = UNREAD
    pid: Fact[int | None] = UNREAD
    """None if it does not run."""
    image: Fact[str | None] = UNREAD
    image_id: Fact[str | None] = UNREAD
    runtime: Fact[str | None] = UNREAD
    device_requests: Fact[list[DeviceRequest]] = UNREAD
    devices: Fact[list[str]] = UNREAD
    """Paths on the host of the devices handed in one by one."""
    privileged: Fact[bool] = UNREAD
    shm_size: Fact[int | None] = UNREAD
    """Bytes."""
    ipc_mode: Fact[str | None] = UNREAD
    ulimits: Fact[dict[str, Limit]] = UNREAD
    cgroup_parent: Fact[str | None] = UNREAD
    variables: Fact[dict[str, str]] = UNREAD
    """Environment variables that GPU software reads, as in the section environment."""
    driver_mounts: Fact[list[str]] = UNREAD
    """Targets of bind mounts that look like files of the driver."""
    root: Fact[str | None] = UNREAD
    """Folder of its root file system, as far as the storage driver tells."""
    user: Fact[str | None] = UNREAD
    network_mode: Fact[str | None] = UNREAD
