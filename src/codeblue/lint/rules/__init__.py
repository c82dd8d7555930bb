"""Every rule, one visible line for each module."""

from codeblue.lint.rules.containers import (
    base_images,
    building,
    compose_fields,
    device_requests,
    driver_files,
    gpu_access,
    hardening,
    secrets,
)
from codeblue.lint.rules.containers import (
    shared_memory as container_memory,
)
from codeblue.lint.rules.environment import names
from codeblue.lint.rules.host import docker_daemon
from codeblue.lint.rules.kubernetes import gpu_request, shared_memory
from codeblue.lint.rules.packages import indexes, pairs, shell_quotes, versions

RULES = (
    *base_images.RULES,
    *building.RULES,
    *compose_fields.RULES,
    *device_requests.RULES,
    *driver_files.RULES,
    *gpu_access.RULES,
    *hardening.RULES,
    *secrets.RULES,
    *container_memory.RULES,
    *indexes.RULES,
    *pairs.RULES,
    *shell_quotes.RULES,
    *versions.RULES,
    *names.RULES,
    *docker_daemon.RULES,
    *gpu_request.RULES,
    *shared_memory.RULES,
)
