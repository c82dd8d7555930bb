"""Reports about the driver's libraries, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "cuda-compat-on-unsupported-gpu",
        "cudaGetDeviceCount returned 804",
        "-> forward compatibility was attempted on non supported HW",
        "# note: NGC image 23.10 on a 2080 Ti",
        "gpu: RTX 2080 Ti",
    ),
    (
        "cuda-compat-on-unsupported-gpu",
        (
            "# note: the container works on the A100 box but not on my desktop RTX 3090; the "
            "image has the cuda-compat package installed; driver is older than the image's "
            "toolkit"
        ),
        "cuInit failed",
        "driver: 525",
    ),
    (
        "driver-libs-inside-image",
        "ldconfig: File /lib/x86_64-linux-gnu/libnvidia-ml.so.1 is empty, not checked.",
        "Failed to initialize NVML: Unknown Error",
        "# note: image was committed from a running GPU container",
    ),
    (
        "driver-libs-inside-image",
        (
            "nvidia-container-cli: mount error: file creation failed: "
            "/var/lib/docker/overlay2/x/merged/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1: "
            "file exists: unknown"
        ),
    ),
    (
        "image-cuda-compat-shadows-driver",
        ("cudaGetDeviceCount() Error 803: system has unsupported display driver / cuda driver combination"),
        "$ ls /usr/local/cuda/compat",
        "libcuda.so.1  libcuda.so.535.104.05",
        "# note: in the container; host nvidia-smi is fine",
        "driver: 550.54",
    ),
    (
        "libcuda-not-found",
        "OSError: libcuda.so.1: cannot open shared object file: No such file or directory",
        "# note: nvidia-smi works on this host",
        "os: rocky 9",
    ),
    (
        "libcuda-not-found",
        "Cannot load libcuda.so.1",
        "[h264_nvenc @ 0x55] Cannot load libcuda.so.1",
        "Error initializing output stream 0:0",
    ),
    (
        "libcuda-not-in-ldcache-in-container",
        "$ docker run --gpus all img python -c 'import torch; print(torch.cuda.is_available())'",
        "False",
        (
            "# note: inside the container running ldconfig by hand fixes it; libcuda.so.1 is "
            "mounted but ldconfig -p does not list it"
        ),
    ),
    (
        "libcuda-stub-loaded",
        "torch.cuda.is_available() -> False",
        "$ echo $LD_LIBRARY_PATH",
        "/usr/local/cuda/lib64/stubs:/usr/local/cuda/lib64",
    ),
    (
        "libcuda-stub-loaded",
        "CUDA error: CUDA driver is a stub library (cudaErrorStubLibrary)",
    ),
    (
        "libcuda-unversioned-missing",
        "/usr/bin/ld: cannot find -lcuda: No such file or directory",
        "collect2: error: ld returned 1 exit status",
        "# note: triton compile",
    ),
    (
        "libcuda-unversioned-missing",
        "# note: numba cannot open libcuda.so; only libcuda.so.1 exists; a symlink fixes it",
        "OSError: could not load libcuda.so",
    ),
    (
        "nvml-library-not-found",
        "pynvml.NVMLError_LibraryNotFound: NVML Shared Library Not Found",
        "# note: torch itself works on the GPU",
    ),
    (
        "stale-driver-library-symlink",
        "$ nvidia-smi",
        "Failed to initialize NVML: Driver/library version mismatch",
        "$ ls -l /usr/lib64/libnvidia-ml.so.1",
        "lrwxrwxrwx 1 root root 25 /usr/lib64/libnvidia-ml.so.1 -> libnvidia-ml.so.470.57.02",
        "# note: rebooted twice, no change; driver is 515.65",
        "driver: 515.65",
    ),
    (
        "wsl-driver-library-shadowed",
        "# note: WSL2 Ubuntu; I had run apt install nvidia-driver-535 inside WSL",
        "$ nvidia-smi",
        "Segmentation fault",
    ),
    (
        "cuda-compat-on-unsupported-gpu",
        (
            "failed call to cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE: forward "
            "compatibility was attempted on non supported HW"
        ),
        "gpu: RTX 4070",
    ),
    (
        "driver-libs-inside-image",
        (
            "# image was built with the nvidia default runtime; libcuda.so.470.82 ended up "
            "in the image, host has 510.47"
        ),
        "nvidia-smi",
        "Failed to initialize NVML: Driver/library version mismatch",
    ),
    (
        "driver-libs-inside-image",
        "# Dockerfile 里 apt install 了 nvidia-utils-535，容器里 nvidia-smi 报版本不匹配",
        "Failed to initialize NVML: Driver/library version mismatch",
        "driver: 550.54",
        "container: docker",
    ),
    (
        "image-cuda-compat-shadows-driver",
        (
            "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has "
            "unsupported display driver / cuda driver combination"
        ),
        "# in the NGC container; removing /usr/local/cuda/compat from LD_LIBRARY_PATH helps",
        "driver: 535",
    ),
    (
        "libcuda-not-found",
        "numba.cuda.cudadrv.error.CudaSupportError: Error at driver init:",
        "CUDA driver library cannot be found.",
        (
            "If you are sure that a CUDA driver is installed, try setting environment "
            "variable NUMBA_CUDA_DRIVER"
        ),
    ),
    (
        "libcuda-stub-loaded",
        (
            "# someone put /usr/local/cuda/lib64/stubs into ld.so.conf; since then torch "
            "sees no GPU, nvidia-smi fine"
        ),
        "RuntimeError: CUDA driver initialization failed",
    ),
    (
        "libcuda-unversioned-missing",
        "AssertionError: libcuda.so cannot found!",
        "# triton on WSL2",
    ),
    (
        "nvml-library-not-found",
        (
            "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make "
            "sure that the NVIDIA Display Driver is properly installed and present in your "
            "system."
        ),
    ),
    (
        "stale-driver-library-symlink",
        ("# after the driver update libcuda.so.1 still points to the previous release, reboot did not help"),
        "Failed to initialize NVML: Driver/library version mismatch",
    ),
    (
        "wsl-driver-library-shadowed",
        "# WSL2 里装了 Linux 版显卡驱动之后 nvidia-smi 就坏了",
        "Failed to initialize NVML: Driver Not Loaded",
        "os: WSL2 ubuntu 22.04",
    ),
    (
        "cuda-compat-on-unsupported-gpu",
        "docker: forward compatibility was attempted on non supported HW",
        "gpu: GTX 1660",
    ),
    (
        "driver-libs-inside-image",
        (
            "# note: the image carries libnvidia-ml.so.450.80 from the machine on which it "
            "was built; node has 470; nvidia-smi in the pod: Driver/library version mismatch"
        ),
        "container: k8s",
    ),
    (
        "image-cuda-compat-shadows-driver",
        (
            "# note: image nvcr.io/nvidia/pytorch:24.01, host driver 525 on a V100; libcuda "
            "from /usr/local/cuda/compat/lib is loaded"
        ),
        "torch.cuda.is_available() False",
    ),
    (
        "libcuda-not-found",
        "ImportError: libcuda.so.1: cannot open shared object file: No such file or directory",
        "# note: headless server, only nvidia-utils was installed",
    ),
    (
        "libcuda-not-in-ldcache-in-container",
        (
            "# note: k8s pod on a cloud; libraries are under /usr/local/nvidia/lib64, "
            "ldconfig -p does not list them"
        ),
        "ImportError: libcuda.so.1: cannot open shared object file",
    ),
    (
        "libcuda-stub-loaded",
        "CUDA error 34: CUDA driver is a stub library",
    ),
    (
        "libcuda-unversioned-missing",
        "/usr/bin/ld: cannot find -lcuda",
        "collect2: error: ld returned 1 exit status",
    ),
    (
        "nvml-library-not-found",
        "Failed to load NVML: libnvidia-ml.so.1: cannot open shared object file",
        "# note: torch works, only the monitor fails",
    ),
    (
        "stale-driver-library-symlink",
        "$ ldconfig -p | grep nvidia-ml",
        "libnvidia-ml.so.1 (libc6,x86-64) => /usr/lib/libnvidia-ml.so.460.32.03",
        "$ cat /proc/driver/nvidia/version",
        "NVRM version: 470.57.02",
        (
            "# note: after the upgrade and a reboot: Failed to initialize NVML: "
            "Driver/library version mismatch"
        ),
    ),
    (
        "wsl-driver-library-shadowed",
        (
            "# note: WSL2; /usr/lib/x86_64-linux-gnu/libcuda.so.1 from the ubuntu package is "
            "found before /usr/lib/wsl/lib"
        ),
        "cuInit: CUDA_ERROR_NO_DEVICE",
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
