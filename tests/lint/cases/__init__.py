"""Cases of the rules, one module for each module of rules; every one is registered here."""

from tests.lint.cases import compose, docker_daemon, docker_run, dockerfiles, names, packages, pods

CASES = (
    *compose.CASES,
    *docker_run.CASES,
    *dockerfiles.CASES,
    *packages.CASES,
    *docker_daemon.CASES,
    *names.CASES,
    *pods.CASES,
)
