"""Cases of the rules; every module is registered here."""

from importlib import import_module

from tests.lint.case import Case

MODULES = (
    "access",
    "boot",
    "compose",
    "conda",
    "docker_daemon",
    "docker_run",
    "dockerfiles",
    "documents",
    "launch_ranks",
    "launch_sbatch",
    "launch_variables",
    "manifests",
    "names",
    "packages",
    "pipelines",
    "playbooks",
    "pod_devices",
    "pod_runs",
    "pod_variables",
    "pods",
    "services",
    "setup_scripts",
    "toolkit",
    "variables",
)
CASES: tuple[Case, ...] = tuple(
    case for name in MODULES for case in import_module(f"{__name__}.{name}").CASES
)
