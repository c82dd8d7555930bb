"""Cases of the rules, one module for each module of rules; every one is registered here."""

from tests.lint.cases import (
    docker_daemon,
    names,
    pod_devices,
    pod_runs,
    pod_variables,
    pods,
    variables,
)

CASES = (
    *docker_daemon.CASES,
    *names.CASES,
    *pod_devices.CASES,
    *pod_runs.CASES,
    *pod_variables.CASES,
    *pods.CASES,
    *variables.CASES,
)
