"""Cases of the rules, one module for each module of rules; every one is registered here."""

from tests.lint.cases import conda, docker_daemon, documents, names, pods

CASES = (
    *conda.CASES,
    *docker_daemon.CASES,
    *documents.CASES,
    *names.CASES,
    *pods.CASES,
)
