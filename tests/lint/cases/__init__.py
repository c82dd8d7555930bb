"""Cases of the rules, one module for each module of rules; every one is registered here."""

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
)
