"""Remedies are data: steps from a closed set of verbs."""

from enum import Enum

from msgspec import Struct

from codeblue.model.text import Message


class Verb(str, Enum):
    """Everything a remedy may ask for."""

    NODE_MODE = "node-mode"
    NODES_CREATE = "nodes-create"
    GROUP_JOIN = "group-join"
    ENV_SET = "env-set"
    ENV_UNSET = "env-unset"
    MODULE_LOAD = "module-load"
    SERVICE_START = "service-start"
    PIP_INSTALL = "pip-install"
    PIP_REINSTALL = "pip-reinstall"
    PIP_UNINSTALL = "pip-uninstall"
    SHM_RESIZE = "shm-resize"
    LIMIT_RAISE = "limit-raise"
    FILE_RENAME = "file-rename"
    LDCONFIG = "ldconfig"
    PROCESS_STOP = "process-stop"
    FILE_EDIT = "file-edit"
    FILE_WRITE = "file-write"
    FILE_MODE = "file-mode"
    FILE_OWNER = "file-owner"
    SERVICE_RESTART = "service-restart"
    SERVICE_RELOAD = "service-reload"
    SERVICE_ENABLE = "service-enable"
    SYSCTL_SET = "sysctl-set"
    KERNEL_PARAMETER = "kernel-parameter"
    INITRAMFS_REBUILD = "initramfs-rebuild"
    CDI_GENERATE = "cdi-generate"
    PACKAGE_INSTALL = "package-install"
    PACKAGE_HOLD = "package-hold"
    PACKAGE_UNHOLD = "package-unhold"
    CACHE_CLEAN = "cache-clean"
    KERNELSPEC_PYTHON = "kernelspec-python"
    CONTAINER_FLAGS = "container-flags"
    POD_PATCH = "pod-patch"
    REBOOT = "reboot"
    INSTRUCT = "instruct"


BY_PEOPLE = frozenset((Verb.INSTRUCT, Verb.REBOOT, Verb.CONTAINER_FLAGS, Verb.POD_PATCH))
"""Verbs that are told or written out, and carried out by somebody else."""


class Automation(str, Enum):
    """Who may carry a remedy out."""

    AUTOMATIC = "automatic"
    APPROVAL = "approval"
    HUMAN = "human"


class Undo(str, Enum):
    """How a remedy can be taken back."""

    EXACT = "exact"
    COMPENSATING = "compensating"
    NONE = "none"


class Risk(str, Enum):
    """What a step may disturb, from least to most."""

    SAFE = "safe"
    IDLE = "idle-gpus"
    """Only while no program uses the GPUs."""
    DISRUPTIVE = "disruptive"
    """Running work or a service is disturbed."""
    REBOOT = "reboot"
    HUMAN = "human"
    """Nothing that a program should do."""


class Step(Struct, frozen=True):
    """One action: a verb, its arguments and why."""

    verb: Verb
    why: Message
    args: dict[str, str] = {}


class Remedy(Struct, frozen=True):
    """What to do about a finding."""

    summary: Message
    steps: tuple[Step, ...]
    automation: Automation
    undo: Undo

    @property
    def appliable(self) -> bool:
        """Return whether ``fix`` carries every step out by itself, once it may, up to a reboot at its end."""
        steps = self.steps[:-1] if self.steps and self.steps[-1].verb is Verb.REBOOT else self.steps
        by_people = any(step.verb in BY_PEOPLE for step in steps)
        return self.automation is not Automation.HUMAN and bool(steps) and not by_people
