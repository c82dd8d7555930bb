"""Cases of the rules, one module for each module of rules; every one is registered here."""

from tests.lint.cases import docker_daemon, manifests, names, pods

CASES = (
    *docker_daemon.CASES,
    *manifests.CASES,
    *names.CASES,
    *pods.CASES,
)
