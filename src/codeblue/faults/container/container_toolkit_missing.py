"""
## What it means
The engine was asked for GPUs and has nothing that could provide them. `--gpus` needs the toolkit's hook,
`--runtime nvidia` needs a runtime of that name in the engine's configuration, and the engine found neither.

## Why it happens
The host has the driver and docker, but the package `nvidia-container-toolkit` was never installed, or its
installation stopped half-way (an unrelated package repository with an error is enough). It is installed and
the engine was not restarted since, or was not told (`nvidia-ctk runtime configure`). The docker of snap and
Docker Desktop read another `daemon.json`. On a remote docker context the toolkit is missing over there.

## When it is not a fault
Without a GPU on the host the engine is right to refuse. The toolkit belongs on the host: installing it
inside the image does nothing.

## What to do
Install the toolkit on the host, register it, restart the engine, and try
`docker run --rm --gpus all ubuntu nvidia-smi`. With podman there is no daemon: generate the CDI
description with `sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml`.

## How safe the fix is
Restarting docker stops its containers unless `live-restore` is on, and cannot be taken back; the package and
the entry in `daemon.json` can. codeblue installs only from repositories that the machine already knows.
"""

import json
from collections.abc import Iterator

from codeblue.faults.container.host_engine import docker_here, gpu_specs, requests_gpus
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.seen import seen_here
from codeblue.model.facts import Container, ContainerRun, Engine, Host, Pci, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

ID = "container-toolkit-missing"
PACKAGE = "nvidia-container-toolkit"
NAMED = frozenset(["almalinux", "amzn", "centos", "debian", "fedora", "ol", "rhel", "rocky", "ubuntu"])
"""Distributions that NVIDIA's repository of this package serves."""
RUNTIME = json.dumps({"args": [], "path": "nvidia-container-runtime"})
FILE = "/etc/docker/daemon.json"
INSTALL = Step(
    Verb.PACKAGE_INSTALL,
    message(
        "the package brings the hook and the runtime; it comes from NVIDIA's repository",
        "该软件包提供 hook 和 runtime，来自 NVIDIA 的软件源",
    ),
    {"package": PACKAGE},
)
REGISTER = Step(
    Verb.FILE_EDIT,
    message("registers the runtime by its name", "按名称注册 runtime"),
    {"path": FILE, "kind": "json", "at": "runtimes.nvidia", "value": RUNTIME},
)
RESTART = Step(
    Verb.SERVICE_RESTART,
    message(
        "docker looks for the hook only when it starts; without live-restore its containers stop",
        "docker 只在启动时查找 hook；未启用 live-restore 时，其容器会停止",
    ),
    {"service": "docker"},
)


@fault(
    "container-toolkit-missing",
    title=Text(
        "The container engine cannot hand out GPUs: no NVIDIA container toolkit",
        "容器引擎无法分配 GPU：缺少 NVIDIA 容器工具包",
    ),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "container-started-without-nvidia-runtime",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "nvidia-smi-failed",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: installation",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA/nvidia-docker#1243: could not select device driver",
            "https://github.com/NVIDIA/nvidia-docker/issues/1243",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "could not select device driver",
            r"could not select device driver .*with capabilities: \[\[[^\]]*gpu",
            Certainty.LIKELY,
        ),
        Signature(
            "nvidia-container-runtime",
            (
                r'(exec: \\?"nvidia-container-runtime(-hook)?\\?": executable file not found|'
                r"fork/exec \S*/nvidia-container-runtime(-hook)?: no such file or directory)"
            ),
        ),
        Signature("runtime name: nvidia", r"unknown or invalid runtime name: nvidia", Certainty.POSSIBLE),
        Signature("Unknown runtime specified", r"Unknown runtime specified nvidia", Certainty.POSSIBLE),
        Signature(
            "could not select device driver", "could not select device driver .{0,2}nvidia", Certainty.LIKELY
        ),
        Signature(
            "nvidia-container-",
            r"nvidia-container-(?:runtime|cli)\S*: (?:command |executable file )?not found",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                "nvidia-container-toolkit|nvidia-docker2?"
                r"|(?:no|missing|without|install\w*|needs?|lacks?|ha[sd]|have) "
                r"(?:the )?(?:nvidia )?container toolkit"
                r"|container toolkit (?:is|was|not|missing|package|isn|wasn|on\b)|nvidia-container-runtime"
                "|libnvidia-container|容器工具包",
                "(?:not|isn't|never|wasn't) (?:yet )?installed|(?:no|missing|without"
                "|lacks?) .{0,12}(?:toolkit|nvidia-container|nvidia-docker)|not found"
                "|(?:^|[^:] |[^e]: |[^l]e: )no such file"
                "|没有?安装|没装|没有装|未安装|未装|缺少",
                "--gpus|docker|podman|container|could not select|unknown (?:or invalid )?runtime"
                "|Found no NVIDIA|容器",
            ),
            none=(
                r"ldconfig|daemon\.json.{0,40}(?:entry|has)|apt-get update|Err:\d|NO_PUBKEY"
                "|Docker Desktop|snap|integrated|Unable to locate|404",
            ),
        ),
    ),
    remedy=Remedy(
        message(
            "install the container toolkit on the host and register it with the engine",
            "在宿主机上安装容器工具包，并向引擎注册",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "add NVIDIA's package repository and install nvidia-container-toolkit on the host",
                    "在宿主机上添加 NVIDIA 软件源并安装 nvidia-container-toolkit",
                ),
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "sudo nvidia-ctk runtime configure --runtime=docker, then sudo systemctl restart docker",
                    "sudo nvidia-ctk runtime configure --runtime=docker，然后 sudo systemctl restart docker",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="nvidia-ctk --version; docker info | grep -iE 'runtimes|cdi'",
)
def container_toolkit_missing(
    engine: Engine,
    container: Container | None,
    pci: Pci | None,
    run: ContainerRun | None = None,
    sightings: Sightings | None = None,
    host: Host | None = None,
) -> Iterator[Hit]:
    if pci is None or not own_gpus(pci) or not docker_here(engine, container):
        return
    if engine.snap or engine.toolkit or gpu_specs(engine):
        return
    asked = run is not None and requests_gpus(run)
    if not asked and not seen_here(ID, sightings, host):
        return
    yield Hit(
        subject="host",
        summary=message(
            "{n} NVIDIA GPU(s), docker {version}, and no program of the container toolkit and no CDI "
            "specification",
            "有 {n} 块 NVIDIA GPU 和 docker {version}，但没有容器工具包的任何程序，也没有 CDI 规格",
            n=len(own_gpus(pci)),
            version=engine.server_version or "?",
        ),
        because=cite(
            "engine.toolkit",
            "engine.cdi_specs",
            "pci.nvidia_gpus",
            *(("container_run.device_requests", "container_run.runtime") if asked else ()),
        ),
        remedy=_install(engine) if _packaged(engine, host) else None,
    )


def _packaged(engine: Engine, host: Host | None) -> bool:
    """Return whether name of the package, file and service are certain."""
    if host is None or not was_read(host, "distribution") or not was_read(engine, "rootless"):
        return False
    if not was_read(engine, "daemon_json"):
        return False
    file = engine.daemon_json
    sound = file is None or (file.path == FILE and file.error is None)
    return host.distribution in NAMED and not engine.rootless and sound


def _install(engine: Engine) -> Remedy:
    file = engine.daemon_json
    registered = file is not None and "nvidia" in file.runtimes
    return Remedy(
        message(
            "install {package}, register it with docker and restart docker",
            "安装 {package}，向 docker 注册并重启 docker",
            package=PACKAGE,
        ),
        (INSTALL, RESTART) if registered else (INSTALL, REGISTER, RESTART),
        Automation.APPROVAL,
        Undo.NONE,
    )
