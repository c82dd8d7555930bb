"""Cases of the rules, one module for each module of rules; every one is registered here."""

from tests.lint.cases import access, boot, docker_daemon, names, pods, services, toolkit

CASES = (
    *access.CASES,
    *boot.CASES,
    *docker_daemon.CASES,
    *names.CASES,
    *pods.CASES,
    *services.CASES,
    *toolkit.CASES,
)
