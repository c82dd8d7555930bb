"""Every rule, one visible line for each module."""

from codeblue.lint.rules.environment import (
    allocator,
    deprecated,
    devices,
    left_on,
    names,
    transports,
    value_kinds,
)
from codeblue.lint.rules.host import docker_daemon
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
from codeblue.lint.rules.kubernetes.schema import fields, keys, values, versions

RULES = (
    *allocator.RULES,
    *deprecated.RULES,
    *devices.RULES,
    *left_on.RULES,
    *names.RULES,
    *transports.RULES,
    *value_kinds.RULES,
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
)
