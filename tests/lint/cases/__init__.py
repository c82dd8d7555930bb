"""Cases of the rules; every module is registered here."""

from tests.lint.cases import compose, docker_daemon, docker_run, dockerfiles, names, packages, pods

CASES = (
    *compose.CASES,
    *docker_run.CASES,
    *dockerfiles.CASES,
    *packages.CASES,
    *docker_daemon.CASES,
    *names.CASES,
    *pods.CASES,
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
