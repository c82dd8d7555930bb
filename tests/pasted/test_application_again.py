"""Reports about the job itself, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "host-memory-exhausted",
        "# 加载数据时进程被 Killed，主机内存 64G 吃满",
        "Killed",
    ),
    (
        "host-memory-exhausted",
        (
            "RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: "
            "not enough memory: you tried to allocate 8589934592 bytes."
        ),
    ),
    (
        "illegal-memory-access",
        "CUDA error: an illegal memory access was encountered",
        "  current device: 0, in function ggml_cuda_op_mul_mat",
    ),
    (
        "index-out-of-range-on-gpu",
        (
            "../aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: block: "
            "[10,0,0], thread: [32,0,0] Assertion `srcIndex < srcSelectDimSize` failed."
        ),
    ),
    (
        "index-out-of-range-on-gpu",
        "RuntimeError: CUDA error: device-side assert triggered",
        "# added new tokens to the tokenizer but did not resize the embeddings",
    ),
    (
        "input-tensor-left-on-cpu",
        "# LSTM 的 h0 忘了 .cuda()",
        (
            "RuntimeError: Input and hidden tensors are not at the same device, found input "
            "tensor at cuda:0 and hidden tensor at cpu"
        ),
    ),
    (
        "invalid-device-ordinal",
        (
            "ValueError: Invalid CUDA 'device=1' requested. Use 'device=cpu' or pass valid "
            "CUDA device(s) if available"
        ),
    ),
    (
        "kernel-trapped",
        "RuntimeError: CUDA error: misaligned address",
    ),
    (
        "local-file-shadows-stdlib-module",
        (
            "AttributeError: partially initialized module 'queue' has no attribute 'Queue' "
            "(most likely due to a circular import)"
        ),
    ),
    (
        "mismatched-collectives",
        ("# ranks pass tensors of different shapes to all_gather, job hangs with watchdog timeout"),
    ),
    (
        "more-ranks-than-gpus",
        ("ValueError: Tensor parallel size (4) cannot be larger than the number of available GPUs (2)."),
    ),
    (
        "more-ranks-than-gpus",
        "# 机器只有两张卡，脚本默认 nproc_per_node=8",
        "RuntimeError: CUDA error: invalid device ordinal",
    ),
    (
        "process-segfault",
        "Segmentation fault (core dumped)",
    ),
    (
        "rank-hung",
        (
            "RuntimeError: [Rank 1] Watchdog caught collective operation timeout: "
            "WorkNCCL(OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1803170 milliseconds "
            "before timing out."
        ),
    ),
    (
        "rank-raised-exception",
        "[rank2]: ValueError: shape mismatch",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:",
    ),
    (
        "rank-killed",
        ("subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>."),
    ),
    (
        "ranks-share-one-gpu",
        "NCCL WARN Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 4000",
    ),
    (
        "ranks-share-one-gpu",
        ("# all 8 processes sit on GPU 0 in nvidia-smi; set_device is never called in the script; DDP"),
    ),
    (
        "rendezvous-port-in-use",
        (
            "[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:29500 "
            "(errno: 98 - Address already in use)."
        ),
    ),
    (
        "allocator-fragmentation",
        (
            "# note: CUDA out of memory though nvidia-smi shows reserved 20 GB and allocated "
            "8 GB; fragmentation from variable lengths"
        ),
    ),
    (
        "build-exhausts-host-memory",
        "c++: fatal error: Killed signal terminated program cc1plus",
        "# note: building vllm in docker with 64 jobs",
    ),
    (
        "cache-dir-owned-by-other-user",
        "# note: /tmp/torch_extensions was created by another user, PermissionError",
    ),
    (
        "cache-filesystem-full",
        "RuntimeError: Not enough free disk space to download the file",
        "# note: HF cache in /root (overlay, 20 GB), /data has room",
    ),
    (
        "cuda-initialised-before-fork",
        (
            "# note: gunicorn --preload loads the model in the parent; workers raise CUDA "
            "error: initialization error"
        ),
    ),
    (
        "cuda-visible-devices-empty",
        "# .bashrc 里把 CUDA_VISIBLE_DEVICES 设成空字符串，torch.cuda.device_count() 是 0",
    ),
    (
        "cuda-visible-devices-names-absent-gpu",
        (
            '# note: example sets os.environ["CUDA_VISIBLE_DEVICES"]="1"; I have one GPU: no '
            "CUDA-capable device is detected"
        ),
    ),
    (
        "framework-preallocates-gpu-memory",
        "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4096 bytes.",
        "# note: two JAX notebooks on the same GPU; XLA_PYTHON_CLIENT_PREALLOCATE=false helps",
    ),
    (
        "gpu-memory-exhausted",
        "# 4090 24G 训练 batch 32 爆显存 CUDA out of memory，batch 16 正常",
    ),
    (
        "gpu-memory-held-by-other-process",
        ("RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`"),
        "# note: another user's job occupied the card",
    ),
    (
        "host-memory-exhausted",
        "# note: num_workers=32 fills 128 GB RAM; worker killed",
        "RuntimeError: DataLoader worker (pid 9) exited unexpectedly",
    ),
    (
        "index-out-of-range-on-gpu",
        "Assertion `t >= 0 && t < n_classes` failed.",
    ),
    (
        "index-out-of-range-on-gpu",
        "# note: device-side assert; embedding got ids larger than vocab_size",
    ),
    (
        "input-tensor-left-on-cpu",
        "# note: forgot .to(device) on the mask",
        ("RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)"),
    ),
    (
        "local-file-shadows-stdlib-module",
        (
            "# 项目里有个 select.py，DataLoader 多进程就报 AttributeError: module 'select' "
            "has no attribute 'poll'"
        ),
    ),
    (
        "mismatched-collectives",
        ("# note: only rank 0 calls dist.barrier inside the if; the others go on; timeout after 30 min"),
    ),
    (
        "more-ranks-than-gpus",
        "AssertionError: Loading a checkpoint for MP=8 but world size is 1",
        "# note: 1 GPU",
    ),
    (
        "more-ranks-than-gpus",
        ("# note: launched 4 processes on a machine with two GPUs, ranks 2 and 3: invalid device ordinal"),
    ),
    (
        "rank-killed",
        (
            "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) "
            "local_rank: 3 (pid: 71) of binary: /usr/bin/python"
        ),
    ),
    (
        "ranks-share-one-gpu",
        ("# 代码里写死 torch.device('cuda:0')，torchrun 起 8 个进程全在 0 号卡，报 Duplicate GPU detected"),
    ),
    (
        "rendezvous-port-in-use",
        (
            "torch.distributed.DistNetworkError: The server socket has failed to listen on "
            "any local network address. port: 29500, useIpv6: false, code: -98, name: "
            "EADDRINUSE, message: address already in use"
        ),
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
