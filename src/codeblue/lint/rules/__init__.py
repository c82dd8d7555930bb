"""Every rule, one visible line for each module."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import get_data

import msgspec

from codeblue.model.lint import Rule

MODULES = (
    "automation.boot",
    "automation.commands",
    "automation.engine",
    "automation.handlers",
    "automation.nodes",
    "automation.packages",
    "ci.gpu_jobs",
    "ci.secrets",
    "conda.archives",
    "conda.channels",
    "containers.base_images",
    "containers.building",
    "containers.compose_fields",
    "containers.device_requests",
    "containers.driver_files",
    "containers.gpu_access",
    "containers.hardening",
    "containers.secrets",
    "containers.shared_memory",
    "documents.approvals",
    "documents.architectures",
    "documents.commands",
    "documents.drivers",
    "documents.frameworks",
    "documents.images",
    "documents.machine",
    "environment.allocator",
    "environment.deprecated",
    "environment.devices",
    "environment.left_on",
    "environment.names",
    "environment.transports",
    "environment.values",
    "host.access",
    "host.boot",
    "host.cdi",
    "host.containerd",
    "host.docker_daemon",
    "host.docker_runtimes",
    "host.env_file",
    "host.modprobe",
    "host.packages",
    "host.slurm",
    "host.slurm_gres",
    "host.systemd",
    "host.toolkit",
    "host.udev",
    "kubernetes.environment",
    "kubernetes.gpu_request",
    "kubernetes.images",
    "kubernetes.jobs",
    "kubernetes.launch",
    "kubernetes.mesh",
    "kubernetes.mig",
    "kubernetes.privileges",
    "kubernetes.probes",
    "kubernetes.rdma",
    "kubernetes.scheduling",
    "kubernetes.schema.fields",
    "kubernetes.schema.keys",
    "kubernetes.schema.values",
    "kubernetes.schema.versions",
    "kubernetes.secrets",
    "kubernetes.services",
    "kubernetes.shared_memory",
    "kubernetes.visible",
    "launch.endings",
    "launch.exports",
    "launch.locks",
    "launch.paths",
    "launch.ranks",
    "launch.rendezvous",
    "launch.sbatch",
    "launch.visible",
    "packages.indexes",
    "packages.pairs",
    "packages.shell_quotes",
    "packages.versions",
    "setup.boot",
    "setup.conda",
    "setup.drivers",
    "setup.engine",
    "setup.processes",
)
"""In each a tuple ``RULES``."""


def every() -> Iterator[Rule]:
    """Yield all rules; this imports them all."""
    for name in MODULES:
        yield from _rules(name)


@cache
def of_part(part: str) -> tuple[Rule, ...]:
    """Return the rules that look at a type of part, named as ``name_of`` does; only they are imported."""
    return tuple(
        rule for name in _index().get(part, ()) for rule in _rules(name) if name_of(rule.part) == part
    )


def name_of(part: type) -> str:
    """Return the name of a type of part in the index: the last part of its module, and its own name."""
    return f"{part.__module__.rpartition('.')[2]}.{part.__name__}"


def _rules(name: str) -> tuple[Rule, ...]:
    found: tuple[Rule, ...] = import_module(f"{__name__}.{name}").RULES
    return found


@cache
def _index() -> dict[str, list[str]]:
    """Return the modules that look at a part, by the name of its type; ``make index`` builds it."""
    content = get_data(__name__, "index.json")
    assert content is not None  # only a foreign loader cannot say
    return msgspec.json.decode(content, type=dict[str, list[str]])
