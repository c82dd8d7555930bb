"""Names and values of variables, in pods and in scripts."""

from tests.lint.case import clear, fires
from tests.lint.cases.manifest import env, pod

CASES = (
    fires(
        "env-name-misspelt",
        "run.sh",
        "export «Nccl_Socket_Ifnam»=eth0\n",
        fixed="export NCCL_SOCKET_IFNAME=eth0\n",
    ),
    clear("env-name-misspelt", "run.sh", "my_nccl_debug=out.log\nNCCL_TUNER_CONFIG_PATH=/x.conf\n"),
    fires(
        "env-value-invalid",
        "pod.yaml",
        pod(env=env("NCCL_IB_HCA", "mlx5") + env("NCCL_CUMEM_ENABLE", '«"true"»')),
        fixed=pod(env=env("NCCL_IB_HCA", "mlx5") + env("NCCL_CUMEM_ENABLE", '"1"')),
        also=("rdma-device-not-mounted-in-container",),
    ),
    fires("env-value-invalid", "run.sh", "export NCCL_BUFFSIZE=«4M»\n"),
    fires("env-value-invalid", "run.sh", "export NCCL_IB_GID_INDEX=«-3»\n"),
    fires("env-value-invalid", "run.sh", "export NCCL_IB_TC=«300» NCCL_IB_SL=-1 NCCL_IB_TIMEOUT=22\n"),
    fires("env-value-invalid", "run.sh", "export MASTER_PORT=«70000»\n"),
    fires("env-value-invalid", "run.sh", "export MASTER_PORT=«tcp://10.0.0.1»\n"),
    fires("env-value-invalid", "run.sh", "export NCCL_DEBUG=«debug»\n", fixed='export NCCL_DEBUG="INFO"\n'),
    fires(
        "env-value-invalid", "run.sh", "export NCCL_P2P_LEVEL=«nvl»\n", fixed='export NCCL_P2P_LEVEL="NVL"\n'
    ),
    fires("env-value-invalid", "run.sh", "export NCCL_PROTO=«LL,Fast»\n"),
    fires(
        "env-value-invalid",
        "run.sh",
        "export CUDA_DEVICE_ORDER=«PCI_BUS»\n",
        fixed='export CUDA_DEVICE_ORDER="PCI_BUS_ID"\n',
    ),
    clear(
        "env-value-invalid",
        "run.sh",
        """
        export NCCL_DEBUG=info NCCL_PROTO=^LL128 NCCL_P2P_LEVEL=4 NCCL_CROSS_NIC=2 NCCL_IB_GID_INDEX=3
        export NCCL_BUFFSIZE=8388608 NCCL_MIN_NCHANNELS=0x10 NCCL_NTHREADS=512 MASTER_PORT=$PORT
        export NCCL_CUMEM_ENABLE=-2 TORCH_NCCL_BLOCKING_WAIT=true NCCL_PROTO='allreduce:LL;Simple'
        """,
        also=("debug-setting-left-on",),
    ),
    fires(
        "allocator-config-invalid",
        "run.sh",
        "export PYTORCH_ALLOC_CONF=«expandable_segments=True»\n",
        fixed='export PYTORCH_ALLOC_CONF="expandable_segments:True"\n',
    ),
    fires("allocator-config-invalid", "run.sh", "export PYTORCH_ALLOC_CONF=«max_split_mb:64»\n"),
    clear(
        "allocator-config-invalid",
        "run.sh",
        "export PYTORCH_ALLOC_CONF=max_split_size_mb:64,expandable_segments:True\n",
    ),
    fires(
        "env-name-deprecated",
        "pod.yaml",
        pod(env=env("«NCCL_ASYNC_ERROR_HANDLING»", '"1"')),
        fixed=pod(env=env("TORCH_NCCL_ASYNC_ERROR_HANDLING", '"1"')),
    ),
    fires("env-name-deprecated", "run.sh", "export «NCCL_TREE_THRESHOLD»=0\n"),
    fires(
        "env-name-deprecated",
        "run.sh",
        "export «PYTORCH_CUDA_ALLOC_CONF»=expandable_segments:True\n",
        fixed="export PYTORCH_ALLOC_CONF=expandable_segments:True\n",
    ),
    clear(
        "env-name-deprecated",
        "run.sh",
        "export NCCL_BLOCKING_WAIT=0 TORCH_NCCL_BLOCKING_WAIT=0 NCCL_SHM_USE_CUDA_MEMCPY=1\n",
    ),
    fires("nccl-transport-disabled-by-env", "run.sh", "export «NCCL_P2P_DISABLE»=1 «NCCL_IB_DISABLE»=1\n"),
    clear("nccl-transport-disabled-by-env", "run.sh", "export NCCL_P2P_DISABLE=0 NCCL_IB_DISABLE=0\n"),
    fires("nccl-picked-loopback", "run.sh", "export NCCL_SOCKET_IFNAME=«lo» GLOO_SOCKET_IFNAME=«lo»\n"),
    fires("nccl-picked-loopback", "run.sh", "export NCCL_SOCKET_IFNAME=«^docker0»\n"),
    clear(
        "nccl-picked-loopback",
        "run.sh",
        "export NCCL_SOCKET_IFNAME=^lo,docker0 GLOO_SOCKET_IFNAME=eth0\nNCCL_SOCKET_IFNAME=^docker,lo\n",
    ),
    fires(
        "debug-setting-left-on",
        "run.sh",
        "export «CUDA_LAUNCH_BLOCKING»=1 «TORCH_DISTRIBUTED_DEBUG»=detail\n",
    ),
    clear(
        "debug-setting-left-on",
        "run.sh",
        "export CUDA_LAUNCH_BLOCKING=0 NCCL_DEBUG=INFO TORCH_DISTRIBUTED_DEBUG=INFO\n",
    ),
    fires(
        "safety-check-disabled-by-env",
        "run.sh",
        "export «TORCH_NCCL_ASYNC_ERROR_HANDLING»=0 «NVIDIA_DISABLE_REQUIRE»=true\n",
    ),
    clear("safety-check-disabled-by-env", "run.sh", "export TORCH_NCCL_ASYNC_ERROR_HANDLING=1\n"),
    fires("numerics-changed-by-environment", "run.sh", "export «NVIDIA_TF32_OVERRIDE»=0\n"),
    clear("numerics-changed-by-environment", "run.sh", "export CUBLAS_WORKSPACE_CONFIG=:4096:8\n"),
    fires("cuda-jit-cache-disabled", "run.sh", "export «CUDA_CACHE_DISABLE»=1\n"),
    clear("cuda-jit-cache-disabled", "run.sh", "export CUDA_CACHE_DISABLE=0\n"),
    fires("cuda-visible-devices-names-absent-gpu", "run.sh", "export CUDA_VISIBLE_DEVICES=«all»\n"),
    fires(
        "cuda-visible-devices-names-absent-gpu",
        "run.sh",
        'export CUDA_VISIBLE_DEVICES=«"0 1 2"»\n',
        fixed='export CUDA_VISIBLE_DEVICES="0,1,2"\n',
    ),
    clear(
        "cuda-visible-devices-names-absent-gpu",
        "run.sh",
        "CUDA_VISIBLE_DEVICES= python a.py\nexport CUDA_VISIBLE_DEVICES=0,1\n"
        "CUDA_VISIBLE_DEVICES=$1 python b.py\n"
        "CUDA_VISIBLE_DEVICES=GPU-8932f937,MIG-GPU-1/2/0 python c.py\nexport CUDA_VISIBLE_DEVICES=-1\n",
    ),
)
