"""Every rule, one visible line for each module."""

from codeblue.lint.rules.environment import names
from codeblue.lint.rules.host import docker_daemon
from codeblue.lint.rules.kubernetes import gpu_request, shared_memory
from codeblue.lint.rules.kubernetes.schema import fields, keys, values, versions

RULES = (
    *names.RULES,
    *docker_daemon.RULES,
    *gpu_request.RULES,
    *shared_memory.RULES,
    *fields.RULES,
    *keys.RULES,
    *values.RULES,
    *versions.RULES,
)
