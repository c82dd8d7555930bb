"""What is harmless is named so, and nothing is blamed for it."""

import pytest

from codeblue import pipeline
from tests.conftest import text

HARMLESS = (
    (
        "benign-nccl-no-plugin-or-ib",
        "node1:2100:2100 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.11<0>",
        "node1:2100:2100 [0] NCCL INFO NET/Plugin: No plugin found (libnccl-net.so)",
        (
            "node1:2100:2100 [0] NCCL INFO NET/Plugin: Plugin load returned 2 : "
            "libnccl-net.so: cannot open shared object file: No such file or directory : "
            "when loading libnccl-net.so"
        ),
        "node1:2100:2100 [0] NCCL INFO NET/Plugin: Using internal network plugin.",
        "node1:2100:2100 [0] NCCL INFO cudaDriverVersion 12040",
        "NCCL version 2.20.5+cuda12.4",
        "node1:2100:2180 [0] NCCL INFO Failed to open libibverbs.so[.1]",
        "node1:2100:2180 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.11<0>",
        "node1:2100:2180 [0] NCCL INFO Using non-device net plugin version 0",
        "node1:2100:2180 [0] NCCL INFO Using network Socket",
        (
            "node1:2100:2180 [0] NCCL INFO comm 0x55 rank 0 nranks 8 cudaDev 0 nvmlDev 0 "
            "busId 7000 commId 0x1 - Init START"
        ),
        "node1:2100:2180 [0] NCCL INFO Channel 00/24 :    0   1   2   3   4   5   6   7",
        "node1:2100:2180 [0] NCCL INFO Connected all rings",
        ("node1:2100:2180 [0] NCCL INFO comm 0x55 rank 0 nranks 8 cudaDev 0 busId 7000 - Init COMPLETE"),
    ),
    (
        "benign-nccl-no-plugin-or-ib",
        "node1:2100:2100 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.11<0>",
        "node1:2100:2100 [0] NCCL INFO NET/Plugin: No plugin found (libnccl-net.so)",
        (
            "node1:2100:2100 [0] NCCL INFO NET/Plugin: Plugin load returned 2 : "
            "libnccl-net.so: cannot open shared object file: No such file or directory : "
            "when loading libnccl-net.so"
        ),
        "node1:2100:2100 [0] NCCL INFO NET/Plugin: Using internal network plugin.",
        "node1:2100:2100 [0] NCCL INFO cudaDriverVersion 12040",
        "NCCL version 2.20.5+cuda12.4",
        "node1:2100:2180 [0] NCCL INFO Failed to open libibverbs.so[.1]",
        "node1:2100:2180 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.11<0>",
        "node1:2100:2180 [0] NCCL INFO Using non-device net plugin version 0",
        "node1:2100:2180 [0] NCCL INFO Using network Socket",
        (
            "node1:2100:2180 [0] NCCL INFO comm 0x55 rank 0 nranks 8 cudaDev 0 nvmlDev 0 "
            "busId 7000 commId 0x1 - Init START"
        ),
        "node1:2100:2180 [0] NCCL INFO Channel 00/24 :    0   1   2   3   4   5   6   7",
        "node1:2100:2180 [0] NCCL INFO Connected all rings",
        ("node1:2100:2180 [0] NCCL INFO comm 0x55 rank 0 nranks 8 cudaDev 0 busId 7000 - Init COMPLETE"),
        "# nccl-tests",
        "#  Out of bounds values : 0 OK",
        "# Avg bus bandwidth    : 231.4",
    ),
    (
        "benign-nccl-no-plugin-or-ib",
        ("node1:21:21 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB ib0:10.1.0.1<0>"),
        "node1:21:21 [0] NCCL INFO NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'",
        "node1:21:90 [0] NCCL INFO Channel 00/0 : 15[7] -> 0[0] [receive] via NET/IB/0/GDRDMA",
        "node1:21:90 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to ib0",
        (
            "node1:21:90 [0] NCCL INFO TUNER/Plugin: Could not find: libnccl-tuner.so. Using "
            "internal tuner plugin."
        ),
        "node1:21:90 [0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 16 - Init COMPLETE",
    ),
    (
        "benign-plugin-factory-registered-twice",
        (
            "2026-12-01 10:00:00.1: I tensorflow/core/util/port.cc:153] oneDNN custom "
            "operations are on. You may see slightly different numerical results due to "
            "floating-point round-off errors from different computation orders. To turn them "
            "off, set the environment variable `TF_ENABLE_ONEDNN_OPTS=0`."
        ),
        (
            "2026-12-01 10:00:00.2: E "
            "external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:477] Unable to register "
            "cuFFT factory: Attempting to register factory for plugin cuFFT when one has "
            "already been registered"
        ),
        "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR",
        (
            "E0000 00:00:1.2 1 cuda_dnn.cc:8310] Unable to register cuDNN factory: "
            "Attempting to register factory for plugin cuDNN when one has already been "
            "registered"
        ),
        (
            "2026-12-01 10:00:01: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] "
            "TF-TRT Warning: Could not find TensorRT"
        ),
        (
            "I0000 gpu_device.cc:2022] Created device "
            "/job:localhost/replica:0/task:0/device:GPU:0 with 38000 MB memory:  -> device: "
            "0, name: NVIDIA A100, compute capability: 8.0"
        ),
    ),
    (
        "benign-plugin-factory-registered-twice",
        (
            "computation placer already registered. Please check linkage and avoid linking "
            "the same target more than once."
        ),
    ),
    (
        "benign-tf-trt-not-found",
        (
            "2023-01-01 10:00:00: W "
            "tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load "
            "dynamic library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7: cannot open shared "
            "object file: No such file or directory; LD_LIBRARY_PATH: /usr/local/cuda/lib64"
        ),
        (
            "2023: W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: "
            "Cannot dlopen some TensorRT libraries. If you would like to use Nvidia GPU with "
            "TensorRT, please make sure the missing libraries mentioned above are installed "
            "properly."
        ),
    ),
    (
        "benign-tf-trt-not-found",
        ("W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT"),
        "# note: printed when importing transformers; training on the GPU runs fine",
    ),
    (
        "benign-cudnn-plan-warning",
        (
            "/pytorch/aten/src/ATen/native/cudnn/Conv_v8.cpp:919: UserWarning: Plan failed "
            "with a cudnnException: CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: "
            "cudnnFinalizeDescriptor Failed cudnn_status: CUDNN_STATUS_NOT_SUPPORTED"
        ),
        "  return F.conv2d(input, weight)",
        "# note: training continues, results fine",
        "torch: 2.3.0",
    ),
    (
        "benign-cudnn-plan-warning",
        (
            "Plan failed with a cudnnException: CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: "
            "cudnnFinalizeDescriptorFailed cudnn_status: CUDNN_STATUS_NOT_SUPPORTED "
            "(Triggered internally at ../aten/src/ATen/native/cudnn/Conv_v8.cpp:919.)"
        ),
    ),
    (
        "benign-fabric-manager-without-nvswitch",
        "$ systemctl status nvidia-fabricmanager",
        "   Active: failed (Result: exit-code)",
        (
            "nv-fabricmanager[9]: request to query NVSwitch device information from NVSwitch "
            "driver failed with error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]"
        ),
        "gpu: RTX 6000 Ada",
    ),
    (
        "benign-fabric-manager-without-nvswitch",
        (
            "# note: nvidia-fabricmanager.service fails at boot on our PCIe A100 server "
            "without NVSwitch; GPUs work"
        ),
        "Failed to start NVIDIA fabric manager service.",
    ),
    (
        "benign-libibverbs-provider-missing",
        (
            "libibverbs: Warning: couldn't load driver 'librxe-rdmav34.so': "
            "librxe-rdmav34.so: cannot open shared object file: No such file or directory"
        ),
    ),
    (
        "benign-libibverbs-provider-missing",
        (
            "libibverbs: Warning: couldn't load driver 'siw': libsiw-rdmav2.so: cannot open "
            "shared object file: No such file or directory"
        ),
        (
            "libibverbs: Warning: couldn't load driver 'vmw_pvrdma': "
            "libvmw_pvrdma-rdmav25.so: cannot open shared object file: No such file or "
            "directory"
        ),
        "# note: job runs normally",
    ),
    (
        "benign-nnpack-unsupported-cpu",
        ("[W1201 10:00:00.1 NNPACK.cpp:61] Could not initialize NNPACK! Reason: Unsupported hardware."),
    ),
    (
        "benign-nnpack-unsupported-cpu",
        "[W NNPACK.cpp:80] Could not initialize NNPACK! Reason: Unsupported hardware.",
        "# 虚拟机里一直刷屏这个警告，训练正常",
    ),
    (
        "benign-numa-node-negative",
        (
            "I tensorflow/stream_executor/cuda/cuda_gpu_executor.cc:975] successful NUMA "
            "node read from SysFS had negative value (-1), but there must be at least one "
            "NUMA node, so returning NUMA node zero"
        ),
    ),
    (
        "benign-numa-node-negative",
        (
            "2024-01-01: I external/local_xla/xla/stream_executor/cuda/cuda_executor.cc:887] "
            "could not open file to read NUMA node: "
            "/sys/bus/pci/devices/0000:01:00.0/numa_node"
        ),
        "Your kernel may have been built without NUMA support.",
        "Created device GPU:0 with 5000 MB",
        "os: WSL2",
    ),
    (
        "benign-omp-num-threads-notice",
        "W1201 10:00:00 torch/distributed/run.py:766] ",
        "W1201 10:00:00 torch/distributed/run.py:766] *****************************************",
        (
            "W1201 10:00:00 torch/distributed/run.py:766] Setting OMP_NUM_THREADS "
            "environment variable for each process to be 1 in default, to avoid your system "
            "being overloaded, please further tune the variable for optimal performance in "
            "your application as needed. "
        ),
        "step 1 loss 2.3",
    ),
    (
        "benign-process-group-not-destroyed",
        (
            "[rank0]:[W1201 10:00:00 ProcessGroupNCCL.cpp:1250] Warning: WARNING: process "
            "group has NOT been destroyed before we destruct ProcessGroupNCCL. On normal "
            "program exit, the application should call destroy_process_group to ensure that "
            "any pending NCCL operations have finished in this process. In rare cases this "
            "process can exit before this point and block the progress of another member of "
            "the process group. (function operator())"
        ),
    ),
    (
        "benign-process-group-not-destroyed",
        (
            "[rank0]:[W101 ProcessGroupNCCL.cpp:1496] Warning: WARNING: "
            "destroy_process_group() was not called before program exit, which can leak "
            "resources. For more info, please see "
            "https://pytorch.org/docs/stable/distributed.html#shutdown (function operator())"
        ),
        "# note: training had finished",
    ),
    (
        "benign-three-cuda-versions",
        "$ nvidia-smi | grep CUDA",
        "| NVIDIA-SMI 535.129.03   Driver Version: 535.129.03   CUDA Version: 12.2     |",
        "$ nvcc --version",
        "Cuda compilation tools, release 11.5, V11.5.119",
        ">>> torch.version.cuda",
        "'12.1'",
        ">>> torch.cuda.is_available()",
        "True",
        "# note: why three different versions, which one counts?",
    ),
    (
        "benign-three-cuda-versions",
        "# nvidia-smi 显示 CUDA 12.4，nvcc 是 11.8，版本不一致，要不要重装？训练正常",
    ),
    (
        "benign-xid31-from-graphics-app",
        (
            "kernel: NVRM: Xid (PCI:0000:01:00): 31, pid=2201, name=firefox, Ch 00000046, "
            "intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x0_0. Fault "
            "is of type FAULT_PDE ACCESS_TYPE_VIRT_READ"
        ),
    ),
    (
        "benign-xid31-from-graphics-app",
        (
            "NVRM: Xid (PCI:0000:0a:00): 31, pid='3300', name=obs, Ch 0000002e, intr "
            "00000000. MMU Fault: ENGINE GRAPHICS"
        ),
    ),
    (
        "benign-xid31-from-graphics-app",
        "NVRM: Xid (PCI:0000:65:00): 31, pid=901, name=gnome-shell, Ch 00000010",
        "# note: desktop keeps running",
    ),
)


@pytest.mark.parametrize(("fault", "lines"), [(fault, lines) for fault, *lines in HARMLESS])
def test_what_is_harmless_is_named_and_nothing_blamed(fault: str, lines: list[str]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert fault in {finding.fault for finding in diagnosis.harmless}
    assert diagnosis.causes == ()
