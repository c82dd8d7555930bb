"""
## What it means
The container was given GPUs, but `NVIDIA_DRIVER_CAPABILITIES` lists what it may have of the driver, and
`compute` is not in the list. So the toolkit mounted no libcuda: `nvidia-smi` works if `utility` is
listed, PyTorch says that there is no NVIDIA driver.

## Why it happens
A compose file or an image for video or graphics sets `NVIDIA_DRIVER_CAPABILITIES=video,utility` or
`graphics`, and somebody added a CUDA program later. A name that is written wrongly is dropped as well.

## When it is not a fault
A container that only transcodes, renders or monitors needs no `compute`. Without the variable the toolkit
gives `utility` and `compute`. If libcuda is found in another way, nothing is missing.

## What to do
Start the container with `-e NVIDIA_DRIVER_CAPABILITIES=compute,utility` and what else it needs, or `all`.
Setting the variable inside a running container does nothing: it is read when the container is created.

## How safe the fix is
The container has to be created again. It gets more libraries of the driver and no more rights.
"""

from collections.abc import Iterator

from codeblue.model.facts import Container, Environment, Loader, Nodes
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NAME = "NVIDIA_DRIVER_CAPABILITIES"
LIBCUDA = "libcuda.so.1"


KNOWN = ("utility", "video", "graphics", "display", "ngx", "compat32")
"""Capabilities beside compute; the toolkit drops every other name."""


def ask_for_compute(listed: str) -> Remedy:
    """Create the container again with the capability added."""
    names = {name.strip() for name in listed.split(",")}
    value = ",".join(["compute", *(name for name in KNOWN if name in names)])
    return Remedy(
        message("add compute to {name}", "在 {name} 中加入 compute", name=NAME),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "create the container again with {name}={value}",
                    "用 {name}={value} 重新创建容器",
                    name=NAME,
                    value=value,
                ),
            ),
            Step(
                Verb.CONTAINER_FLAGS,
                message("the variable is read when the container is created", "该变量在创建容器时读取"),
                {"flags": f"--env {NAME}={value}"},
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    )


@fault(
    "nvidia-driver-capabilities-lack-compute",
    title=Text(
        "The container asks for no compute capability of the driver", "容器没有申请驱动的 compute 能力"
    ),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("libcuda-not-found", "cuda-init-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "NVIDIA Container Toolkit: specialized configurations with docker, driver capabilities",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
            "2026-11-30",
        ),
    ),
    next_command="echo $NVIDIA_DRIVER_CAPABILITIES; ldconfig -p | grep libcuda",
)
def nvidia_driver_capabilities_lack_compute(
    container: Container, environment: Environment, loader: Loader, nodes: Nodes | None = None
) -> Iterator[Hit]:
    listed = environment.variables.get(NAME, "")
    names = {name.strip() for name in listed.split(",")}
    if not listed.strip() or names & {"compute", "all"}:
        return
    row = loader.libraries.get(LIBCUDA)
    given = bool(container.injected) or any(node.exists for node in (nodes.nodes if nodes else {}).values())
    if row is None or row.path is not None or not given:
        return
    yield Hit(
        subject=f"env:{NAME}",
        summary=message(
            "{name}={listed} leaves compute out, so the container has no libcuda",
            "{name}={listed} 不含 compute，所以容器里没有 libcuda",
            name=NAME,
            listed=listed,
        ),
        because=cite(f"environment.variables[{NAME}]", f"loader.libraries[{LIBCUDA}].path"),
        remedy=ask_for_compute(listed),
    )
