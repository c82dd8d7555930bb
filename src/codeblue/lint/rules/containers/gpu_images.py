"""What the name of an image tells of GPUs."""

import re

from codeblue.matrix.images import of_image
from codeblue.model.config.image import Image
from codeblue.model.manifest import Said

OTHERS = re.compile(
    r"rocm|(?:^|[-_.:/])(?:cpu|intel|xpu|hpu|gaudi|amd|neuron|tpu)(?:$|[-_.:/])", re.IGNORECASE
)
"""Words of builds for no GPU of NVIDIA."""
SERVERS = re.compile(
    r"(?:^|/)(?:vllm/vllm-openai|huggingface/text-generation-inference|lmsysorg/sglang|nim/[\w.-]+/[\w.-]+)$"
)
"""Programs that end without a GPU."""
MADE_FOR_CUDA = re.compile(
    r"(?:^|/)nvidia/(?:cuda|pytorch|tensorflow|tensorrt|tensorrt-llm(?:/\w+)?|nemo|tritonserver|jax)$"
)
TAG = re.compile(r"(?:^|[-_.])(?:cuda(?:\d[\d.]*)?|cu1\d\d|gpu|tensorrt)(?:$|[-_.])", re.IGNORECASE)
PLAIN = re.compile(
    r"(?:docker\.io/)?(?:library/)?(?:python|ubuntu|debian|alpine|rockylinux|almalinux|fedora|centos"
    r"|continuumio/(?:mini|ana)conda3|condaforge/mini(?:forge|mamba)3?|mambaorg/micromamba)$"
)
"""Images that set no variable of NVIDIA."""


def needs_gpus(image: Image) -> bool:
    """Tell whether what it runs cannot do without a GPU of NVIDIA."""
    return SERVERS.search(image.repository) is not None and not OTHERS.search(image.text)


def is_made_for_gpus(image: Image) -> bool:
    """Tell whether an image is plainly one with CUDA."""
    if OTHERS.search(image.text):
        return False
    return bool(
        MADE_FOR_CUDA.search(image.repository) or needs_gpus(image) or TAG.search(image.tag)
    )  # fmt: skip


def cuda_of(image: Image) -> str | None:
    """Return the CUDA that the name of an image tells: of ``nvidia/cuda`` and PyTorch's own."""
    told = of_image(Said(value=image.text, origin=""), {})
    if told.cuda is not None:
        return told.cuda.value
    found = re.search(r"\+cu(\d+)(\d)$", told.torch.value) if told.torch else None
    return f"{found[1]}.{found[2]}" if found else None
