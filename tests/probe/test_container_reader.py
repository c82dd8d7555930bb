"""container: recognised in all its shapes, and never on an ordinary machine."""

from pathlib import Path

import pytest

from codeblue.model import facts
from tests.probe.loading import section, tree

ID = "0123456789abcdef" * 4
HOST_NS = {"/proc/self/ns/pid": "->pid:[4026531836]", "/proc/self/ns/uts": "->uts:[4026531838]"}
OWN_NS = {"/proc/self/ns/pid": "->pid:[4026532500]", "/proc/self/ns/uts": "->uts:[4026532498]"}
DISK = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"


def _overlay(lower: str) -> str:
    return f"1 0 0:50 / / rw,relatime - overlay overlay rw,lowerdir={lower}\n"


SHAPES = {
    "docker": (_overlay("/var/lib/docker/overlay2/l/X"), {"/.dockerenv": ""}, {}, "docker"),
    "docker, layers with containerd": (
        _overlay("/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/1/fs"),
        {"/.dockerenv": ""},
        {},
        "docker",
    ),
    "docker, cgroup v1 on btrfs": (
        "1 0 0:50 / / rw - btrfs /dev/sda rw\n",
        {"/proc/1/cgroup": f"4:memory:/docker/{ID}\n", "/.dockerenv": ""},
        {},
        "docker",
    ),
    "containerd": (
        _overlay("/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/1/fs"),
        {},
        {},
        "containerd",
    ),
    "podman": (
        _overlay("x"),
        {"/run/.containerenv": "", "/proc/1/environ": "A=b\0container=podman\0"},
        {},
        "podman",
    ),
    "pod": (_overlay("x"), {}, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, "kubernetes"),
    "lxc": (DISK, {"/run/systemd/container": "lxc"}, {}, "lxc"),
    "nspawn": (DISK, {"/run/systemd/container": "systemd-nspawn"}, {}, "unknown"),
    "no name": (_overlay("/layers/1"), {}, {}, "unknown"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_engine_is_recognised(shape: str, tmp_path: Path) -> None:
    mounts, files, environment, engine = SHAPES[shape]
    root = tree(tmp_path, {"/proc/self/mountinfo": mounts, **OWN_NS, **files})

    assert section(facts.Container, root, environment=environment).engine == engine


HOSTS = {
    "ordinary": (DISK, {"/proc/1/cgroup": "0::/init.scope\n"}, HOST_NS),
    "machine image made from a container image": (DISK, {"/.dockerenv": ""}, HOST_NS),
    "the same with an overlay root": (_overlay("/ro"), {"/.dockerenv": ""}, HOST_NS),
    "live system": (_overlay("/rofs"), {}, HOST_NS),
    "WSL distribution from a container image": (
        DISK,
        {"/.dockerenv": "", "/proc/sys/kernel/osrelease": "5.15.153.1-microsoft-standard-WSL2\n"},
        OWN_NS,
    ),
    "docker host": (DISK, {"/proc/self/cgroup": "0::/system.slice/docker.service\n"}, HOST_NS),
    "whole driver mounted": (DISK + "28 27 254:1 / /usr/local/nvidia ro - ext4 /dev/vdb ro\n", {}, HOST_NS),
}


@pytest.mark.parametrize("shape", HOSTS)
def test_a_machine_is_no_container(shape: str, tmp_path: Path) -> None:
    mounts, files, namespaces = HOSTS[shape]
    root = tree(tmp_path, {"/proc/self/mountinfo": mounts, **namespaces, **files})

    container = section(facts.Container, root)

    assert (container.state, container.reason) == ("absent", "no sign of a container")


def test_a_variable_alone_makes_no_container(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/proc/self/mountinfo": DISK, **HOST_NS})

    assert section(facts.Container, root, environment={"KUBERNETES_SERVICE_HOST": "x"}).state == "absent"


def test_driver_files_that_a_runtime_mounted_are_listed(tmp_path: Path) -> None:
    points = (
        "/usr/bin/nvidia-smi",
        "/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04",
        "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.580.159.04",
        "/usr/lib/firmware/nvidia/580.159.04/gsp_ga10x.bin",
        "/dev/nvidia0",
        "/data/libnvidia-notes.txt",
    )
    mounts = _overlay("/var/lib/docker/overlay2/l/X")
    mounts += "".join(f"9 1 8:1 {point} {point} ro - ext4 /dev/sda ro\n" for point in points)
    container = section(facts.Container, tree(tmp_path, {"/proc/self/mountinfo": mounts, **OWN_NS}))

    assert container.injected == sorted(points[:4])


def test_a_container_that_shares_the_namespaces_of_its_machine(tmp_path: Path) -> None:
    pod = tree(tmp_path / "pod", {"/proc/self/mountinfo": _overlay("x"), **HOST_NS})
    apptainer = tree(tmp_path / "apptainer", {"/proc/self/mountinfo": DISK, **HOST_NS})
    enroot = tree(tmp_path / "enroot", {"/proc/self/mountinfo": _overlay("/raid/enroot/data/x"), **HOST_NS})

    in_pod = {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}
    assert section(facts.Container, pod, environment=in_pod).engine == "kubernetes"
    assert (
        section(facts.Container, apptainer, environment={"APPTAINER_CONTAINER": "/a.sif"}).engine
        == "apptainer"
    )
    assert section(facts.Container, enroot).engine == "enroot"
