"""Pasted output of commands: the rules of a live machine name the fault, and stay silent where it is none."""

from pathlib import Path

import pytest

from codeblue import pipeline
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Certainty

NO_GPU = "RuntimeError: No CUDA GPUs are available"
NVML = "Failed to initialize NVML: Unknown Error"
SMI_FAILED = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
MISMATCH = "Failed to initialize NVML: Driver/library version mismatch"
OPEN_NODE = "crw-rw-rw- 1 root root 195, 0 Nov  3 10:00 /dev/nvidia0"
CLOSED_NODE = "crw-r--r-- 1 root root 195, 255 Nov  3 10:00 /dev/nvidiactl"
GROUP_NODE = "crw-rw---- 1 root video 195, 255 Nov  3 10:00 /dev/nvidiactl"
ROOT_NODE = "crw-rw---- 1 root root 195, 255 Nov  3 10:00 /dev/nvidiactl"
USER = "uid=1001(alice) gid=1001(alice) groups=1001(alice)"
ROOT = "uid=0(root) gid=0(root) groups=0(root)"
IN_VIDEO = "uid=1001(alice) gid=1001(alice) groups=1001(alice),44(video)"
MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:00:00 UTC 2024"
GPU = "|   0  NVIDIA GeForce RTX 5090        On  |   00000000:01:00.0 Off |                  N/A |"
A100 = "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-00000000-0000-0000-0000-000000000000)"


CONTROL_NODE = "crw-rw-rw- 1 root root 195, 255 Nov  3 10:00 /dev/nvidiactl"
BANNER = "| NVIDIA-SMI 550.90.07       Driver Version: 550.90.07       CUDA Version: 12.4     |"
UNKNOWN = "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment"
BUSY = "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"
EXCLUSIVE = (
    "|   0  NVIDIA L4                      Off |   00000000:00:03.0 Off |                    0 |",
    "| N/A   71C    P0             33W /   72W |   20000MiB /  23034MiB |     98%   E. Process |",
    "|    0   N/A  N/A      4711      C   /usr/bin/python3                          19990MiB |",
)


def dpkg(name: str, version: str) -> str:
    return f"ii  {name}:amd64   {version}   amd64   NVIDIA package"


FIRES: dict[str, tuple[str, Certainty, tuple[str, ...]]] = {
    "control node closed": ("device-node-permissions", Certainty.LIKELY, (OPEN_NODE, CLOSED_NODE, NVML)),
    "control node of root": (
        "device-node-permissions",
        Certainty.LIKELY,
        (OPEN_NODE, ROOT_NODE, USER, NO_GPU),
    ),
    "group, user outside it": (
        "device-node-permissions",
        Certainty.LIKELY,
        (OPEN_NODE, GROUP_NODE.replace("video", "44"), USER, NVML),
    ),
    "module older than packages": (
        "driver-upgraded-without-reboot",
        Certainty.LIKELY,
        (MODULE, dpkg("libnvidia-compute-550", "550.107.02-0ubuntu0.24.04.1"), MISMATCH),
    ),
    "module older than the library of NVML": (
        "driver-upgraded-without-reboot",
        Certainty.LIKELY,
        (MODULE, MISMATCH, "NVML library version: 550.107"),
    ),
    "packages of two series": (
        "driver-packages-mixed-versions",
        Certainty.LIKELY,
        (
            dpkg("libnvidia-compute-535", "535.183.01-0ubuntu1"),
            dpkg("nvidia-utils-550", "550.107.02-0ubuntu1"),
            MISMATCH,
        ),
    ),
    "nouveau": (
        "nouveau-owns-gpu",
        Certainty.LIKELY,
        ("$ lsmod", "Module                  Size  Used by", "nouveau              2400256  4", SMI_FAILED),
    ),
    "no module for the new kernel": (
        "driver-module-missing-for-running-kernel",
        Certainty.LIKELY,
        (
            "$ uname -r",
            "6.8.0-48-generic",
            "$ dkms status",
            "nvidia/550.107.02, 6.8.0-45-generic, x86_64: installed",
            SMI_FAILED,
        ),
    ),
    "docker run without GPUs": (
        "container-started-without-nvidia-runtime",
        Certainty.LIKELY,
        ("$ docker run --rm -it --shm-size=8g pytorch/pytorch python train.py", NO_GPU),
    ),
    "torch for the CPU in pip list": (
        "cpu-only-torch-build",
        Certainty.LIKELY,
        ("torch                    2.5.1+cpu", A100),
    ),
    "torch for the CPU in collect_env": (
        "cpu-only-torch-build",
        Certainty.LIKELY,
        (
            "Collecting environment information...",
            "PyTorch version: 2.5.1",
            "CUDA used to build PyTorch: None",
            "ROCM used to build PyTorch: N/A",
            "Is CUDA available: False",
            "Nvidia driver version: 550.90.07",
        ),
    ),
    "driver too old": (
        "driver-too-old-for-cuda",
        Certainty.LIKELY,
        (
            "Collecting environment information...",
            "PyTorch version: 2.9.0+cu130",
            "CUDA used to build PyTorch: 13.0",
            "Is CUDA available: False",
            "Nvidia driver version: 535.183.01",
        ),
    ),
    "release without the GPU's architecture": (
        "build-lacks-gpu-arch",
        Certainty.LIKELY,
        (GPU, "torch==2.5.1+cu124"),
    ),
    "small /dev/shm": (
        "shm-too-small",
        Certainty.CERTAIN,
        (
            "Filesystem      Size  Used Avail Use% Mounted on",
            "shm              64M   60M  4.0M  94% /dev/shm",
            "RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error.",
        ),
    ),
    "JAX's plugin left behind": (
        "jax-plugin-version-mismatch",
        Certainty.CERTAIN,
        (
            "jaxlib==0.5.3",
            "jax-cuda12-plugin==0.4.35",
            "RuntimeWarning: JAX plugin jax_cuda12_plugin version 0.4.35 is installed, but it is not "
            "compatible with the installed jaxlib version 0.5.3, so it will not be used.",
        ),
    ),
}

FIRES |= {
    "variable that hides every GPU": (
        "cuda-visible-devices-empty",
        Certainty.LIKELY,
        (BANNER, "export CUDA_VISIBLE_DEVICES=", NO_GPU),
    ),
    "variable that names an absent GPU": (
        "cuda-visible-devices-names-absent-gpu",
        Certainty.LIKELY,
        ("CUDA_VISIBLE_DEVICES=9", A100, NO_GPU),
    ),
    "uvm module not loaded": (
        "nvidia-uvm-not-loaded",
        Certainty.LIKELY,
        (
            "$ lsmod | grep nvidia",
            "nvidia_modeset  1300000  0",
            "nvidia  61000000  1 nvidia_modeset",
            UNKNOWN,
        ),
    ),
    "broken daemon.json": (
        "daemon-json-invalid",
        Certainty.LIKELY,
        ("$ cat /etc/docker/daemon.json", "{", '  "runtimes": {},,', '  "debug": true', "}"),
    ),
    "node missing in a whole listing": (
        "device-node-missing",
        Certainty.LIKELY,
        ("$ ls -l /dev/nvidia*", OPEN_NODE, CONTROL_NODE, "$ python train.py", UNKNOWN),
    ),
    "NumPy 2 beside an older torch": (
        "numpy2-with-older-torch",
        Certainty.LIKELY,
        ("numpy==2.1.0", "torch==2.1.2+cu121"),
    ),
    "release that dropped the GPU": (
        "gpu-arch-dropped-from-wheels",
        Certainty.LIKELY,
        ("torch==2.9.0+cu130", "GPU 0: Tesla V100-SXM2-16GB (UUID: GPU-0)"),
    ),
    "nouveau on the bus": (
        "nouveau-owns-gpu",
        Certainty.CERTAIN,
        (
            "01:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3090] (rev a1)",
            "\tKernel driver in use: nouveau",
        ),
    ),
    "GPU that reads as all ones": (
        "gpu-fallen-off-bus",
        Certainty.CERTAIN,
        (
            "01:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 40GB] (rev ff)",
            "\tKernel driver in use: nvidia",
        ),
    ),
    "Xid in dmesg": (
        "gpu-fallen-off-bus",
        Certainty.CERTAIN,
        ("[ 99.500] NVRM: Xid (PCI:0000:01:00): 79, pid=7, GPU has fallen off the bus.",),
    ),
    "exclusive GPU": ("compute-mode-exclusive", Certainty.CERTAIN, (*EXCLUSIVE, BUSY)),
    "docker from snap": (
        "docker-from-snap",
        Certainty.CERTAIN,
        (
            " Runtimes: runc",
            " Docker Root Dir: /var/snap/docker/common/var-lib-docker",
            'docker: Error response from daemon: could not select device driver "" '
            "with capabilities: [[gpu]].",
        ),
    ),
    "low limit of open files": (
        "open-files-limit-too-low",
        Certainty.LIKELY,
        ("open files                          (-n) 64", "OSError: [Errno 24] Too many open files"),
    ),
}

SILENT: dict[str, tuple[str, tuple[str, ...]]] = {
    "nodes open": ("device-node-permissions", (OPEN_NODE, NVML)),
    "closed, but nothing fails": ("device-node-permissions", (OPEN_NODE, CLOSED_NODE)),
    "closed for others, but root": ("device-node-permissions", (ROOT_NODE, ROOT, NVML)),
    "user in the group": ("device-node-permissions", (GROUP_NODE.replace("video", "44"), IN_VIDEO, NVML)),
    "access list": ("device-node-permissions", (CLOSED_NODE.replace("-r-- ", "-r--+ "), NVML)),
    "same release": (
        "driver-upgraded-without-reboot",
        (MODULE, dpkg("libnvidia-compute-550", "550.90.07-0ubuntu1"), NVML),
    ),
    "package removed": (
        "driver-packages-mixed-versions",
        (
            dpkg("libnvidia-compute-535", "535.183.01-0ubuntu1").replace("ii", "rc"),
            dpkg("nvidia-utils-550", "550.107.02-0ubuntu1"),
            MISMATCH,
        ),
    ),
    "nouveau beside nvidia": (
        "nouveau-owns-gpu",
        ("nouveau  2400256  0", "nvidia  60000000  12 nvidia_uvm", SMI_FAILED),
    ),
    "module for this kernel": (
        "driver-module-missing-for-running-kernel",
        (
            "$ uname -r",
            "6.8.0-45-generic",
            "nvidia/550.107.02, 6.8.0-45-generic, x86_64: installed",
            SMI_FAILED,
        ),
    ),
    "docker run with GPUs": (
        "container-started-without-nvidia-runtime",
        ("$ docker run --gpus all -it pytorch/pytorch python train.py", NO_GPU),
    ),
    "a first container without, the second with GPUs": (
        "container-started-without-nvidia-runtime",
        ("$ docker run hello-world", "$ docker run --gpus all pytorch/pytorch python train.py", NO_GPU),
    ),
    "podman run with CDI": (
        "container-started-without-nvidia-runtime",
        ("$ podman run --device nvidia.com/gpu=all pytorch python train.py", NO_GPU),
    ),
    "nvidia is the default runtime": (
        "container-started-without-nvidia-runtime",
        (
            " Runtimes: io.containerd.runc.v2 nvidia runc",
            " Default Runtime: nvidia",
            "$ docker run -it pytorch/pytorch python train.py",
            NO_GPU,
        ),
    ),
    "torch for the CPU, no GPU spoken of": ("cpu-only-torch-build", ("numpy==2.1.0", "torch==2.5.1")),
    "minor version compatibility": (
        "driver-too-old-for-cuda",
        (
            "PyTorch version: 2.5.1+cu124",
            "CUDA used to build PyTorch: 12.4",
            "Is CUDA available: False",
            "Nvidia driver version: 535.183.01",
        ),
    ),
    "release that knows the GPU": ("build-lacks-gpu-arch", (GPU, "torch==2.9.0+cu128")),
    "build of the user's own": ("build-lacks-gpu-arch", (GPU, "torch==2.5.0a0+872d972e41")),
    "variable that names a GPU that is there": (
        "cuda-visible-devices-names-absent-gpu",
        ("CUDA_VISIBLE_DEVICES=0", A100, NO_GPU),
    ),
    "variable that hides every GPU, nothing fails": (
        "cuda-visible-devices-empty",
        ("export CUDA_VISIBLE_DEVICES=", A100),
    ),
    "uvm module loaded": (
        "nvidia-uvm-not-loaded",
        ("nvidia_uvm  1300000  0", "nvidia  61000000  1 nvidia_uvm", UNKNOWN),
    ),
    "excerpt of a listing": ("device-node-missing", (OPEN_NODE, CONTROL_NODE, UNKNOWN)),
    "excerpt of daemon.json": (
        "daemon-json-invalid",
        ("$ cat /etc/docker/daemon.json", "{", '  "runtimes": {'),
    ),
    "NumPy 1": ("numpy2-with-older-torch", ("numpy==1.26.4", "torch==2.1.2+cu121")),
    "release that has the GPU": (
        "gpu-arch-dropped-from-wheels",
        ("torch==2.5.1+cu124", "GPU 0: Tesla V100-SXM2-16GB (UUID: GPU-0)"),
    ),
    "large /dev/shm": (
        "shm-too-small",
        (
            "Filesystem      Size  Used Avail Use% Mounted on",
            "tmpfs            64G   60M   64G   1% /dev/shm",
        ),
    ),
}


def judged(folder: Path, *lines: str) -> Diagnosis:
    path = folder / "pasted.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    diagnosis = pipeline.judge(pipeline.told([str(path)], None, "salt"))
    assert not diagnosis.broken
    return diagnosis


@pytest.mark.parametrize("case", FIRES)
def test_the_fault_is_a_cause(case: str, tmp_path: Path) -> None:
    fault, certainty, lines = FIRES[case]

    diagnosis = judged(tmp_path, *lines)

    found = [(cause.finding.fault, cause.finding.certainty) for cause in diagnosis.causes]
    assert found[0] == (fault, certainty)


@pytest.mark.parametrize("case", SILENT)
def test_the_fault_is_not_named(case: str, tmp_path: Path) -> None:
    fault, lines = SILENT[case]

    diagnosis = judged(tmp_path, *lines)

    named = [*(c.finding for c in diagnosis.causes), *diagnosis.risks]
    assert fault not in [finding.fault for finding in named if finding.variant != "similarity"]


def test_a_group_whose_number_is_not_told_leaves_a_doubt(tmp_path: Path) -> None:
    diagnosis = judged(tmp_path, OPEN_NODE, GROUP_NODE, NVML)

    found = {cause.finding.fault: cause.finding.certainty for cause in diagnosis.causes}
    assert found["device-node-permissions"] is Certainty.POSSIBLE


def test_torch_and_torchvision_of_two_releases_are_a_risk(tmp_path: Path) -> None:
    diagnosis = judged(tmp_path, "torch==2.5.1+cu124", "torchvision==0.17.2+cu121")

    assert [risk.fault for risk in diagnosis.risks] == ["torch-torchvision-version-mismatch"]
