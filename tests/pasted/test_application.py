"""Reports about the job itself, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "allocator-fragmentation",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB",
        ("# note: variable sequence lengths; reserved grows while allocated stays flat: fragmentation"),
    ),
    (
        "build-exhausts-host-memory",
        "c++: fatal error: Killed signal terminated program cc1plus",
        "ninja: build stopped: subcommand failed.",
    ),
    (
        "build-exhausts-host-memory",
        (
            "# note: pip install flash-attn freezes my machine, 64 GB RAM is used up by nvcc "
            "processes; MAX_JOBS=4 helps"
        ),
    ),
    (
        "cache-dir-owned-by-other-user",
        "PermissionError: [Errno 13] Permission denied: '/tmp/torchinductor_shared/ab'",
        "# note: shared server, directory belongs to a colleague",
    ),
    (
        "cache-filesystem-full",
        "OSError: [Errno 28] No space left on device",
        "# note: ~/.cache/huggingface is on the small root disk, /data has 2 TB free",
    ),
    (
        "cuda-initialised-before-fork",
        "RuntimeError: CUDA error: initialization error",
        "# note: in DataLoader workers; the dataset creates cuda tensors in __init__",
    ),
    (
        "cuda-visible-devices-empty",
        "RuntimeError: No CUDA GPUs are available",
        "$ env | grep CUDA",
        "CUDA_VISIBLE_DEVICES=",
    ),
    (
        "cuda-visible-devices-names-absent-gpu",
        "RuntimeError: No CUDA GPUs are available",
        ("# note: os.environ['CUDA_VISIBLE_DEVICES'] = '2' in the script; the box has a single card"),
    ),
    (
        "framework-preallocates-gpu-memory",
        "# 先跑了一个 TensorFlow 程序，再开 PyTorch 就 CUDA out of memory，TF 把显存占满了",
        "RuntimeError: CUDA error: out of memory",
    ),
    (
        "gpu-memory-exhausted",
        (
            "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: "
            "cudaMalloc failed: out of memory"
        ),
    ),
    (
        "gpu-memory-exhausted",
        "# 12G 显存跑 7B 模型直接爆显存",
        "torch.OutOfMemoryError: CUDA out of memory.",
    ),
    (
        "gpu-memory-fraction-limit",
        (
            "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 200.00 MiB "
            "(GPU 0; 23.69 GiB total capacity; 4.60 GiB already allocated; 18.50 GiB free; "
            "4.74 GiB allowed; 4.70 GiB reserved in total by PyTorch)"
        ),
    ),
    (
        "orphan-worker-processes-hold-memory",
        "RuntimeError: CUDA error: out of memory",
        "# note: a zombie python from yesterday still holds 22 GB on that card",
    ),
    (
        "host-memory-exhausted",
        "RuntimeError: DataLoader worker (pid 2213) is killed by signal: Killed.",
        "# note: 16 workers, 32 GB RAM",
    ),
    (
        "illegal-memory-access",
        "RuntimeError: CUDA error: an illegal memory access was encountered",
    ),
    (
        "index-out-of-range-on-gpu",
        "RuntimeError: CUDA error: device-side assert triggered",
        "# 标签从 1 开始，类别数是 10",
    ),
    (
        "input-tensor-left-on-cpu",
        (
            "RuntimeError: Expected all tensors to be on the same device, but found at least "
            "two devices, cuda:0 and cpu!"
        ),
    ),
    (
        "invalid-device-ordinal",
        "RuntimeError: CUDA error: invalid device ordinal",
        "# note: script uses cuda:1, nvidia-smi shows one card",
    ),
    (
        "kernel-trapped",
        "RuntimeError: CUDA error: unspecified launch failure",
    ),
    (
        "local-file-shadows-stdlib-module",
        "AttributeError: module 'random' has no attribute 'randint'",
        "# note: there was my own random.py in the project",
    ),
    (
        "mismatched-collectives",
        (
            "# note: rank 0 calls broadcast while the other ranks call all_reduce; hangs "
            "until watchdog timeout"
        ),
    ),
    (
        "more-ranks-than-gpus",
        "torchrun --nproc_per_node=8 train.py",
        "RuntimeError: CUDA error: invalid device ordinal",
        "# note: machine with 4 GPUs",
    ),
    (
        "process-segfault",
        "Fatal Python error: Segmentation fault",
        "Thread 0x7f (most recent call first):",
    ),
    (
        "rank-hung",
        (
            "[Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=66, "
            "OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800123 milliseconds before "
            "timing out."
        ),
    ),
    (
        "rank-killed",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError",
        "exitcode  : -9 (pid: 1234)",
        "traceback : Signal 9 (SIGKILL) received by PID 1234",
    ),
    (
        "ranks-share-one-gpu",
        "# 四个进程都跑到 GPU 0 上了，其他卡空着，DDP 报 out of memory",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
    ),
    (
        "rendezvous-port-in-use",
        "RuntimeError: Address already in use",
        "# note: second torchrun job on the same machine",
    ),
    (
        "allocator-fragmentation",
        (
            "OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a "
            "total capacity of 79.15 GiB of which 1.20 GiB is free. Including non-PyTorch "
            "memory, this process has 77.90 GiB memory in use. Of the allocated memory 55.10 "
            "GiB is allocated by PyTorch, and 22.00 GiB is reserved by PyTorch but "
            "unallocated."
        ),
    ),
    (
        "build-exhausts-host-memory",
        "# 编译 flash-attn 把内存吃满，机器卡死；设 MAX_JOBS=2 就行",
    ),
    (
        "cache-dir-owned-by-other-user",
        "# 共享服务器上 /tmp/triton 目录属于别的用户",
        "PermissionError: [Errno 13] Permission denied: '/tmp/triton/x'",
    ),
    (
        "cache-filesystem-full",
        "# 数据集缓存写到系统盘 ~/.cache，盘满了，数据盘还有很多空间",
        "OSError: [Errno 28] No space left on device",
    ),
    (
        "cuda-initialised-before-fork",
        (
            "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with "
            "multiprocessing, you must use the 'spawn' start method"
        ),
    ),
    (
        "cuda-visible-devices-empty",
        ('# the wrapper script does export CUDA_VISIBLE_DEVICES="" and tensorflow runs on the CPU'),
    ),
    (
        "cuda-visible-devices-names-absent-gpu",
        "CUDA_VISIBLE_DEVICES=4 python train.py",
        "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected",
        "# four GPUs, numbered 0-3",
    ),
    (
        "framework-preallocates-gpu-memory",
        ("# JAX grabs 75% of the card at start, then my torch process gets CUDA error: out of memory"),
    ),
    (
        "gpu-memory-exhausted",
        "RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR",
        "# only with batch size 64, with 16 it runs",
    ),
    (
        "gpu-memory-held-by-other-process",
        (
            "ValueError: Free memory on device (3.1/23.6 GiB) on startup is less than "
            "desired GPU memory utilization (0.9, 21.3 GiB)."
        ),
    ),
    (
        "gpu-memory-held-by-other-process",
        "# nvidia-smi shows a dead notebook kernel that still holds 30 GB",
        "torch.OutOfMemoryError: CUDA out of memory.",
    ),
    (
        "gpu-memory-fraction-limit",
        "# torch.cuda.set_per_process_memory_fraction(0.2) was left in the code",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB",
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
