"""
## What it means
The engine runs inside the confinement of a snap. It sees its own root file system, so the container
toolkit finds no `libnvidia-ml.so.1` and no hook there although `nvidia-smi` works on the host. By
itself this is no trouble; it becomes the cause when a container cannot get a GPU.

## Why it happens
The Ubuntu installer offers docker as a snap, and `snap install docker` is the first hint of the shell
when the command is missing. On a host with both, the snap's daemon may own the socket while the
packages of docker-ce are installed as well: `apt` then seems to fix nothing.

## When it is not a fault
Newer revisions of the snap bring their own NVIDIA support, first on Ubuntu Core and later on classic
systems. If a container lists the GPUs, leave it as it is. Without GPU work the snap is an ordinary
docker.

## What to do
Look at `snap list docker` and `docker info`: a root directory below `/var/snap/docker` says which
daemon answers. Remove the snap or stop it (`sudo snap stop --disable docker`), install docker-ce with
the container toolkit, restart, and try `docker run --rm --gpus all ubuntu nvidia-smi`.

## How safe the fix is
Images and volumes of the snap live in `/var/snap/docker/common` and go with it: save them first. Ports
and restart policies of running services have to be set up again.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.words import NO_GPU
from codeblue.model.facts import Container, Engine, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RUNTIME = "nvidia"


@fault(
    "docker-from-snap",
    title=Text(
        "Docker comes from a snap, which cannot see the host's driver files",
        "Docker 来自 snap，看不到宿主机的驱动文件",
    ),
    layer=Layer.CONTAINER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=(
        "toolkit-finds-no-driver-library",
        "container-toolkit-missing",
        "docker-daemon-not-restarted",
        "container-started-without-nvidia-runtime",
        "torch-cuda-unavailable",
        "nvidia-smi-failed",
        "nvml-init-failed",
        "cuda-init-failed",
        "libcuda-not-found",
    ),
    references=(
        Reference(
            "canonical/docker-snap#148: no GPU on classic Ubuntu",
            "https://github.com/canonical/docker-snap/issues/148",
            "2026-11-30",
        ),
        Reference(
            "Docker: install on Ubuntu", "https://docs.docker.com/engine/install/ubuntu/", "2026-11-30"
        ),
    ),
    signatures=(
        Signature("snap install", r"\bsnap install (?:--?\S+ )*docker\b"),
        Signature("/snap/docker/", r"/snap/docker/(?:current|common|x?\d+)/"),
        Signature("snap.docker.dockerd", r"\bsnap\.docker\.dockerd"),
        Signature("canonical", r"^docker +\d\S* +\d+ +\S+ +canonical", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"\bsnap\b.{0,30}docker|docker\b.{0,40}\bsnap\b|/snap/bin/docker|/var/snap/docker"
                r"|snap\.docker|/snap/docker|snapd|snap 版|snap 安装",
                NO_GPU + "|could not select device driver|libnvidia-ml|load library failed"
                "|[Uu]nknown (?:or invalid )?runtime|nvidia-container-cli|Found no|--gpus"
                "|no such file|permission denied|GPU",
            ),
            none=(
                "(?:removed|purged|uninstalled) .{0,10}snap|not (?:a|from|the) snap"
                "|snap remove docker.{0,20}(?:did not|no)",
            ),
            bites=True,
        ),
    ),
    remedy=Remedy(
        message("use the engine from Docker's own package repository", "改用 Docker 官方软件源的引擎"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    (
                        "save what is needed from the snap's volumes, sudo snap remove docker, "
                        "install docker-ce, then sudo nvidia-ctk runtime configure --runtime=docker"
                    ),
                    (
                        "先备份 snap 里的卷，再 sudo snap remove docker，安装 docker-ce，"
                        "然后 sudo nvidia-ctk runtime configure --runtime=docker"
                    ),
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="snap list docker; which -a docker; docker info --format '{{.DockerRootDir}}'",
)
def docker_from_snap(engine: Engine, container: Container | None, pci: Pci | None) -> Iterator[Hit]:
    if container is not None or pci is None or not own_gpus(pci) or engine.remote or not engine.snap:
        return
    if engine.reachable and RUNTIME in engine.runtimes:
        return  # a newer revision, with NVIDIA support of its own
    yield Hit(
        subject="service:docker",
        summary=message(
            "docker is a snap and knows no runtime {runtime}",
            "docker 来自 snap，并且没有名为 {runtime} 的 runtime",
            runtime=RUNTIME,
        ),
        because=cite("engine.snap", *(("engine.runtimes",) if engine.reachable else ())),
        certainty=Certainty.CERTAIN if engine.reachable else Certainty.LIKELY,
    )
