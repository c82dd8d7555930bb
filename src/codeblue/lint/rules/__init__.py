"""Every rule, one visible line for each module."""

from codeblue.lint.rules.environment import allocator, deprecated, devices, left_on, names, transports, values
from codeblue.lint.rules.host import docker_daemon
from codeblue.lint.rules.kubernetes import gpu_request, shared_memory
from codeblue.lint.rules.kubernetes.schema import fields, keys, values, versions
from codeblue.lint.rules.kubernetes import (
    environment,
    gpu_request,
    images,
    jobs,
    launch,
    mesh,
    mig,
    privileges,
    probes,
    rdma,
    scheduling,
    services,
    shared_memory,
    visible,
)
from codeblue.lint.rules.automation import boot as playbook_boot
from codeblue.lint.rules.automation import commands, handlers, nodes, packages
from codeblue.lint.rules.automation import engine as playbook_engine
from codeblue.lint.rules.ci import gpu_jobs, secrets
from codeblue.lint.rules.environment import names
from codeblue.lint.rules.host import docker_daemon
from codeblue.lint.rules.kubernetes import gpu_request, shared_memory
from codeblue.lint.rules.launch import endings, exports, ranks, rendezvous, sbatch, visible
from codeblue.lint.rules.setup import boot, drivers, engine, processes

RULES = (
    *allocator.RULES,
    *deprecated.RULES,
    *devices.RULES,
    *left_on.RULES,
    *names.RULES,
    *transports.RULES,
    *values.RULES,
    *docker_daemon.RULES,
    *environment.RULES,
    *gpu_request.RULES,
    *images.RULES,
    *jobs.RULES,
    *launch.RULES,
    *mesh.RULES,
    *mig.RULES,
    *privileges.RULES,
    *probes.RULES,
    *rdma.RULES,
    *scheduling.RULES,
    *services.RULES,
    *shared_memory.RULES,
    *fields.RULES,
    *keys.RULES,
    *values.RULES,
    *versions.RULES,
    *visible.RULES,
    *ranks.RULES,
    *rendezvous.RULES,
    *sbatch.RULES,
    *visible.RULES,
    *exports.RULES,
    *endings.RULES,
    *processes.RULES,
    *boot.RULES,
    *engine.RULES,
    *drivers.RULES,
    *nodes.RULES,
    *handlers.RULES,
    *playbook_boot.RULES,
    *playbook_engine.RULES,
    *packages.RULES,
    *commands.RULES,
    *gpu_jobs.RULES,
    *secrets.RULES,
)
