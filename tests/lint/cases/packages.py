"""Requirements, install commands, conda environments: versions, indexes, pairs."""

from tests.lint.case import clear, fires

FLASH = (
    "https://wheels.example/{mark}flash_attn-2.8.0+cu12torch{torch}cxx11abiTRUE-cp311-cp311-linux_x86_64.whl"
)
WHL = "https://download.pytorch.org/whl"
CUDA = "FROM nvidia/cuda:12.8.1-devel-ubuntu22.04\n"
CONDA = """
    name: train
    channels: [pytorch, nvidia]
    dependencies:
      - python=3.11
      - pytorch=2.4.0
      - pytorch-cuda={version}
      - pip
      - pip:
          - {pip}
"""

CASES = (
    fires(
        "torch-version-nonexistent",
        "requirements.txt",
        "numpy\n«torch==2.9.7»  # ours\n",
    ),
    fires(
        "torch-version-nonexistent",
        "requirements.txt",
        "«torch==2.10.1»\n",
        fixed="torch==2.10.0\n",
    ),
    clear("torch-version-nonexistent", "requirements.txt", "torch==2.9.1\ntorchvision==0.24.1\n"),
    clear("torch-version-nonexistent", "requirements.txt", "torch==2.7.0a0+ecf3bae40a.nv25.2\n"),
    fires(
        "cuda-index-does-not-exist",
        "Dockerfile",
        f"FROM python:3.11\nRUN pip install torch==2.7.0 --index-url «{WHL}/cu121»\n",
    ),
    fires(
        "cuda-index-does-not-exist",
        "requirements.txt",
        f"--extra-index-url {WHL}/cu121\n«torch==2.7.0+cu121»\n",
    ),
    fires("cuda-index-does-not-exist", "setup.sh", f"pip3 install torch==2.7.0 --index-url «{WHL}/cu122»\n"),
    clear(
        "cuda-index-does-not-exist",
        "Dockerfile",
        f"FROM nvidia/cuda:12.4.1-base-ubuntu22.04\nRUN pip install torch==2.7.0 --index-url {WHL}/cu118\n",
    ),
    clear(
        "cuda-index-does-not-exist",
        "requirements.txt",
        "--extra-index-url https://wheels.example/jp5/cu114\ntorch==2.1.0+cu114\n",
    ),
    fires(
        "wheel-not-built-for-python-version",
        "Dockerfile",
        "FROM «python:3.14-slim»\nRUN pip install torch==2.4.0\n".replace(
            "«python:3.14-slim»", "python:«3.14»-slim"
        ),
    ),
    clear("wheel-not-built-for-python-version", "Dockerfile", "FROM python:3.8\nRUN pip install torch\n"),
    clear(
        "wheel-not-built-for-python-version", "Dockerfile", "FROM python:3.12\nRUN pip install torch==2.4.0\n"
    ),
    fires(
        "torch-torchvision-version-mismatch",
        "requirements.txt",
        "torch==2.7.0\n«torchvision==0.21.0»\n",
        fixed="torch==2.7.0\ntorchvision==0.22.0\n",
    ),
    fires(
        "torch-torchvision-version-mismatch",
        "setup.sh",
        f"pip install torch==2.7.0 «torchaudio==2.6.0» --index-url {WHL}/cu128\n",
        fixed=f"pip install torch==2.7.0 torchaudio==2.7.0 --index-url {WHL}/cu128\n",
    ),
    clear("torch-torchvision-version-mismatch", "requirements.txt", "torch==2.7.0\ntorchvision==0.22.0\n"),
    clear("torch-torchvision-version-mismatch", "requirements.txt", "torch==2.12.1\ntorchaudio==2.11.0\n"),
    clear(
        "torch-torchvision-version-mismatch",
        "setup.sh",
        "pip install torch==2.7.0\nif old; then pip install torch==2.6.0 torchvision==0.21.0; fi\n",
    ),
    fires(
        "glibc-too-old-for-torch", "Dockerfile", "FROM «python:3.12-alpine»\nRUN pip install torch==2.8.0\n"
    ),
    clear(
        "glibc-too-old-for-torch", "Dockerfile", "FROM python:3.12-bookworm\nRUN pip install torch==2.8.0\n"
    ),
    fires("numpy2-with-older-torch", "requirements.txt", "torch==2.1.2\n«numpy»==2.1.0\n"),
    clear("numpy2-with-older-torch", "requirements.txt", "torch==2.1.2\nnumpy<2\n"),
    clear("numpy2-with-older-torch", "requirements.txt", "torch==2.4.0\nnumpy==2.1.0\n"),
    fires(
        "cpu-only-torch-build",
        "Dockerfile",
        CUDA + f"RUN pip install torch --index-url «{WHL}/cpu»\n",
    ),
    clear(
        "cpu-only-torch-build",
        "Dockerfile",
        f"FROM python:3.11\nRUN pip install torch --index-url {WHL}/cpu\n",
    ),
    clear("cpu-only-torch-build", "Dockerfile", CUDA + f"RUN pip install torch --index-url {WHL}/cu128\n"),
    fires(
        "local-version-without-index",
        "Dockerfile",
        CUDA + "RUN pip install torch==«2.7.1+cu128»\n",
    ),
    fires(
        "local-version-without-index",
        "requirements.txt",
        "torch==«2.7.1+cu128»\n",
        fixed=f"--extra-index-url {WHL}/cu128\ntorch==2.7.1+cu128\n",
    ),
    clear(
        "local-version-without-index",
        "setup.sh",
        "pip install torch==2.7.0+cu121\n",
        also=("cuda-index-does-not-exist",),
    ),
    clear(
        "local-version-without-index",
        "Dockerfile",
        CUDA + f"ENV PIP_EXTRA_INDEX_URL={WHL}/cu128\nRUN pip install torch==2.7.1+cu128\n",
    ),
    fires(
        "extra-index-url-prefers-cpu-wheel",
        "Dockerfile",
        CUDA + f"RUN pip install torch --extra-index-url «{WHL}/cu118»\n",
    ),
    fires(
        "extra-index-url-prefers-cpu-wheel",
        "setup.sh",
        f"pip install torch==2.9.1 --extra-index-url «{WHL}/cu118»\n",
    ),
    clear(
        "extra-index-url-prefers-cpu-wheel",
        "Dockerfile",
        CUDA + f"RUN uv pip install torch --extra-index-url {WHL}/cu118\n",
    ),
    clear(
        "extra-index-url-prefers-cpu-wheel",
        "setup.sh",
        f"pip install torch==2.7.1+cu118 --extra-index-url {WHL}/cu118\n",
    ),
    fires(
        "extension-abi-mismatch",
        "requirements.txt",
        "torch==2.7.0\n" + FLASH.format(mark="«", torch="2.6") + "\n",
    ),
    clear(
        "extension-abi-mismatch",
        "requirements.txt",
        "torch==2.7.0\n" + FLASH.format(mark="", torch="2.7") + "\n",
    ),
    fires("cpu-only-onnxruntime", "requirements.txt", "onnxruntime-gpu==1.20.0\n«onnxruntime»==1.20.0\n"),
    clear("cpu-only-onnxruntime", "requirements.txt", "onnxruntime-gpu==1.20.0\n"),
    fires(
        "two-torch-installs-mixed",
        "environment.yml",
        CONDA.format(version="12.1", pip="«torch»"),
    ),
    clear("two-torch-installs-mixed", "environment.yml", CONDA.format(version="12.1", pip="einops")),
    fires(
        "conda-meta-package-withdrawn",
        "Dockerfile",
        "FROM debian:12\nRUN conda install -c pytorch pytorch==2.4.0 pytorch-cuda=«12.6»\n",
    ),
    clear(
        "conda-meta-package-withdrawn",
        "Dockerfile",
        "FROM debian:12\nRUN conda install -c pytorch pytorch==2.4.0 pytorch-cuda=12.4\n",
    ),
    fires("packages-for-other-cuda-major", "Dockerfile", CUDA + "RUN pip install «cupy-cuda11x»\n"),
    clear("packages-for-other-cuda-major", "Dockerfile", CUDA + "RUN pip install cupy-cuda12x\n"),
    fires(
        "pip-limit-redirected",
        "Dockerfile",
        "FROM python:3.11\nRUN pip install torch«>=2.4» einops\n",
        fixed='FROM python:3.11\nRUN pip install "torch>=2.4" einops\n',
    ),
    clear("pip-limit-redirected", "Dockerfile", 'FROM python:3.11\nRUN pip install "torch>=2.4" > log\n'),
    fires(
        "config-syntax-error",
        "pyproject.toml",
        '[project]\nname = "x"\ndependencies = [«torch]\n',
    ),
)
