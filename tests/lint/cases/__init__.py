"""Cases of the rules; every module is registered here."""

from tests.lint.cases import (
    docker_daemon,
    launch_ranks,
    launch_sbatch,
    launch_variables,
    names,
    pipelines,
    playbooks,
    pods,
    setup_scripts,
)

CASES = (
    *docker_daemon.CASES,
    *launch_ranks.CASES,
    *launch_sbatch.CASES,
    *launch_variables.CASES,
    *names.CASES,
    *pipelines.CASES,
    *playbooks.CASES,
    *pods.CASES,
    *setup_scripts.CASES,
from importlib import import_module

from tests.lint.case import Case

MODULES = (
    "docker_daemon",
    "names",
    "pod_devices",
    "pod_runs",
    "pod_variables",
    "pods",
    "variables",
)
CASES: tuple[Case, ...] = tuple(
    case for name in MODULES for case in import_module(f"{__name__}.{name}").CASES
)
