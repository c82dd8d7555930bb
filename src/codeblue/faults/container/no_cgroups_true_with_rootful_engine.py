"""
## What it means
With `no-cgroups = true` the toolkit mounts the driver's files and nodes into the container but does not
allow the nodes in its device cgroup. An engine that runs as root then gives containers in which the
nodes are visible and cannot be opened: NVML says "Unknown Error" and CUDA finds no device.

## Why it happens
The setting is meant for rootless engines and was copied from such instructions, or was made for WSL,
podman or an LXC guest and later docker was installed beside it.

## When it is not a fault
For rootless docker and podman `true` is right, and so is it where the nodes are passed with `--device`,
which sets the cgroup by itself. codeblue therefore names the setting as a cause only beside a container
that lost or was refused its nodes.

## What to do
See whether the engine is rootless: `docker info` lists `rootless` among the security options. If it is
not, set the value to `false`; the toolkit reads the file at every start of a container, so docker need not be
restarted. If both kinds of engine run on the host, leave it `true` and start the rootful containers
through CDI.

## How safe the fix is
One line of one file changes, and can be put back exactly. Containers that run already are not touched;
they have to be created anew. Rootless engines on the same host stop working with `false`, so codeblue
leaves it to a person where podman is installed beside docker.
"""

from collections.abc import Iterator

from codeblue.faults.container.host_engine import docker_here, setting, through_cdi
from codeblue.faults.container.toolkit_config import write_setting
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Container, Engine, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

KEY = "nvidia-container-cli.no-cgroups"
WHY = message(
    "docker runs as root: the toolkit must allow the nodes in the device cgroup",
    "docker 以 root 运行：工具包必须在设备 cgroup 中放行这些节点",
)


@fault(
    "no-cgroups-true-with-rootful-engine",
    title=Text(
        "no-cgroups = true keeps containers from opening the GPU", "no-cgroups = true 使容器打不开 GPU"
    ),
    layer=Layer.CONTAINER,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    explains=(
        "cgroup-device-access-lost",
        "cgroup-device-access-denied",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
        "cuda-init-failed",
        "device-node-permissions",
        "selinux-denies-gpu-devices",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: installation",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA Container Toolkit: troubleshooting",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html",
            "2026-11-30",
        ),
    ),
    signatures=(Signature("no-cgroups", r"^ *no-cgroups *= *true", Certainty.POSSIBLE),),
    clues=(
        Clue(
            all=(
                "no-cgroups ?= ?true|no-cgroups.{0,20}true|no-cgroups",
                "Failed to initialize NVML|Insufficient Permissions|Operation not permitted"
                "|Unknown Error|is_available|No CUDA GPUs|no CUDA-capable|permission|CUDA_ERROR"
                "|看不到|不可用|失败",
            ),
            none=(
                "rootless (?:docker|podman|engine|mode|container)|rootless 模式|: rootless"
                r"|# *rootless|bpf_prog_query|WSL|wsl|device filters|user\.slice|no-cgroups ?= ?false"
                "|uid 1000",
            ),
            bites=True,
        ),
        Clue(
            all=(
                "Failed to initialize NVML: Unknown Error",
                r"\b(?:every|any|all|each|fresh|new)\b.{0,12}containers?|(?:任何|所有|每个|新).{0,6}容器",
                r"\bhost\b.{0,16}(?:fine|ok\b|works?|good|normal)|(?:fine|works?|ok) on (?:the )?host"
                "|(?:宿主机|主机).{0,12}(?:正常|没问题|可以)",
            ),
            none=(
                r"rootless|WSL|\bafter\b|\bhours?\b|\bdays?\b|later|suddenly|stops?\b|at first|daemon-reload"
                "|no-cgroups ?= ?false|一段时间|突然|过了|之后|几小时|cdi|podman",
            ),
            certainty=Certainty.POSSIBLE,
            bites=True,
        ),
    ),
    remedy=Remedy(
        message("let the toolkit manage cgroups again", "让工具包重新管理 cgroup"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "unless a rootless engine needs it: set no-cgroups = false "
                    "in /etc/nvidia-container-runtime/config.toml",
                    "如果没有 rootless 引擎需要它：在 /etc/nvidia-container-runtime/config.toml "
                    "里设 no-cgroups = false",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command=(
        "docker info --format '{{.SecurityOptions}}'; grep no-cgroups /etc/nvidia-container-runtime/c"
        "onfig.toml"
    ),
)
def no_cgroups_true_with_rootful_engine(
    engine: Engine, container: Container | None, pci: Pci | None
) -> Iterator[Hit]:
    if pci is None or not own_gpus(pci) or not docker_here(engine, container):
        return
    if engine.rootless or through_cdi(engine) or setting(engine, KEY) != "true":
        return
    shared = "podman" in engine.programs
    yield Hit(
        subject="service:docker",
        summary=message(
            "config.toml says no-cgroups = true and docker runs as root",
            "config.toml 中 no-cgroups = true，而 docker 以 root 运行",
        ),
        because=cite(f"engine.toolkit_config[{KEY}]", "engine.rootless"),
        certainty=Certainty.POSSIBLE if shared else Certainty.LIKELY,
        remedy=None if shared else write_setting(KEY, False, WHY),
    )
