"""Every rule, one visible line for each module."""

from codeblue.lint.rules.environment import names
from codeblue.lint.rules.host import (
    access,
    boot,
    cdi,
    containerd,
    docker_daemon,
    docker_runtimes,
    env_file,
    modprobe,
    packages,
    slurm,
    slurm_gres,
    systemd,
    toolkit,
    udev,
)
from codeblue.lint.rules.kubernetes import gpu_request, shared_memory

RULES = (
    *names.RULES,
    *access.RULES,
    *boot.RULES,
    *cdi.RULES,
    *containerd.RULES,
    *docker_daemon.RULES,
    *docker_runtimes.RULES,
    *env_file.RULES,
    *modprobe.RULES,
    *packages.RULES,
    *slurm.RULES,
    *slurm_gres.RULES,
    *systemd.RULES,
    *toolkit.RULES,
    *udev.RULES,
    *gpu_request.RULES,
    *shared_memory.RULES,
)
