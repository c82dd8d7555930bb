"""What several rules ask of a container."""

import re

from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node

QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(m|k|Ki|[MGTPE]i?|[eE][0-9]+)?$")
POWERS = {"": 1.0, "m": 0.001, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
BINARY = {f"{prefix}i": 1024.0**power for power, prefix in enumerate("KMGTPE", start=1)}
PLACEHOLDER = re.compile(r"[$<>{}%]|[A-Z]+_[A-Z_]+")
"""What somebody fills in before the manifest is applied."""
CUDA_IMAGE = re.compile(
    r"(?:^|/)nvidia/(?:cuda|pytorch|tensorflow|nemo|tritonserver)(?:[:@]|$)|nvcr\.io/nvidia/|"
    r"(?:^|/)pytorch/pytorch:|(?:^|/)vllm/vllm-openai(?:[:@]|$)|(?:^|/)lmsysorg/sglang|[-_.:]cu(?:da)?-?1[0-9]"
)
"""Images that are of use with GPUs only."""
LAUNCHED = re.compile(r"\b(?:torchrun|torch\.distributed\.(?:run|launch)|accelerate launch|deepspeed)\b")


def quantity(text: str) -> float | None:
    """Return what a quantity such as ``16Gi`` or ``500m`` amounts to; None if it is none."""
    found = QUANTITY.match(text)
    if found is None:
        return None
    suffix = found[2] or ""
    if suffix[:1] in ("e", "E") and len(suffix) > 1 and suffix[1:].isdigit():
        return float(found[1]) * 10.0 ** min(int(suffix[1:]), 300)
    return float(found[1]) * (POWERS[suffix] if suffix in POWERS else BINARY[suffix])


def whole_gpus(container: Container) -> int | None:
    """Return how many whole GPUs a container gets; None if it gets none, or parts of them."""
    node = container.amount("limits", "nvidia.com/gpu") or container.amount("requests", "nvidia.com/gpu")
    if node is None or not node.text.isdigit() or len(container.gpus) != 1:
        return None
    return int(node.text) or None


def words(container: Container) -> list[Node]:
    """Return the command and its arguments, one node each."""
    return [*container.root.each("command"), *container.root.each("args")]


def said(container: Container) -> str:
    """Return the command as one text."""
    return " ".join(word.text for word in words(container))


def wants_cuda(container: Container) -> bool:
    """Tell whether image or command are made for GPUs."""
    return bool(CUDA_IMAGE.search(container.root.say("image")) or LAUNCHED.search(said(container)))


def privileged(container: Container) -> bool:
    """Tell whether a container may do everything."""
    return container.root.say("securityContext", "privileged") == "true"


def capabilities(container: Container) -> set[str]:
    """Return the names of the added capabilities."""
    added = container.root.each("securityContext", "capabilities", "add")
    return {one.text.upper().removeprefix("CAP_") for one in added}


def mounted(container: Container, path: str) -> bool:
    """Tell whether a path lies on a volume."""
    points = [one.say("mountPath").rstrip("/") for one in container.root.each("volumeMounts")]
    return any(path == point or path.startswith(f"{point}/") for point in points)


def infrastructure(pod: Pod) -> bool:
    """Tell whether the pod runs on every node and looks after it, as drivers and monitors do."""
    return pod.owner.kind == "DaemonSet"


def takes_from_elsewhere(container: Container) -> bool:
    """Tell whether variables come from a ConfigMap or Secret that this file need not show."""
    return bool(container.root.each("envFrom"))
