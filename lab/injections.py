"""The ways in which the lab breaks a machine."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from lab import device_cgroup
from lab.experiment import Stage
from lab.workloads import OTHER_ARCHITECTURE

Injection = Callable[[Stage], None]

ENVIRONMENT_LIBRARIES = (
    "import json, sysconfig; from pathlib import Path; site = Path(sysconfig.get_paths()['purelib']); "
    "print(json.dumps([str(p) for d in ('nvidia', 'torch/lib') for p in site.joinpath(d).rglob('*.so*')]))"
)


def node_mode(name: str, mode: int) -> Injection:
    """Give a node another mode."""
    return lambda stage: stage.scene.node(name, mode)


def node_major(name: str, major: int) -> Injection:
    """Give a node a major number that no driver has."""
    return lambda stage: stage.scene.node(name, 0o666, major)


def nodes_missing(*names: str) -> Injection:
    """Take nodes away."""
    return lambda stage: stage.scene.without_nodes(names)


def nodev(*names: str) -> Injection:
    """Put nodes on a mount with the option nodev."""
    return lambda stage: stage.scene.nodev(names)


def cgroup_denies(stage: Stage) -> None:
    """Let a device cgroup refuse the NVIDIA nodes."""
    major = os.major(os.stat("/dev/nvidiactl").st_rdev)
    group = device_cgroup.deny(major, f"codeblue-lab-{os.getpid()}")
    stage.cleanup.append(lambda: device_cgroup.leave(group))


def stub_libcuda(stage: Stage) -> None:
    """Put the toolkit's stub first on the library path."""
    stub = next(path for path in Path("/usr/local").glob("cuda*/lib64/stubs/libcuda.so"))
    link = stage.scene.path("libcuda.so.1")
    link.symlink_to(stub)
    stage.environment["LD_LIBRARY_PATH"] = str(link.parent)


def driver_library_empty(soname: str) -> Injection:
    """Empty every copy of a driver library that the loader knows."""

    def inject(stage: Stage) -> None:
        listing = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
        lines = [line.strip() for line in listing.splitlines() if line.strip().startswith(soname + " ")]
        for path in {Path(line.split(" => ")[1]).resolve() for line in lines}:
            stage.scene.cover(path, b"")

    return inject


def environment_library(pattern: str, keep: int = 0) -> Injection:
    """Cut the Python environment's libraries of this name to ``keep`` bytes."""

    def inject(stage: Stage) -> None:
        command = [stage.python, "-c", ENVIRONMENT_LIBRARIES]
        paths = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        chosen = {path.resolve() for path in map(Path, paths) if path.match(pattern)}
        assert chosen, pattern
        for path in chosen:
            with path.open("rb") as stream:
                stage.scene.cover(path, stream.read(keep))

    return inject


def hollow_library(soname: str) -> Injection:
    """Put an empty library of this name first on the library path."""

    def inject(stage: Stage) -> None:
        stage.environment["LD_LIBRARY_PATH"] = str(stage.scene.library(soname))

    return inject


def small_shm(size: str) -> Injection:
    """Mount a small /dev/shm."""

    def inject(stage: Stage) -> None:
        options = f"size={size},mode=1777"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "lab", "/dev/shm"], check=True)

    return inject


def hidden(*folders: str) -> Injection:
    """Mount empty folders over these."""

    def inject(stage: Stage) -> None:
        for folder in folders:
            if Path(folder).is_dir():
                stage.scene.hide(Path(folder))

    return inject


def module_hidden(*names: str) -> Injection:
    """Take modules out of /proc/modules and /sys/module, as if they were not loaded."""
    modules = Path("/sys/module")

    def inject(stage: Stage) -> None:
        rows = Path("/proc/modules").read_text(encoding="ascii").splitlines(keepends=True)
        kept = [row for row in rows if row.split()[0] not in names]
        substitute = stage.scene.path("modules")
        substitute.write_text("".join(kept), encoding="ascii")
        subprocess.run(["mount", "--bind", str(substitute), "/proc/modules"], check=True)
        others = [entry.name for entry in modules.iterdir() if entry.name not in names]
        stage.scene.hide(modules)
        for name in others:
            (modules / name).mkdir()

    return inject


def no_gpu_on_the_bus(stage: Stage) -> None:
    """Show a PCI bus without NVIDIA functions."""
    bus = Path("/sys/bus/pci/devices")
    others = {
        entry.name: os.readlink(entry)
        for entry in bus.iterdir()
        if (entry / "vendor").read_text(encoding="ascii").strip() != "0x10de"
    }
    stage.scene.hide(bus)
    for name, target in others.items():
        (bus / name).symlink_to(target)


def nvidia_smi(script: str) -> Injection:
    """Put another nvidia-smi first on PATH."""

    def inject(stage: Stage) -> None:
        path = stage.scene.path("nvidia-smi")
        path.write_text(script, encoding="utf-8")
        path.chmod(0o755)
        stage.environment["PATH"] = f"{path.parent}:{stage.environment['PATH']}"

    return inject


def other_architecture(stage: Stage) -> None:
    """Run a program that has code for another GPU generation only, and keep its words."""
    source = stage.scene.path("other.cu")
    source.write_text(OTHER_ARCHITECTURE, encoding="utf-8")
    binary = source.with_suffix("")
    code = "-gencode=arch=compute_100,code=sm_100"
    subprocess.run(["nvcc", code, str(source), "-o", str(binary)], check=True)
    stage.log = stage.home / "job" / "train.log"
    with stage.log.open("wb") as output:
        stage.start([str(binary)], stdout=output, stderr=subprocess.STDOUT).wait(60)


def all_of(*injections: Injection) -> Injection:
    """Do several things."""

    def inject(stage: Stage) -> None:
        for injection in injections:
            injection(stage)

    return inject
