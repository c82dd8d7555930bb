"""Snapshot v1: everything that was read, in views of one source each."""

from typing import ClassVar, TypeVar

from msgspec import UNSET, Struct

from codeblue.model import facts
from codeblue.model.section import UNREAD, Fact, NotRead, Section, State
from codeblue.model.text import Message

SCHEMA = "codeblue/snapshot/1"

SECTIONS: dict[str, type[Section]] = {
    kind.NAME: kind
    for kind in vars(facts).values()
    if isinstance(kind, type) and issubclass(kind, Section) and kind.NAME
}
"""Every kind of section by its name."""

LOOKED = (State.READ, State.ABSENT)
"""States of a section that was looked at."""

S = TypeVar("S", bound=Section)


class View(Struct, frozen=True, kw_only=True):
    """What one source saw: a probe of a machine, or one given text."""

    KINDS: ClassVar[tuple[str, ...]] = ("probe", "text")

    kind: str
    """``probe`` or ``text``."""
    name: str
    """The target as the user wrote it, or the file's name."""
    side: str | None = None
    """``container`` or ``host`` where both sides of a boundary were looked at."""
    host_name: str | None = None
    """Pseudonym of the host; None if the source does not say."""
    boot: str | None = None
    """Pseudonym of the boot id."""
    time: str | None = None
    """When it was read, UTC, ISO 8601."""
    seconds: float = 0.0
    until: str = "frameworks"
    """The last phase that was asked for; layers behind it were not."""
    complete: bool = True
    """False while the last phase is still running."""
    without_gpu: bool = False
    """True if the probe was started where no GPU was asked for: none can be used, rightly."""
    probe_python: str | None = None
    """Version of the interpreter that ran the probe."""

    host: Fact[facts.Host] = UNREAD
    modules: Fact[facts.KernelModules] = UNREAD
    pci: Fact[facts.Pci] = UNREAD
    driver: Fact[facts.Driver] = UNREAD
    driver_files: Fact[facts.DriverFiles] = UNREAD
    nodes: Fact[facts.Nodes] = UNREAD
    user: Fact[facts.User] = UNREAD
    login: Fact[facts.Login] = UNREAD
    limits: Fact[facts.Limits] = UNREAD
    filesystems: Fact[facts.Filesystems] = UNREAD
    cgroup: Fact[facts.Cgroup] = UNREAD
    container: Fact[facts.Container] = UNREAD
    engine: Fact[facts.Engine] = UNREAD
    vgpu: Fact[facts.VirtualGpu] = UNREAD
    container_run: Fact[facts.ContainerRun] = UNREAD
    environment: Fact[facts.Environment] = UNREAD
    kernel_log: Fact[facts.KernelLog] = UNREAD
    services: Fact[facts.Services] = UNREAD
    network: Fact[facts.Network] = UNREAD
    clock: Fact[facts.Clock] = UNREAD
    packages: Fact[facts.Packages] = UNREAD
    loader: Fact[facts.Loader] = UNREAD
    cuda: Fact[facts.Cuda] = UNREAD
    nvml: Fact[facts.Nvml] = UNREAD
    fabric: Fact[facts.Fabric] = UNREAD
    nvidia_smi: Fact[facts.NvidiaSmi] = UNREAD
    python: Fact[facts.Python] = UNREAD
    jupyter: Fact[facts.Jupyter] = UNREAD
    conda: Fact[facts.Conda] = UNREAD
    torch: Fact[facts.Torch] = UNREAD
    nvcc: Fact[facts.Nvcc] = UNREAD
    torch_trial: Fact[facts.TorchTrial] = UNREAD
    next_boot: Fact[facts.NextBoot] = UNREAD
    process: Fact[facts.Process] = UNREAD
    pods: Fact[facts.Pods] = UNREAD
    kubernetes_node: Fact[facts.KubernetesNode] = UNREAD
    collective_tests: Fact[facts.CollectiveTests] = UNREAD
    gpu_trial: Fact[facts.GpuTrial] = UNREAD
    links_trial: Fact[facts.LinksTrial] = UNREAD
    nccl_trial: Fact[facts.NcclTrial] = UNREAD
    memory_trial: Fact[facts.MemoryTrial] = UNREAD
    numerics_trial: Fact[facts.NumericsTrial] = UNREAD
    numerics_base: Fact[facts.NumericsBase] = UNREAD
    loader_trial: Fact[facts.LoaderTrial] = UNREAD
    trial_history: Fact[facts.TrialHistory] = UNREAD
    sightings: Fact[facts.Sightings] = UNREAD
    expectations: Fact[facts.Expectations] = UNREAD

    def section(self, kind: type[S]) -> S:
        """Return the section of this type.

        Raises NotRead if no reader delivered it or the reader could not look.
        An absent section is returned: its state says so.
        """
        section = getattr(self, kind.NAME)
        if section is UNSET:
            raise NotRead(f"{kind.NAME}: {State.NOT_ATTEMPTED.value}")
        assert isinstance(section, kind)
        # The state is always set: no need of the guard against unread facts, which takes its time.
        if object.__getattribute__(section, "state") not in LOOKED:
            raise NotRead(f"{kind.NAME}: {section.state.value}", section.reason)
        return section


class Snapshot(Struct, frozen=True, kw_only=True):
    """One or more views that are judged together. The first probe view is the machine."""

    schema: str = SCHEMA
    codeblue: str = ""
    """Version of codeblue that wrote it."""
    target: str = "local"
    views: list[View] = []
    unreadable: list[Message] = []
    """Parts of what was asked for that could not be read, and why."""

    @property
    def host(self) -> View | None:
        """The view of a container's host, if it was looked at beside the container."""
        return next((view for view in self.views if view.side == "host"), None)

    @property
    def machine(self) -> View | None:
        """The view of the probe, if one is there."""
        return next((view for view in self.views if view.kind == "probe"), None)
