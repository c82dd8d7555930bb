"""
## What it means
The docker command talks to Docker Desktop, and its containers live in a virtual machine. On Linux that
machine gets no GPU, so a request for one ends with a missing device driver, however well the host's
driver and toolkit are set up. By itself this is no trouble; it is named as the cause when a GPU was
refused.

## Why it happens
Docker Desktop for Linux was installed beside or instead of the engine, and it makes its own context
`desktop-linux` the current one. Its window shows only its own containers, so they are started there by
habit.

## When it is not a fault
On Windows, Docker Desktop hands GPUs to its WSL2 machine, and a GPU works there. Containers without a
GPU do not care. On a Mac there is no NVIDIA GPU to hand in.

## What to do
`docker context ls` marks the context in use with a star. `docker --context default run --rm --gpus all
ubuntu nvidia-smi` tries the host's engine without changing anything; if that works, switch with `docker
context use default`. `DOCKER_HOST` and `DOCKER_CONTEXT` in the environment win over both. Install
docker-ce and the toolkit on the host if `default` has no daemon.

## How safe the fix is
Switching the context changes nothing on disk. Images, volumes and networks of the two engines are
separate: move what is needed with `docker save` and `docker load`.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.words import NO_GPU
from codeblue.model.facts import Container, Engine, Host, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "docker-desktop-context",
    title=Text(
        "The containers run in Docker Desktop's virtual machine", "容器运行在 Docker Desktop 的虚拟机里"
    ),
    layer=Layer.CONTAINER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=(
        "toolkit-finds-no-driver-library",
        "container-toolkit-missing",
        "docker-daemon-not-restarted",
        "cdi-spec-not-found",
        "container-started-without-nvidia-runtime",
        "torch-cuda-unavailable",
        "nvidia-smi-failed",
        "nvml-init-failed",
        "cuda-init-failed",
        "libcuda-not-found",
        "device-node-missing",
    ),
    references=(
        Reference(
            "Docker Desktop: GPU support", "https://docs.docker.com/desktop/features/gpu/", "2026-11-30"
        ),
        Reference(
            "Docker contexts", "https://docs.docker.com/engine/manage-resources/contexts/", "2026-11-30"
        ),
    ),
    signatures=(
        Signature(
            "/.docker/desktop/docker.sock",
            r"(?:desktop-linux ?\*.*|daemon at |DOCKER_HOST=\S*)unix://\S*/\.docker/desktop/docker\.sock",
        ),
        Signature(
            "desktop-linux", r'(?:Current context is now|Context:) +"?desktop-linux', Certainty.POSSIBLE
        ),
    ),
    clues=(
        Clue(
            all=(
                r"Docker[- ]Desktop|desktop-linux|docker\.desktop|\.docker/desktop",
                NO_GPU + "|could not select device driver|libnvidia-ml|[Uu]nknown (?:or invalid )?runtime"
                "|no adapters|nvidia-container-cli|Found no|CDI|GPU.{0,20}(?:not|no)|--gpus",
            ),
            none=(r"WSL|Windows|win10|win11|macOS|\bMac\b|Apple",),
            bites=True,
        ),
    ),
    remedy=Remedy(
        message("use the engine that runs on the host itself", "改用直接运行在宿主机上的引擎"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "docker context use default, with docker-ce and the container toolkit on the host",
                    "宿主机装好 docker-ce 和容器工具包后执行 docker context use default",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="docker context ls; docker info --format '{{.OperatingSystem}}'",
)
def docker_desktop_context(
    engine: Engine, container: Container | None, pci: Pci | None, host: Host
) -> Iterator[Hit]:
    if container is not None or pci is None or not own_gpus(pci):
        return
    if host.wsl or engine.remote or not engine.desktop:
        return
    yield Hit(
        subject="service:docker",
        summary=message(
            "docker's context {context} is Docker Desktop, whose virtual machine has none of the {n} GPU(s)",
            "docker 的 context {context} 是 Docker Desktop，它的虚拟机里没有本机的 {n} 块 GPU",
            context=engine.context or "?",
            n=len(own_gpus(pci)),
        ),
        because=cite("engine.desktop", "engine.context", "pci.nvidia_gpus"),
    )
