"""Texts of machines on which all is well give no cause, not even by similar words."""

import pytest

from codeblue import pipeline
from tests.conftest import text

HEALTHY = (
    (
        "Tue Dec  1 10:00:00 2026",
        ("+-----------------------------------------------------------------------------------------+"),
        ("| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |"),
        ("|-----------------------------------------+------------------------+----------------------+"),
        ("| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"),
        ("| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"),
        ("|                                         |                        |               MIG M. |"),
        ("|=========================================+========================+======================|"),
        ("|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |"),
        ("| N/A   32C    P0             62W /  400W |       4MiB /  81920MiB |      0%      Default |"),
        ("|                                         |                        |             Disabled |"),
        ("+-----------------------------------------+------------------------+----------------------+"),
        ("| Processes:                                                                              |"),
        ("|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |"),
        ("|=========================================================================================|"),
        ("|  No running processes found                                                             |"),
        ("+-----------------------------------------------------------------------------------------+"),
    ),
    (
        "Tue Dec  1 10:00:00 2026",
        ("+-----------------------------------------------------------------------------------------+"),
        ("| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |"),
        ("|-----------------------------------------+------------------------+----------------------+"),
        ("| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"),
        ("| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"),
        ("|                                         |                        |               MIG M. |"),
        ("|=========================================+========================+======================|"),
        ("|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |"),
        ("| N/A   32C    P0             62W /  400W |       4MiB /  81920MiB |      0%      Default |"),
        ("|                                         |                        |             Enabled  |"),
        ("+-----------------------------------------+------------------------+----------------------+"),
        ("| Processes:                                                                              |"),
        ("|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |"),
        ("|=========================================================================================|"),
        ("|  No running processes found                                                             |"),
        ("+-----------------------------------------------------------------------------------------+"),
        "gpu: A100",
    ),
    (
        "Tue Dec  1 10:00:00 2026",
        ("+-----------------------------------------------------------------------------------------+"),
        ("| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |"),
        ("|-----------------------------------------+------------------------+----------------------+"),
        ("| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"),
        ("| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"),
        ("|                                         |                        |               MIG M. |"),
        ("|=========================================+========================+======================|"),
        ("|   0  NVIDIA GeForce RTX 5090          On  |   00000000:07:00.0 Off |                  N/A |"),
        ("| N/A   32C    P0             62W /  400W |       4MiB /  81920MiB |      0%      Default |"),
        ("|                                         |                        |             Disabled |"),
        ("+-----------------------------------------+------------------------+----------------------+"),
        ("| Processes:                                                                              |"),
        ("|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |"),
        ("|=========================================================================================|"),
        ("|  No running processes found                                                             |"),
        ("+-----------------------------------------------------------------------------------------+"),
        "$ nvcc --version",
        "Cuda compilation tools, release 12.8, V12.8.93",
        ">>> torch.cuda.is_available()",
        "True",
    ),
    (
        "step 100/10000 | loss 3.2114 | lr 3.0e-04 | 812 ms/step | 12.1 GB",
        "step 200/10000 | loss 2.9120 | lr 3.0e-04 | 809 ms/step | 12.1 GB",
        "saving checkpoint to /data/ckpt/step_200",
        "epoch 1 done, val_loss=2.88, acc=0.41",
        "GPU memory: allocated 12.1 GB reserved 13.0 GB",
    ),
    (
        "Collecting torch==2.5.1",
        (
            "  Downloading "
            "https://download.pytorch.org/whl/cu124/torch-2.5.1%2Bcu124-cp311-cp311-linux_x86_64.whl "
            "(908.3 MB)"
        ),
        "Collecting nvidia-cudnn-cu12==9.1.0.70 (from torch==2.5.1)",
        "  Using cached nvidia_cudnn_cu12-9.1.0.70-py3-none-manylinux2014_x86_64.whl (664.8 MB)",
        (
            "Requirement already satisfied: numpy in ./venv/lib/python3.11/site-packages "
            "(from torchvision) (1.26.4)"
        ),
        ("Installing collected packages: mpmath, typing-extensions, sympy, nvidia-cublas-cu12, torch"),
        ("Successfully installed mpmath-1.3.0 nvidia-cublas-cu12-12.4.5.8 torch-2.5.1+cu124 triton-3.1.0"),
    ),
    (
        "Defaulting to user installation because normal site-packages is not writeable",
        ("Requirement already satisfied: torch in /home/u/.local/lib/python3.10/site-packages (2.3.0)"),
        "Collecting transformers",
        "Successfully installed transformers-4.44.0",
        ("WARNING: The script transformers-cli is installed in '/home/u/.local/bin' which is not on PATH."),
    ),
    (
        "INFO 12-01 10:00:00 [__init__.py:239] Automatically detected platform cuda.",
        (
            "INFO 12-01 10:00:05 [config.py:585] This model supports multiple tasks: "
            "{'generate', 'embed'}. Defaulting to 'generate'."
        ),
        (
            "INFO 12-01 10:00:05 [core.py:53] Initializing a V1 LLM engine (v0.8.2) with "
            "config: model='/models/qwen', tensor_parallel_size=1"
        ),
        (
            "WARNING 12-01 10:00:07 [utils.py:2321] Methods determine_num_available_blocks "
            "not implemented in GPUWorker"
        ),
        (
            "INFO 12-01 10:00:08 [parallel_state.py:954] rank 0 in world size 1 is assigned "
            "as DP rank 0, PP rank 0, TP rank 0"
        ),
        "INFO 12-01 10:00:08 [cuda.py:220] Using Flash Attention backend on V1 engine.",
        ("INFO 12-01 10:00:30 [gpu_model_runner.py:1174] Model loading took 14.2487 GB and 20.1 seconds"),
        (
            "INFO 12-01 10:00:40 [backends.py:415] Using cache directory: "
            "/root/.cache/vllm/torch_compile_cache/a for vLLM's torch.compile"
        ),
        "INFO 12-01 10:01:00 [kv_cache_utils.py:566] GPU KV cache size: 301,120 tokens",
        ("INFO 12-01 10:01:10 [gpu_model_runner.py:1534] Graph capturing finished in 18 secs, took 0.52 GiB"),
        (
            "INFO 12-01 10:01:11 [core.py:151] init engine (profile, create kv cache, warmup "
            "model) took 30.0 seconds"
        ),
        "INFO:     Application startup complete.",
        'INFO:     127.0.0.1:41000 - "GET /health HTTP/1.1" 200 OK',
    ),
    (
        "$ docker run --rm --gpus all nvidia/cuda:12.4.1-base-ubuntu22.04 nvidia-smi",
        "Tue Dec  1 10:00:00 2026",
        ("+-----------------------------------------------------------------------------------------+"),
        ("| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |"),
        ("|-----------------------------------------+------------------------+----------------------+"),
        ("| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"),
        ("| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"),
        ("|                                         |                        |               MIG M. |"),
        ("|=========================================+========================+======================|"),
        ("|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |"),
        ("| N/A   32C    P0             62W /  400W |       4MiB /  81920MiB |      0%      Default |"),
        ("|                                         |                        |             Disabled |"),
        ("+-----------------------------------------+------------------------+----------------------+"),
        ("| Processes:                                                                              |"),
        ("|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |"),
        ("|=========================================================================================|"),
        ("|  No running processes found                                                             |"),
        ("+-----------------------------------------------------------------------------------------+"),
        "container: docker",
    ),
    (
        "==========",
        "== CUDA ==",
        "==========",
        "CUDA Version 12.4.1",
        ("Container image Copyright (c) 2016-2023, NVIDIA CORPORATION & AFFILIATES. All rights reserved."),
        ("This container image and its contents are governed by the NVIDIA Deep Learning Container License."),
        ">>> torch.cuda.is_available()",
        "True",
        ">>> torch.cuda.get_device_name(0)",
        "'NVIDIA H100 80GB HBM3'",
        "container: docker",
    ),
    (
        "An NVIDIA GPU is present",
        ">>> jax.devices()",
        "[CudaDevice(id=0), CudaDevice(id=1)]",
        (
            "INFO:jax._src.xla_bridge:Unable to initialize backend 'rocm': module "
            "'jaxlib.xla_extension' has no attribute 'GpuAllocatorConfig'"
        ),
        (
            "INFO:jax._src.xla_bridge:Unable to initialize backend 'tpu': INTERNAL: Failed "
            "to open libtpu.so: libtpu.so: cannot open shared object file: No such file or "
            "directory"
        ),
        "gpu: A100",
    ),
    (
        (
            "[W] FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated. Please use "
            "`torch.amp.autocast('cuda', args...)` instead."
        ),
        "Epoch 1/10: 100%|##########| 500/500 [02:11<00:00, 3.81it/s, loss=0.41]",
        (
            "Some weights of BertForSequenceClassification were not initialized from the "
            "model checkpoint at bert-base-uncased and are newly initialized: "
            "['classifier.weight']"
        ),
    ),
    (
        (
            'time=2026-12-01 level=INFO source=types.go:130 msg="inference compute" id=GPU-1 '
            'library=cuda variant=v12 compute=8.6 driver=12.4 name="NVIDIA GeForce RTX 3090" '
            'total="23.7 GiB" available="23.4 GiB"'
        ),
        "llama_model_load: offloaded 33/33 layers to GPU",
    ),
    (
        "$ lsmod | grep nvidia",
        "nvidia_uvm           4956160  2",
        "nvidia_drm            122880  4",
        "nvidia_modeset       1355776  5 nvidia_drm",
        "nvidia              54300672  90 nvidia_uvm,nvidia_modeset",
        "$ cat /proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build",
    ),
    (
        "$ env | grep -E 'CUDA|NCCL|LD_'",
        "CUDA_VISIBLE_DEVICES=0,1,2,3",
        "CUDA_HOME=/usr/local/cuda-12.4",
        "LD_LIBRARY_PATH=/usr/local/cuda-12.4/lib64",
        "NCCL_SOCKET_IFNAME=eth0",
        "NCCL_DEBUG=INFO",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        "$ torchrun --nproc_per_node=4 train.py",
        "step 10 loss 1.2",
    ),
    (
        (
            "[2026-12-01 10:00:00,001] [INFO] [real_accelerator.py:222:get_accelerator] "
            "Setting ds_accelerator to cuda (auto detect)"
        ),
        (" [WARNING]  async_io requires the dev libaio .so object and headers but these were not found."),
        " [WARNING]  sparse_attn requires a torch version >= 1.5 and < 2.0 but detected 2.3",
        "[INFO] [comm.py:652:init_distributed] cdb=None",
        "step=10, skipped=0, lr=[1e-05]",
    ),
    (
        "# conda packages in environment at /opt/conda:",
        "# Name                    Version                   Build  Channel",
        "pytorch                   2.3.0           py3.11_cuda12.1_cudnn8.9.2_0    pytorch",
        "pytorch-cuda              12.1                 ha16c6d3_5    pytorch",
        "torchvision               0.18.0              py311_cu121    pytorch",
        "numpy                     1.26.4",
    ),
    (
        "PyTorch version: 2.5.1+cu124",
        "Is debug build: False",
        "CUDA used to build PyTorch: 12.4",
        "ROCM used to build PyTorch: N/A",
        "OS: Ubuntu 22.04.4 LTS (x86_64)",
        "GCC version: (Ubuntu 11.4.0) 11.4.0",
        "Is CUDA available: True",
        "CUDA runtime version: 12.4.131",
        "GPU 0: NVIDIA H100",
        "Nvidia driver version: 550.90.07",
        "cuDNN version: Could not collect",
        "HIP runtime version: N/A",
        "Is XNNPACK available: True",
        "Vulnerability Gather data sampling: Not affected",
        "[pip3] numpy==1.26.4",
        "[pip3] torch==2.5.1+cu124",
        "[conda] Could not collect",
    ),
    (
        "Building wheel for flash-attn (setup.py): started",
        "Building wheel for flash-attn (setup.py): finished with status 'done'",
        "Successfully built flash-attn",
        "ninja: no work to do.",
        "MAX_JOBS=4",
    ),
    (
        "slurmctld: job 77 COMPLETED exit code 0",
        "$ sinfo",
        "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST",
        "gpu* up 1-00:00:00 4 idle node[1-4]",
    ),
    (
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)",
        "  MIG 3g.40gb     Device  0: (UUID: MIG-1)",
        ">>> torch.cuda.device_count()",
        "1",
    ),
    (
        ("(EngineCore_0 pid=12) INFO 12-01 10:00:00 [gpu_worker.py:298] Available KV cache memory: 55.1 GiB"),
        ("WARNING 12-01 [cuda.py:103] To see benefits of async output processing, enable CUDA graph."),
        (
            "WARNING 12-01 [topk_topp_sampler.py:63] FlashInfer is not available. Falling "
            "back to the PyTorch-native implementation of top-p & top-k sampling."
        ),
        (
            "INFO 12-01 [loggers.py:111] Engine 000: Avg prompt throughput: 10.0 tokens/s, "
            "Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%"
        ),
    ),
    (
        "INFO 12-01 Using XFormers backend.",
        "INFO 12-01 Cannot use FlashAttention-2 backend for Volta and Turing GPUs.",
        "INFO: Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)",
        "gpu: T4",
    ),
    (
        "Looking in indexes: https://download.pytorch.org/whl/cu121",
        "Collecting torch",
        "  Downloading torch-2.3.1%2Bcu121-cp310-cp310-linux_x86_64.whl (781.0 MB)",
        "Installing collected packages: torch",
        "  Attempting uninstall: torch",
        "    Found existing installation: torch 2.2.0",
        "    Uninstalling torch-2.2.0:",
        "      Successfully uninstalled torch-2.2.0",
        "Successfully installed torch-2.3.1+cu121",
        (
            "WARNING: Running pip as the 'root' user can result in broken permissions and "
            "conflicting behaviour with the system package manager."
        ),
    ),
    (
        (
            "I0000 gpu_device.cc:2022] Created device "
            "/job:localhost/replica:0/task:0/device:GPU:0 with 21000 MB memory"
        ),
        "I0000 service.cc:148] XLA service 0x7f initialized for platform CUDA",
        "I0000 cuda_dnn.cc:529] Loaded cuDNN version 90300",
        "Epoch 1/5",
        "100/100 - 3s 20ms/step - loss: 0.3 - accuracy: 0.9",
    ),
    (
        ("+ torchrun --nproc_per_node=8 --nnodes=2 --master_addr=node1 --master_port=29500 train.py"),
        (
            "INFO:torch.distributed.elastic.agent.server.api:[default] Rendezvous complete "
            "for workers. Result:"
        ),
        "  restart_count=0",
        "  master_addr=node1",
        "  master_port=29500",
        "INFO:torch.distributed.elastic.agent.server.api:[default] Starting worker group",
        "step 1 | loss 10.2",
    ),
    (
        "WARNING: The NVIDIA Driver was found.",
        "NOTE: MOFED driver for multi-node communication was not detected.",
        "      Multi-node communication performance may be reduced.",
        "NOTE: The SHMEM allocation limit is set to the default of 64MB.  This may be",
        "   insufficient for PyTorch.  NVIDIA recommends the use of the following flags:",
        "   docker run --gpus all --ipc=host --ulimit memlock=-1 --ulimit stack=67108864 ...",
        "container: docker",
    ),
    (
        "$ python train.py",
        "Using device: cuda",
        "UserWarning: TypedStorage is deprecated.",
        "`low_cpu_mem_usage` was None, now default to True since model is quantized.",
        "Loading checkpoint shards: 100%|###| 4/4",
        "{'loss': 1.3, 'grad_norm': 0.5, 'learning_rate': 2e-05, 'epoch': 0.1}",
    ),
    (
        "df -h",
        "Filesystem Size Used Avail Use% Mounted on",
        "/dev/sda1 900G 300G 600G 34% /",
        "tmpfs 63G 1.0M 63G 1% /dev/shm",
        "$ free -h",
        "Mem: 251Gi 30Gi 200Gi",
        "$ ulimit -l",
        "unlimited",
    ),
)


@pytest.mark.parametrize("lines", HEALTHY)
def test_a_healthy_text_gives_no_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes == ()
