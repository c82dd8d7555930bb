"""Every rule, one visible line for each module."""

from codeblue.lint.rules.conda import archives, channels
from codeblue.lint.rules.documents import (
    approvals,
    architectures,
    commands,
    drivers,
    frameworks,
    images,
    machine,
)
from codeblue.lint.rules.environment import names
from codeblue.lint.rules.host import docker_daemon
from codeblue.lint.rules.kubernetes import gpu_request, shared_memory

RULES = (
    *approvals.RULES,
    *architectures.RULES,
    *archives.RULES,
    *channels.RULES,
    *commands.RULES,
    *drivers.RULES,
    *frameworks.RULES,
    *images.RULES,
    *machine.RULES,
    *names.RULES,
    *docker_daemon.RULES,
    *gpu_request.RULES,
    *shared_memory.RULES,
)
