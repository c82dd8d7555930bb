"""
## What it means
The process runs in a container into which nothing of the NVIDIA driver was put: no `/dev/nvidia*` node,
no driver library, no libcuda. The image may be perfect; CUDA images carry the toolkit, never the driver.

## Why it happens
The container was started without `--gpus` (docker), without the CDI device (podman), without
`runtimeClassName: nvidia` or a GPU request (Kubernetes), without `runtime: nvidia` or a device
reservation (compose). On Jetson and with docker as kubelet's old engine the default runtime has to be
`nvidia`.

## When it is not a fault
A container that needs no GPU. CUDA images set `NVIDIA_VISIBLE_DEVICES=all` whether or not somebody wants
a GPU, so on a machine without one this is only a possibility. With `void` or `none` the GPU was left out
on purpose.

## What to do
Start it again: `docker run --gpus all …`, `podman run --device nvidia.com/gpu=all …`, in Kubernetes
`resources.limits: nvidia.com/gpu: 1`. If docker then answers "could not select device driver", the
container toolkit is missing on the host. Check from the host with `docker run --rm --gpus all ubuntu
nvidia-smi`: the toolkit brings `nvidia-smi` in, also into a bare image.

## How safe the fix is
The container has to be created again; what lives only inside it is lost. Nothing else changes.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.container.host_engine import LEFT_OUT, WISH, requests_gpus
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.told import symptoms
from codeblue.model.facts import (
    Container,
    ContainerRun,
    Engine,
    Environment,
    Loader,
    Nodes,
    Pci,
    Sightings,
    Torch,
)
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Message, Text, message

LIBCUDA = "libcuda.so.1"
SYMPTOMS = (
    "libcuda-not-found",
    "device-node-missing",
    "cuda-init-failed",
    "nvml-init-failed",
    "nvidia-smi-failed",
    "torch-cuda-unavailable",
)


AGAIN = Step(
    Verb.INSTRUCT,
    message(
        "docker: --gpus all; podman: --device nvidia.com/gpu=all; Kubernetes: limits nvidia.com/gpu: 1",
        "docker：--gpus all；podman：--device nvidia.com/gpu=all；Kubernetes：limits 中写 nvidia.com/gpu: 1",
    ),
)
FLAGS = {"docker": "--gpus all", "podman": "--device nvidia.com/gpu=all"}


def start_again(engine: str | None = None) -> Remedy:
    """Create the container again, with the options of its engine where that is known."""
    why = message("asks the engine for every GPU", "向引擎申请所有 GPU")
    flags = (Step(Verb.CONTAINER_FLAGS, why, {"flags": FLAGS[engine]}),) if engine in FLAGS else ()
    return Remedy(
        message("start the container again with GPUs", "带上 GPU 重新启动容器"),
        (AGAIN, *flags),
        Automation.HUMAN,
        Undo.COMPENSATING,
    )


@fault(
    "container-started-without-nvidia-runtime",
    title=Text("The container was started without its GPUs", "启动容器时没有传入 GPU"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "libcuda-not-found",
        "device-node-missing",
        "cuda-init-failed",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "nvml-library-not-found",
        "nvidia-module-not-loaded",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: running a sample workload",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/sample-workload.html",
            "2026-11-30",
        ),
        Reference(
            "Docker: access an NVIDIA GPU",
            "https://docs.docker.com/engine/containers/resource_constraints/#gpu",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("NVIDIA Driver was not detected", "The NVIDIA Driver was not detected", Certainty.LIKELY),
        Signature(
            "start this container with GPU support",
            "to start this container with GPU support",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                "Found no NVIDIA driver|nvidia-smi.{0,6}(?:command )?not found"
                r"|libcuda\.so(?:\.1)?.{0,30}(?:cannot open|not found)|is_available.{0,20}False"
                "|No CUDA GPUs are available|no CUDA-capable device|could not find cuda drivers"
                "|list_physical_devices|is_available|cuda:? ?(?:is )?not available"
                "|NVIDIA Driver was not detected|WARNING: No GPU|no compatible GPUs"
                "|no GPU (?:detected|found)|GPU not found|GPU functionality will not be available"
                "|nvidia-smi: not found|executable file not found|看不到|找不到 ?(?:GPU|显卡"
                "|nvidia-smi)|没有 ?GPU|用不(?:了|到) ?GPU|not (?:see|find|detect|use) .{0,12}GPU"
                "|runs? on (?:the )?CPU|falls? back to CPU",
                r"without (?:the )?(?:--gpus|--runtime|gpu flag|GPU option|nvidia runtime|GPUs?\b"
                "|-{0,2}gpus)|(?:no|missing|forgot|forgotten|lacks?|omitted|not (?:pass|use|add|set"
                r"|give)\w*)\W{0,6}(?:the )?(?:--gpus|--runtime|gpus? (?:flag|option|argument)"
                "|nvidia runtime|deploy|reservations|device request)|(?:没(?:有)?|忘(?:了|记)?"
                "|未)(?:加|带|写|传|用|指定)?.{0,6}(?:--gpus|--runtime|deploy|reservations|devices"
                r"|gpus? 参数|nvidia runtime|GPU 参数)|(?:default|plain) runtime|\bruntime: ?runc"
                "|Runtime.{0,6}runc|DeviceRequests.{0,4}null",
            ),
            none=(
                "kubelet|containerd|k8s|kubernetes|nvidia-container-toolkit.{0,20}not installed"
                "|no NVIDIA GPU",
            ),
        ),
        Clue(
            all=(
                "Found no NVIDIA driver|nvidia-smi.{0,6}(?:command )?not found"
                r"|libcuda\.so(?:\.1)?.{0,30}(?:cannot open|not found)|is_available.{0,20}False"
                "|No CUDA GPUs are available|no CUDA-capable device|could not find cuda drivers"
                "|list_physical_devices|is_available|cuda:? ?(?:is )?not available"
                "|NVIDIA Driver was not detected|WARNING: No GPU|no compatible GPUs"
                "|no GPU (?:detected|found)|GPU not found|GPU functionality will not be available"
                "|nvidia-smi: not found|executable file not found|看不到|找不到 ?(?:GPU|显卡"
                "|nvidia-smi)|没有 ?GPU|用不(?:了|到) ?GPU|not (?:see|find|detect|use) .{0,12}GPU"
                "|runs? on (?:the )?CPU|falls? back to CPU",
                r"(?:docker|podman|nerdctl)(?: container)? (?:run|create)\b.*",
            ),
            none=(
                r"--gpus|--runtime|nvidia-docker|--device|nvidia\.com/gpu|kubectl|could not select"
                r"|[Dd]efault[- ][Rr]untime:? *nvidia|default-runtime|WSL|\+cpu\b|cpuonly|whl/cpu"
                r"|index.{0,16}\bcpu\b|CPU[- ]only (?:build|wheel|torch)",
            ),
        ),
    ),
    remedy=start_again(),
    next_command="docker run --rm --gpus all ubuntu nvidia-smi  # on the host",
)
def container_started_without_nvidia_runtime(
    container: Container | Unread | None = UNREAD,
    nodes: Nodes | Unread | None = UNREAD,
    environment: Environment | Unread = UNREAD,
    loader: Loader | None = None,
    pci: Pci | None = None,
    torch: Torch | None = None,
    run: ContainerRun | None = None,
    *,
    engine: Engine | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if isinstance(container, UnsetType):
        yield from _by_command(run, engine, symptoms(sightings, *SYMPTOMS))
        return
    if isinstance(nodes, UnsetType) or not isinstance(environment, Environment):
        return
    if container is None:
        yield from _from_outside(run, pci)
        return
    if container.injected or (nodes and any(node.exists for node in nodes.nodes.values())):
        return
    if loader and _driver_library(loader):
        return
    wish = environment.variables.get(WISH)
    wanted = wish is not None and wish not in LEFT_OUT
    there = bool(pci and pci.nvidia_gpus)
    if (wish in LEFT_OUT) or not (wanted or there):
        return
    meant_for_gpu = wanted or (torch is not None and torch.cuda is not None)
    yield Hit(
        subject=f"container:{container.engine}",
        summary=_summary(container.engine, looked_up=loader is not None),
        because=cite(
            "container.injected",
            *((f"environment.variables[{WISH}]",) if wanted else ()),
            *(("pci.nvidia_gpus",) if there else ()),
        ),
        certainty=Certainty.LIKELY if meant_for_gpu and there and loader else Certainty.POSSIBLE,
        remedy=start_again(container.engine),
    )


def _from_outside(run: ContainerRun | None, pci: Pci | None) -> Iterator[Hit]:
    """Judge, on the host, how the container was created."""
    if run is None or pci is None or not own_gpus(pci) or _handed_in(run):
        return
    wish = run.variables.get(WISH)
    yield Hit(
        subject=f"container:{run.engine}",
        variant="created-without-gpus",
        summary=message(
            "the container was created without a GPU request: runtime {runtime}, no GPU device",
            "创建容器时没有申请 GPU：runtime 为 {runtime}，没有 GPU 设备",
            runtime=run.runtime or "?",
        ),
        because=cite(
            "container_run.device_requests",
            "container_run.runtime",
            *((f"container_run.variables[{WISH}]",) if wish is not None else ()),
        ),
        certainty=Certainty.LIKELY if wish is not None else Certainty.POSSIBLE,
        remedy=start_again(run.engine),
    )


def _handed_in(run: ContainerRun) -> bool:
    """True if the container gets GPUs in any form, or is meant to have none."""
    devices = run.privileged or run.driver_mounts or any("nvidia" in path for path in run.devices)
    return requests_gpus(run) or bool(devices) or run.variables.get(WISH) in LEFT_OUT


def _by_command(run: ContainerRun | None, engine: Engine | None, seen: list[str]) -> Iterator[Hit]:
    """Judge the command in a text that starts the container in which something does not work."""
    if run is None or not seen or not was_read(run, "device_requests") or _handed_in(run):
        return
    default = engine.default_runtime if engine and was_read(engine, "default_runtime") else None
    if "nvidia" in (default or ""):
        return
    yield Hit(
        subject=f"container:{run.engine}",
        variant="created-without-gpus",
        summary=message(
            "the command that starts the container asks for no GPU",
            "启动容器的命令没有申请 GPU",
        ),
        because=cite("container_run.device_requests", *seen),
        # A daemon whose default runtime is NVIDIA's hands GPUs in by this variable.
        certainty=Certainty.POSSIBLE if run.variables.get(WISH) else Certainty.LIKELY,
        remedy=start_again(run.engine),
    )


def _summary(engine: str, looked_up: bool) -> Message:
    if looked_up:
        return message(
            "this {engine} container has no /dev/nvidia* node and no driver library",
            "这个 {engine} 容器里没有 /dev/nvidia* 节点，也没有驱动库",
            engine=engine,
        )
    return message(
        "this {engine} container has no /dev/nvidia* node",
        "这个 {engine} 容器里没有 /dev/nvidia* 节点",
        engine=engine,
    )


def _driver_library(loader: Loader) -> bool:
    """True if the loader finds a libcuda that a driver brought, not an image."""
    row = loader.libraries.get(LIBCUDA)
    path = row.path if row else None
    return path is not None and "/compat/" not in path and "/stubs/" not in path
