"""Machines with a container engine, from a healthy one by the smallest change."""

from typing import Any

from codeblue.model.snapshot import Snapshot
from tests.conftest import recording

VERSION = "580.159.04"
"""The driver of the recorded machine."""
SPEC = "/etc/cdi/nvidia.yaml"
NO_GPU: dict[str, Any] = {"nvidia_gpus": [], "functions": {}}

ENGINE: dict[str, Any] = {
    "state": "read",
    "programs": {"docker": {"path": "/usr/bin/docker", "version": "28.5.1"}},
    "context": "default",
    "endpoint": "unix:///var/run/docker.sock",
    "remote": False,
    "reachable": True,
    "unreachable": None,
    "server_version": "28.5.1",
    "cgroup_driver": "systemd",
    "cgroup_version": "2",
    "rootless": False,
    "desktop": False,
    "snap": False,
    "runtimes": ["io.containerd.runc.v2", "nvidia", "runc"],
    "default_runtime": "runc",
    "daemon_json": {
        "path": "/etc/docker/daemon.json",
        "error": None,
        "line": None,
        "column": None,
        "runtimes": ["nvidia"],
        "default_runtime": None,
    },
    "cdi_specs": {},
    "toolkit": {"nvidia-ctk": {"path": "/usr/bin/nvidia-ctk", "version": "1.19.1"}},
    "toolkit_config": {"nvidia-container-cli.ldconfig": "@/sbin/ldconfig.real"},
    "ldconfig_there": True,
}

RUN: dict[str, Any] = {
    "state": "read",
    "engine": "docker",
    "status": "running",
    "error": None,
    "runtime": "runc",
    "device_requests": [],
    "devices": [],
    "privileged": False,
    "driver_mounts": [],
    "variables": {},
}
ALL_GPUS: dict[str, Any] = {
    "device_requests": [{"driver": "", "count": -1, "devices": [], "capabilities": ["gpu"]}]
}


def docker_host(
    engine: dict[str, Any] | None = None, run: dict[str, Any] | None = None, **sections: Any
) -> Snapshot:
    """Return a GPU machine with a healthy docker, changed in some fields, and a container if ``run``."""
    whole = {key: value for key, value in (ENGINE | (engine or {})).items() if value is not ...}
    container = {"state": "absent"} if run is None else RUN | run
    return recording("h200-healthy", engine=whole, container_run=container, **sections)
