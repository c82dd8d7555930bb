"""What is harmless is named so, and nothing is blamed for it."""

import pytest

from codeblue import pipeline
from tests.conftest import text

HARMLESS = (
    (
        "benign-nnpack-unsupported-cpu",
        (
            "[W1203 11:12:13.000000000 NNPACK.cpp:57] Could not initialize NNPACK! Reason: "
            "Unsupported hardware."
        ),
        "# note: appears hundreds of times in a VM without AVX2",
    ),
    (
        "benign-omp-num-threads-notice",
        "# 每次启动 torchrun 都提示 OMP_NUM_THREADS 默认设为 1，训练正常",
        (
            "Setting OMP_NUM_THREADS environment variable for each process to be 1 in "
            "default, to avoid your system being overloaded"
        ),
    ),
    (
        "benign-omp-num-threads-notice",
        "WARNING:torch.distributed.run:",
        "*****************************************",
        (
            "Setting OMP_NUM_THREADS environment variable for each process to be 1 in "
            "default, to avoid your system being overloaded, please further tune the "
            "variable for optimal performance in your application as needed."
        ),
        "*****************************************",
        "# note: is this an error?",
    ),
    (
        "benign-plugin-factory-registered-twice",
        (
            "2024-05-01 E tensorflow/compiler/xla/stream_executor/cuda/cuda_dnn.cc:9342] "
            "Unable to register cuDNN factory: Attempting to register factory for plugin "
            "cuDNN when one has already been registered"
        ),
        "# note: the GPU is listed by tf.config.list_physical_devices('GPU')",
    ),
    (
        "benign-plugin-factory-registered-twice",
        (
            "E0000 00:00:1714 cuda_blas.cc:1418] Unable to register cuBLAS factory: "
            "Attempting to register factory for plugin cuBLAS when one has already been "
            "registered"
        ),
        (
            "W0000 00:00:1714 computation_placer.cc:177] computation placer already "
            "registered. Please check linkage and avoid linking the same target more than "
            "once."
        ),
    ),
    (
        "benign-process-group-not-destroyed",
        ("# torch 2.4 之后程序结束时打印 destroy_process_group() was not called，模型已经训练完了"),
        (
            "[rank0]:[W ProcessGroupNCCL.cpp:1168] Warning: WARNING: process group has NOT "
            "been destroyed before it is being destructed."
        ),
    ),
    (
        "benign-numa-node-negative",
        (
            "I tensorflow/compiler/xla/stream_executor/cuda/cuda_gpu_executor.cc:996] "
            "successful NUMA node read from SysFS had negative value (-1), but there must be "
            "at least one NUMA node, so returning NUMA node zero. See more at "
            "https://github.com/torvalds/linux/blob/v6.0/Documentation/ABI/testing/sysfs-bus-"
            "pci#L344-L355"
        ),
        "# note: does this mean that the GPU is not used? GPU works",
    ),
    (
        "benign-numa-node-negative",
        (
            "I metal: Could not identify NUMA node of platform GPU ID 0, defaulting to 0. "
            "Your kernel may not have been built with NUMA support."
        ),
    ),
    (
        "benign-tf-trt-not-found",
        "W external/local_tsl/tsl TF-TRT Warning: Could not find TensorRT",
        "# 没有装 TensorRT，import transformers 的时候出现",
    ),
    (
        "benign-tf-trt-not-found",
        (
            "W dso_loader.cc:60] Could not load dynamic library 'libnvinfer_plugin.so.7'; "
            "dlerror: libnvinfer_plugin.so.7: cannot open shared object file: No such file "
            "or directory"
        ),
    ),
    (
        "benign-nccl-no-plugin-or-ib",
        "NCCL INFO Plugin Path : libnccl-net.so",
        "NCCL INFO NET/Plugin : No plugin found (libnccl-net.so), using internal implementation",
        "NCCL INFO NET/IB : No device found.",
        "NCCL INFO NET/Socket : Using [0]eno1:10.0.0.1<0>",
        "NCCL INFO Using network Socket",
        "# note: single workstation, training runs",
    ),
    (
        "benign-nccl-no-plugin-or-ib",
        (
            "NCCL INFO NET/Plugin : Plugin load (libnccl-net.so) returned 2 : "
            "libnccl-net.so: cannot open shared object file: No such file or directory"
        ),
        "NCCL INFO Failed to open libibverbs.so[.1]",
        "NCCL INFO Using network Socket",
    ),
    (
        "benign-nccl-no-plugin-or-ib",
        "NCCL INFO PROFILER/Plugin: Could not find: libnccl-profiler.so.",
        "NCCL INFO TUNER/Plugin: Failed to find ncclTunerPlugin_v4 symbol.",
        "NCCL INFO TUNER/Plugin: Using tuner plugin v3",
    ),
    (
        "benign-libibverbs-provider-missing",
        (
            "libibverbs: Warning: couldn't load driver 'rxe': librxe-rdmav22.so: cannot open "
            "shared object file: No such file or directory"
        ),
        "# note: one epoch later a node failed; unrelated",
    ),
    (
        "benign-cudnn-plan-warning",
        (
            "UserWarning: Plan failed with a CuDNNError: cuDNN error: CUDNN_STATUS_BAD_PARAM "
            "(Triggered internally at /pytorch/aten/src/ATen/native/cudnn/Conv_v8.cpp:924.)"
        ),
        "# torch 2.3 训练时的警告，loss 正常下降",
    ),
    (
        "benign-fabric-manager-without-nvswitch",
        (
            "nv-fabricmanager: request to query NVSwitch device information from NVSwitch "
            "driver failed with error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]"
        ),
        "systemd[1]: nvidia-fabricmanager.service: Failed with result 'exit-code'.",
        ("systemd[1]: Failed to start nvidia-fabricmanager.service - NVIDIA fabric manager service."),
        "# note: 2x L40S",
    ),
    (
        "benign-three-cuda-versions",
        (
            "# note: nvidia-smi says CUDA Version: 12.6, nvcc says release 12.1, "
            "torch.version.cuda is 11.8; torch works. Is the mismatch a problem?"
        ),
    ),
    (
        "benign-three-cuda-versions",
        "$ nvidia-smi",
        "| NVIDIA-SMI 545.23.08   Driver Version: 545.23.08   CUDA Version: 12.3 |",
        "$ nvcc -V",
        "Cuda compilation tools, release 10.1, V10.1.243",
        "# note: why do they differ?",
    ),
    (
        "benign-xid31-from-graphics-app",
        (
            "NVRM: Xid (PCI:0000:01:00): 31, pid=4410, name=chrome, Ch 0000007e, intr "
            "00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_1 faulted @ 0x7f_1000. Fault "
            "is of type FAULT_PDE ACCESS_TYPE_VIRT_WRITE"
        ),
        "# note: one tab went black, nothing else",
    ),
    (
        "benign-xid31-from-graphics-app",
        (
            "NVRM: Xid (PCI:0000:01:00): 31, pid=8123, name=GameThread.exe, Ch 00000056, "
            "intr 00000000. MMU Fault"
        ),
    ),
)


@pytest.mark.parametrize(("fault", "lines"), [(fault, lines) for fault, *lines in HARMLESS])
def test_what_is_harmless_is_named_and_nothing_blamed(fault: str, lines: list[str]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert fault in {finding.fault for finding in diagnosis.harmless}
    assert diagnosis.causes == ()
