"""
## What it means
A container was asked for with the runtime `nvidia`, and the running daemon has no runtime of that name.
What counts is what the daemon read when it started, not what the file says now.

## Why it happens
The toolkit was installed and `daemon.json` was changed, but docker was not restarted or reloaded since.
Or the entry stands in a file that this daemon does not read: rootless docker uses
`~/.config/docker/daemon.json`, the snap uses `/var/snap/docker/current/config/daemon.json`, Docker
Desktop its own settings.

## When it is not a fault
If the host has no NVIDIA runtime at all, nothing needs a restart: the toolkit is missing. codeblue
names that possibility beside this one, because the message is the same.

## What to do
Compare `docker info | grep -i runtimes` with the file. If the file has the entry and docker does not list
it, let the daemon read the file again: `sudo systemctl reload docker` is enough for runtimes (rootless:
`systemctl --user restart docker`). If the file has no entry, let `nvidia-ctk runtime configure` write it.
`--gpus all` works without a runtime entry as soon as the toolkit's hook is installed; a compose file with
`runtime: nvidia` does not.

## How safe the fix is
A reload touches no container, and it cannot be taken back: the daemon then has what its file says.
Restarting docker stops its containers unless `live-restore` is on. Keep a copy of the file before you edit
it.
"""

from collections.abc import Iterator

from codeblue.faults.container.host_engine import docker_here
from codeblue.model.facts import Container, ContainerRun, Engine
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

RUNTIME = "nvidia"
FILE = "/etc/docker/daemon.json"
RELOAD = Remedy(
    message("let docker read its configuration again", "让 docker 重新读取配置"),
    (
        Step(
            Verb.SERVICE_RELOAD,
            message(
                "a reload is enough for the daemon to learn of a runtime; containers keep running",
                "重新加载足以让守护进程认识新的 runtime，容器不会中断",
            ),
            {"service": "docker"},
        ),
    ),
    Automation.APPROVAL,
    Undo.NONE,
)


@fault(
    "docker-daemon-not-restarted",
    title=Text(
        "Docker does not know the runtime that its configuration names", "Docker 还不认识配置里的 runtime"
    ),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "container-started-without-nvidia-runtime",
        "nvidia-smi-failed",
        "torch-cuda-unavailable",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: installation",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("runtime name: nvidia", r"unknown or invalid runtime name: nvidia", Certainty.POSSIBLE),
        Signature("Unknown runtime specified", r"Unknown runtime specified nvidia", Certainty.POSSIBLE),
    ),
    clues=(
        Clue(
            all=(
                "[Uu]nknown (?:or invalid )?runtime|could not select device driver"
                "|runtime.{0,20}not (?:found|known)|unknown runtime|not found in.{0,20}runtimes"
                "|nvidia runtime.{0,20}(?:not|missing)|Runtimes:.{0,60}runc|default[- ]runtime",
                "(?:not|without|before|never|no|haven't|forgot|didn't).{0,16}(?:restart|reload)"
                "|restart(?:ing|ed)? (?:of )?(?:the )?(?:docker|dockerd|daemon|engine)"
                r"|(?:daemon\.json|/etc/docker).{0,60}(?:entry|has|contains|lists|added|runtime"
                "|configured|edited|already|is there|written)|(?:entry|added|wrote|written|configured"
                r"|put).{0,40}daemon\.json|nvidia-ctk runtime configure|(?:just|freshly"
                "|newly) (?:installed|added|configured).{0,40}(?:toolkit|nvidia|runtime)"
                r"|systemctl restart docker|\x22runtimes\x22|没(?:有)?重启|未重启|还没重启"
                r"|重启 ?docker|daemon\.json.{0,12}(?:已|加|配|有|写)",
            ),
            none=(
                r"Docker Desktop|desktop-linux|\bsnap\b|rootless|invalid character|not installed"
                "|没(?:有)?(?:安装|装)|containerd|kubelet|k3s|microk8s|restarted docker.{0,30}(?:same"
                "|no|still)|Windows|WSL",
            ),
        ),
    ),
    remedy=Remedy(
        message(
            "let docker read its configuration again, or register the runtime first",
            "让 docker 重新读取配置，或先注册 runtime",
        ),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "if daemon.json has the nvidia entry: sudo systemctl reload docker",
                    "daemon.json 里已有 nvidia 段：sudo systemctl reload docker",
                ),
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "if it has not: sudo nvidia-ctk runtime configure --runtime=docker, then reload",
                    "没有：先执行 sudo nvidia-ctk runtime configure --runtime=docker，再重新加载",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="docker info | grep -i runtimes; grep -A3 nvidia /etc/docker/daemon.json",
)
def docker_daemon_not_restarted(
    engine: Engine, container: Container | None, run: ContainerRun | None = None
) -> Iterator[Hit]:
    if not docker_here(engine, container):
        return
    file = engine.daemon_json
    if file is None or file.error is not None:
        return
    if RUNTIME not in file.runtimes or RUNTIME in engine.runtimes:
        return
    yield Hit(
        subject="service:docker",
        summary=message(
            "{path} names the runtime {runtime}, the running daemon knows only {known}",
            "{path} 中有 runtime {runtime}，运行中的守护进程只认识 {known}",
            path=file.path,
            runtime=RUNTIME,
            known=", ".join(engine.runtimes),
        ),
        because=cite("engine.daemon_json.runtimes", "engine.runtimes"),
        kind=Kind.TROUBLE if run is not None else Kind.RISK,
        severity=Severity.ERROR if run is not None else Severity.WARNING,
        remedy=RELOAD if file.path == FILE and _of_system(engine) else None,
    )


def _of_system(engine: Engine) -> bool:
    """Return whether the daemon is the system's service, neither a user's nor that of snap."""
    return all(was_read(engine, name) and not getattr(engine, name) for name in ("rootless", "snap"))
