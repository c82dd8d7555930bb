"""Every experiment of the lab: name, what is wrong, and the fault that must be named first."""

import resource

from lab import injections as do
from lab.experiment import Experiment

GPU_NODES = ("nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")
NO_DRIVER = do.all_of(
    do.module_hidden("nvidia", "nvidia_uvm"),
    do.hidden("/proc/driver"),
    do.nodes_missing(*GPU_NODES),
)
MPS = {"CUDA_MPS_PIPE_DIRECTORY": "/nowhere/mps"}
CACHE = {"CUDA_CACHE_PATH": "/proc/nowhere"}


PLAIN = dict.fromkeys(
    (
        "CUDA_HOME",
        "CUDA_VERSION",
        "LD_LIBRARY_PATH",
        "NCCL_VERSION",
        "NVIDIA_DRIVER_CAPABILITIES",
        "NVIDIA_PRODUCT_NAME",
        "NVIDIA_REQUIRE_CUDA",
        "NVIDIA_VISIBLE_DEVICES",
        "TORCH_CUDA_ARCH_LIST",
    )
)
"""What CUDA images set; without it the machine is an ordinary one."""


def fault(name: str, expect: str, **what: object) -> Experiment:
    """Return an experiment in which something is wrong."""
    return Experiment(name=name, expect=expect, **what)  # type: ignore[arg-type]  # checked when the struct is made


def control(name: str, **what: object) -> Experiment:
    """Return an experiment in which everything works, in spite of how it looks."""
    return Experiment(name=name, expect=None, **what)  # type: ignore[arg-type]  # checked when the struct is made


def box(name: str, expect: str | None, missing: tuple[str, ...] = (), **what: object) -> Experiment:
    """Return an experiment inside a container-like view, judged for an ordinary user."""
    return Experiment(
        name=name,
        expect=expect,
        box=missing,
        root=True,
        as_user="nobody",
        **what,  # type: ignore[arg-type]  # checked when the struct is made
    )


ALL = (
    control("healthy"),
    control("healthy-root", root=True),
    # The base of the tests of single faults: everything is read, also what only root may read.
    control("h200-healthy", root=True, as_user="nobody", environment=PLAIN),
    control("memlock-64k", limits={resource.RLIMIT_MEMLOCK: 64 << 10}),
    control("nofile-64", limits={resource.RLIMIT_NOFILE: 64}),
    control("mps-pipe-bad", environment=MPS),
    control("cache-unwritable", environment=CACHE),
    control("proc-hidden", inject=do.hidden("/proc/driver/nvidia")),
    control("tf32-off", environment={"NVIDIA_TF32_OVERRIDE": "0"}),
    control("one-gpu-chosen", environment={"CUDA_VISIBLE_DEVICES": "0"}),
    control("uvm-tools-0600", inject=do.node_mode("nvidia-uvm-tools", 0o600)),
    # The wheels find their own libraries first (DT_RPATH), whatever LD_LIBRARY_PATH says.
    control("nvjitlink-hollow", inject=do.hollow_library("libnvJitLink.so.13")),
    control("cublas-hollow", inject=do.hollow_library("libcublasLt.so.13")),
    control("cudnn-hollow", inject=do.hollow_library("libcudnn.so.9")),
    fault("nvidiactl-0644", "device-node-permissions", inject=do.node_mode("nvidiactl", 0o644)),
    fault("nvidia0-0600", "device-node-permissions", inject=do.node_mode("nvidia0", 0o600)),
    fault("nvidia-uvm-0600", "device-node-permissions", inject=do.node_mode("nvidia-uvm", 0o600)),
    fault("nvidiactl-missing", "device-node-missing", inject=do.nodes_missing("nvidiactl")),
    fault("nvidia0-missing", "device-node-missing", inject=do.nodes_missing("nvidia0")),
    fault("nvidia-uvm-missing", "device-node-missing", inject=do.nodes_missing("nvidia-uvm")),
    fault("nvidia-uvm-major", "device-node-stale", inject=do.node_major("nvidia-uvm", 237)),
    fault("cgroup-denies", "cgroup-device-access-denied", inject=do.cgroup_denies),
    fault("cgroup-denies-root", "cgroup-device-access-denied", inject=do.cgroup_denies, root=True),
    fault("dev-nodev", "cgroup-device-access-denied", inject=do.nodev(*GPU_NODES)),
    fault("address-space-4g", "virtual-memory-limit-too-low", limits={resource.RLIMIT_AS: 4 << 30}),
    fault("libcuda-stub", "libcuda-stub-loaded", inject=do.stub_libcuda),
    fault("libcuda-empty", "libcuda-not-found", inject=do.driver_library_empty("libcuda.so.1")),
    fault("nvml-empty", "nvml-library-not-found", inject=do.driver_library_empty("libnvidia-ml.so.1")),
    fault("libgomp-empty", "library-file-damaged", inject=do.environment_library("libgomp*.so*")),
    fault("libcudnn-empty", "library-file-damaged", inject=do.environment_library("libcudnn.so.9")),
    fault("libcudnn-sub-empty", "library-file-damaged", inject=do.environment_library("libcudnn_*.so.9")),
    fault("libnccl-empty", "library-file-damaged", inject=do.environment_library("libnccl.so.2")),
    fault(
        "libcublaslt-cut",
        "library-file-damaged",
        inject=do.environment_library("libcublasLt.so.13", keep=1 << 20),
    ),
    fault("libstdcxx-hollow", "libstdcxx-too-old", inject=do.hollow_library("libstdc++.so.6")),
    fault("module-not-loaded", "driver-module-missing-for-running-kernel", inject=NO_DRIVER),
    fault(
        "uvm-not-loaded",
        "nvidia-uvm-not-loaded",
        inject=do.all_of(do.module_hidden("nvidia_uvm"), do.nodes_missing("nvidia-uvm", "nvidia-uvm-tools")),
    ),
    fault(
        "no-gpu",
        "no-nvidia-gpu",
        inject=do.all_of(NO_DRIVER, do.no_gpu_on_the_bus),
        environment={"CUDA_VISIBLE_DEVICES": "0"},
    ),
    fault("nvidia-smi-hangs", "nvidia-smi-failed", inject=do.nvidia_smi("#!/bin/sh\nsleep 1000\n")),
    fault("cvd-empty", "cuda-visible-devices-empty", environment={"CUDA_VISIBLE_DEVICES": ""}),
    fault("cvd-minus1", "cuda-visible-devices-empty", environment={"CUDA_VISIBLE_DEVICES": "-1"}),
    fault("cvd-9", "cuda-visible-devices-names-absent-gpu", environment={"CUDA_VISIBLE_DEVICES": "9"}),
    fault("cvd-word", "cuda-visible-devices-names-absent-gpu", environment={"CUDA_VISIBLE_DEVICES": "gpu"}),
    fault("cvd-0-9", "cuda-visible-devices-names-absent-gpu", environment={"CUDA_VISIBLE_DEVICES": "0,9"}),
    fault("no-torch", "torch-not-installed", interpreter="/usr/bin/python3"),
    fault("torch-file", "local-file-shadows-torch", files={"torch.py": "import numpy\n"}),
    fault("torch-folder", "local-directory-shadows-torch", files={"torch/__init__.py": "x = 1\n"}),
    fault(
        "stdlib-file",
        "local-file-shadows-stdlib-module",
        files={"queue.py": "# the jobs that wait\njobs = [1, 2, 3]\n"},
    ),
    fault(
        "allocator-value",
        "allocator-config-invalid",
        environment={"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:many"},
    ),
    fault(
        "allocator-key",
        "allocator-config-invalid",
        environment={"PYTORCH_CUDA_ALLOC_CONF": "expandable:yes"},
    ),
    fault("files-16", "open-files-limit-too-low", limits={resource.RLIMIT_NOFILE: 16}, workload="oom-other"),
    fault("shm-4m", "shm-too-small", inject=do.small_shm("4m"), workload="loader"),
    fault("shm-4m-live", "shm-too-small", inject=do.small_shm("4m")),
    fault("ordinal", "invalid-device-ordinal", workload="ordinal"),
    fault("oom-own", "gpu-memory-exhausted", workload="oom-own"),
    fault("oom-fraction", "gpu-memory-fraction-limit", workload="fraction"),
    fault("index", "index-out-of-range-on-gpu", workload="index"),
    fault("illegal-address", "illegal-memory-access", workload="illegal"),
    fault("segfault", "process-segfault", workload="segfault"),
    fault("port", "rendezvous-port-in-use", workload="port"),
    fault("fork", "cuda-initialised-before-fork", workload="fork"),
    fault("cpu-tensor", "input-tensor-left-on-cpu", workload="cpu-tensor"),
    fault("other-architecture", "build-lacks-gpu-arch", inject=do.other_architecture),
    box("box-healthy", None),
    box("box-uvm-missing", "uvm-device-node-missing-in-container", ("nvidia-uvm", "nvidia-uvm-tools")),
    box("box-ctl-missing", "device-node-missing", ("nvidiactl",)),
    box("box-shm-4m", "shm-too-small", box_shm="4m"),
    box(
        "box-libcuda-empty",
        "libcuda-not-found",
        inject=do.driver_library_empty("libcuda.so.1"),
    ),
    control("two-gpus", gpus=2),
    control("two-gpus-second-chosen", gpus=2, environment={"CUDA_VISIBLE_DEVICES": "1"}),
    fault("two-gpus-one-closed", "device-node-permissions", gpus=2, inject=do.node_mode("nvidia0", 0o600)),
    fault(
        "two-gpus-cvd-0-9",
        "cuda-visible-devices-names-absent-gpu",
        gpus=2,
        environment={"CUDA_VISIBLE_DEVICES": "0,9"},
    ),
    # Last: what the other process holds is only given back when it has ended.
    fault("oom-other", "gpu-memory-held-by-other-process", before="hog", workload="oom-other"),
)
