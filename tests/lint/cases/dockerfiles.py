"""Dockerfiles: bases, driver files, what a build can do, secrets."""

from codeblue.lint.run import Against
from codeblue.model.facts import Driver
from codeblue.model.section import State
from codeblue.model.snapshot import View
from tests.lint.case import clear, fires

OLD = Against(
    machine=View(kind="probe", name="node1", driver=Driver(state=State.READ, module_version="470.57.02"))
)
NEW = Against(
    machine=View(kind="probe", name="node2", driver=Driver(state=State.READ, module_version="580.95.05"))
)
BASE = "FROM nvidia/cuda:12.8.1-devel-ubuntu22.04\n"
RUNTIME = "FROM nvidia/cuda:12.8.1-runtime-ubuntu22.04\n"

CASES = (
    fires("base-image-deprecated", "Dockerfile", "FROM «nvidia/cuda»\n"),
    fires("base-image-deprecated", "Dockerfile", "FROM «nvidia/cuda:10.2-cudnn7-devel-ubuntu18.04»\n"),
    fires("base-image-deprecated", "Dockerfile", "ARG V=12.4\nFROM «nvidia/cuda:${V}-devel-ubuntu22.04»\n"),
    fires("base-image-deprecated", "Dockerfile", "FROM «conda/miniconda3»\nRUN conda --version\n"),
    clear("base-image-deprecated", "Dockerfile", BASE),
    clear("base-image-deprecated", "Dockerfile", "FROM mirror.example/nvidia/cuda:10.2-devel-ubuntu18.04\n"),
    fires("image-tag-mutable", "Dockerfile", "FROM «registry.example/base:latest»\n"),
    clear("image-tag-mutable", "Dockerfile", f"FROM registry.example/base:latest@sha256:{'0' * 64}\n"),
    fires("driver-too-old-for-cuda", "Dockerfile", BASE.replace("nvidia", "«nvidia"), on=OLD),
    clear("driver-too-old-for-cuda", "Dockerfile", BASE, on=NEW),
    fires(
        "driver-too-old-for-cuda",
        "Dockerfile",
        "FROM python:3.11\nRUN pip install «torch==2.9.0» --index-url https://download.pytorch.org/whl/cu130\n",
        on=OLD,
    ),
    fires(
        "driver-libs-inside-image",
        "Dockerfile",
        """
        FROM ubuntu:22.04
        RUN apt-get update && apt-get install -y \\
            curl \\
            «cuda-12-8» «libnvidia-compute-570»
        """,
        fixed="""
        FROM ubuntu:22.04
        RUN apt-get update && apt-get install -y \\
            curl \\
            cuda-toolkit-12-8 libnvidia-compute-570
        """,
    ),
    clear(
        "driver-libs-inside-image",
        "Dockerfile",
        BASE + "RUN apt-get install -y cuda-toolkit-12-8 cuda-nvcc-12-8 libcudnn9-cuda-12\n",
    ),
    clear(
        "driver-libs-inside-image",
        "Dockerfile",
        BASE + "RUN apt-get install -y libnvidia-compute-570\nFROM python:3.11\nCOPY --from=0 /out /out\n",
    ),
    fires(
        "libcuda-stub-loaded",
        "Dockerfile",
        BASE + "ENV LD_LIBRARY_PATH=«/usr/local/cuda/lib64/stubs:$LD_LIBRARY_PATH»\n",
    ),
    clear(
        "libcuda-stub-loaded",
        "Dockerfile",
        BASE + "ENV LIBRARY_PATH=/usr/local/cuda/lib64/stubs\nRUN make -j8\n",
    ),
    fires(
        "libcuda-stub-loaded",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
            environment: [LD_LIBRARY_PATH=«/usr/local/cuda/lib64/stubs»]
        """,
    ),
    fires(
        "image-cuda-compat-shadows-driver",
        "Dockerfile",
        BASE + 'ENV LD_LIBRARY_PATH=«"/usr/local/cuda/compat:${LD_LIBRARY_PATH}"»\n',
    ),
    clear(
        "image-cuda-compat-shadows-driver",
        "Dockerfile",
        BASE + 'ENV LD_LIBRARY_PATH="/usr/local/cuda/lib64:${LD_LIBRARY_PATH}"\n',
    ),
    fires(
        "image-cuda-compat-shadows-driver",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
            environment: {LD_LIBRARY_PATH: «/usr/local/cuda-12.8/compat»}
        """,
    ),
    fires(
        "nvidia-driver-capabilities-lack-compute",
        "Dockerfile",
        BASE + "ENV NVIDIA_DRIVER_CAPABILITIES=«graphics,utility»\n",
        fixed=BASE + "ENV NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility\n",
    ),
    fires(
        "nvidia-driver-capabilities-lack-compute",
        "Dockerfile",
        BASE + "ENV NVIDIA_DRIVER_CAPABILITIES=«computer,utility»\n",
    ),
    clear(
        "nvidia-driver-capabilities-lack-compute",
        "Dockerfile",
        BASE + "ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility,video\n",
    ),
    fires("cuda-compiler-missing", "Dockerfile", RUNTIME + "RUN «nvcc» -o a a.cu\n"),
    fires(
        "cuda-compiler-missing", "Dockerfile", RUNTIME + "RUN pip install «flash-attn» --no-build-isolation\n"
    ),
    clear("cuda-compiler-missing", "Dockerfile", BASE + "RUN nvcc -o a a.cu && pip install flash-attn\n"),
    clear(
        "cuda-compiler-missing",
        "Dockerfile",
        RUNTIME + "RUN apt-get install -y cuda-nvcc-12-8\nRUN nvcc -o a a.cu\n",
    ),
    fires("gpu-needed-at-image-build", "Dockerfile", BASE + "RUN pip list && «nvidia-smi»\n"),
    fires(
        "gpu-needed-at-image-build",
        "Dockerfile",
        BASE + 'RUN python -c "import torch; «assert torch.cuda.is_available()»"\n',
    ),
    clear(
        "gpu-needed-at-image-build",
        "Dockerfile",
        BASE + 'RUN nvidia-smi || true\nCMD ["nvidia-smi"]\n',
    ),
    clear(
        "gpu-needed-at-image-build",
        "Dockerfile",
        BASE + "RUN --device=nvidia.com/gpu=all nvidia-smi\n",
    ),
    fires("cuda-arch-list-invalid", "Dockerfile", BASE + 'ENV TORCH_CUDA_ARCH_LIST=«"sm_90"»\n'),
    fires(
        "cuda-arch-list-invalid",
        "Dockerfile",
        'FROM nvidia/cuda:11.8.0-devel-ubuntu22.04\nENV TORCH_CUDA_ARCH_LIST=«"9.0;12.0"»\n',
    ),
    clear("cuda-arch-list-invalid", "Dockerfile", BASE + 'ENV TORCH_CUDA_ARCH_LIST="8.0 9.0a;12.0+PTX"\n'),
    fires(
        "nccl-built-for-other-cuda",
        "Dockerfile",
        BASE + "RUN apt-get install -y --allow-downgrades «libnccl2=2.16.5-1+cuda11.8»\n",
    ),
    clear(
        "nccl-built-for-other-cuda",
        "Dockerfile",
        BASE + "RUN apt-get install -y --allow-downgrades libnccl2=2.26.2-1+cuda12.8\n",
    ),
    fires(
        "image-upgrade-moves-cuda-libraries",
        "Dockerfile",
        BASE + "RUN apt-get update && apt-get «upgrade» -y\n",
    ),
    clear(
        "image-upgrade-moves-cuda-libraries",
        "Dockerfile",
        BASE + "RUN apt-get update && apt-get install -y --only-upgrade openssl\n",
    ),
    fires("entrypoint-swallows-signals", "Dockerfile", BASE + "CMD «torchrun --nproc-per-node 8 t.py»\n"),
    clear("entrypoint-swallows-signals", "Dockerfile", BASE + 'CMD ["torchrun", "t.py"]\n'),
    fires(
        "secret-in-configuration",
        "Dockerfile",
        """
        FROM python:3.11
        ENV WANDB_API_KEY=«0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c»
        RUN git clone «https://bot:Zx9kQ2mWp4@git.example/x.git»
        COPY «.netrc /root/.netrc»
        ARG «T=ghp_QdRtYhLpWmZxCvBnGjKsUaEoIq12»
        """,
    ),
    clear(
        "secret-in-configuration",
        "Dockerfile",
        """
        FROM python:3.11
        ARG GITHUB_TOKEN
        ENV HF_TOKEN="" WANDB_API_KEY=your_api_key_goes_here HF_HOME=/cache
        RUN --mount=type=secret,id=netrc git clone https://git.example/x.git
        """,
    ),
)
