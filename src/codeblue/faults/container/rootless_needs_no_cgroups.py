"""
## What it means
The toolkit tried to allow the GPU's device nodes in the container's cgroup and was not permitted to.
The engine runs as an ordinary user, who may not load device filters into cgroups, so no container with
a GPU starts.

## Why it happens
Docker or podman runs rootless and `no-cgroups` is `false`, its default. The setting was made and an
upgrade of the package put a fresh config.toml in place, or the release ignores it (1.14.0 and 1.18.0
had such defects in rootless set-ups). The engine also runs inside another container or an LXC guest,
where even root may not load the filter.

## When it is not a fault
With an engine that runs as root this line points to the kernel or an outer container instead, not to
rootless mode.

## What to do
Set `no-cgroups = true` in the section `[nvidia-container-cli]` of
`/etc/nvidia-container-runtime/config.toml`; rootless docker reads the same file, at every start of a
container. Better, and without touching that file: generate a CDI specification and use `--device
nvidia.com/gpu=all`. If the setting is there already, look at `nvidia-container-cli -V` and change to a
release without the defect.

## How safe the fix is
The setting holds for every engine of the host: a rootful docker on the same machine then starts
containers that see the GPU but may not open it. Use CDI where both run: codeblue offers the setting only
where no rootful docker runs and podman is not installed. One line of one file changes, and can be put
back exactly.
"""

from collections.abc import Iterator

from codeblue.faults.container.host_engine import docker_here, gpu_specs, requests_gpus, setting, through_cdi
from codeblue.faults.container.toolkit_config import write_setting
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Container, ContainerRun, Engine, Pci, Services
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

KEY = "nvidia-container-cli.no-cgroups"
WHY = message(
    "a rootless engine may not change device cgroups; no rootful docker runs on this host",
    "rootless 引擎无权修改设备 cgroup；本机没有运行 rootful docker",
)


@fault(
    "rootless-needs-no-cgroups",
    title=Text("A rootless engine may not change device cgroups", "rootless 引擎无权修改设备 cgroup"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "container-started-without-nvidia-runtime",
        "cgroup-device-access-denied",
        "nvml-init-failed",
        "nvidia-smi-failed",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: rootless mode",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA/libnvidia-container#154: rootless needs no-cgroups",
            "https://github.com/NVIDIA/libnvidia-container/issues/154",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "BPF_CGROUP_DEVICE",
            r"bpf_prog_query\(BPF_CGROUP_DEVICE\) failed: operation not permitted",
            Certainty.LIKELY,
        ),
        Signature(
            "devices.allow",
            r"open failed: /sys/fs/cgroup/devices/user\.slice\S*/devices\.allow: permission denied",
        ),
        Signature("failed to add device rules", "failed to add device rules", Certainty.LIKELY),
        Signature("existing device filters", "unable to find any existing device filters", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "rootless|unprivileged|user namespace|userns|非 ?root|无 ?root|--user .*docker"
                r"|docker\.service --user",
                r"device rules|BPF_CGROUP|device filter|cgroup|devices\.allow",
                "permission denied|not permitted|mount error|fail|nvidia-container-cli|权限|失败",
            ),
            none=(
                r"1\.18\.0|no-cgroups.{0,12}true|(?:非|non-?|not) ?rootless"
                "|cgroup subsystem devices not found|regress",
            ),
        ),
        Clue(
            all=(
                "rootless",
                "no-cgroups ?= ?false|no-cgroups.{0,20}(?:not set|false|unset|default|needed|missing)",
            ),
            none=(r"no-cgroups ?= ?true|1\.18\.0",),
        ),
    ),
    remedy=Remedy(
        message(
            "tell the toolkit not to manage cgroups, for the rootless engine only",
            "让工具包不管理 cgroup（仅用于 rootless 引擎）",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place",
                    "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place",
                ),
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "with a rootful engine on the same host use CDI instead, which needs no such setting",
                    "同一主机上还有 rootful 引擎时改用 CDI，它不需要这个设置",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command=(
        "docker info --format '{{.SecurityOptions}}'; grep no-cgroups /etc/nvidia-container-runtime/c"
        "onfig.toml; nvidia-container-cli -V"
    ),
)
def rootless_needs_no_cgroups(
    engine: Engine,
    container: Container | None,
    pci: Pci | None,
    run: ContainerRun | None = None,
    *,
    services: Services | None = None,
) -> Iterator[Hit]:
    if pci is None or not own_gpus(pci) or not docker_here(engine, container) or not engine.rootless:
        return
    if engine.toolkit_config is None or through_cdi(engine) or setting(engine, KEY) == "true":
        return
    asked = run is not None and requests_gpus(run)
    if gpu_specs(engine) and not asked:
        return
    yield Hit(
        subject="service:docker",
        summary=message(
            "docker runs rootless and config.toml does not say no-cgroups = true",
            "docker 以 rootless 方式运行，而 config.toml 没有设置 no-cgroups = true",
        ),
        because=cite("engine.rootless", "engine.toolkit_config"),
        kind=Kind.TROUBLE if asked else Kind.RISK,
        severity=Severity.ERROR if asked else Severity.WARNING,
        certainty=Certainty.LIKELY,
        remedy=write_setting(KEY, True, WHY) if _alone(engine, services) else None,
    )


def _alone(engine: Engine, services: Services | None) -> bool:
    """Return whether no other engine of this host would suffer: the setting holds for all of them."""
    if services is None or not was_read(services, "services") or "podman" in engine.programs:
        return False
    rootful = services.services.get("docker")
    return rootful is None or (was_read(rootful, "state") and rootful.state != "active")
