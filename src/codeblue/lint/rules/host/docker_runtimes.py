"""Are the runtimes of docker's daemon.json defined, and do they lead to NVIDIA's?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.files import DaemonJson
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

BUILT_IN = ("runc", "io.containerd.runc.v2", "io.containerd.runtime.v1.linux")
OTHERS = (
    "nvidia-container-toolkit",
    "nvidia-container-runtime-hook",
    "nvidia-container-cli",
    "nvidia-ctk",
    "nvidia-docker",
    "runc",
)
"""Programs that are no runtime with GPUs, but are taken for one."""
DRIVERS = ("systemd", "cgroupfs")


@rule("docker-runtime-undefined")
def default_runtime_is_defined(daemon: DaemonJson) -> Iterator[Problem]:
    """The default runtime is one that docker brings, or one of ``runtimes``."""
    default = daemon.root.get("default-runtime")
    runtimes = daemon.root.get("runtimes")
    known = [*BUILT_IN, *(runtimes.keys() if runtimes else ())]
    # Names of containerd's shims need no entry.
    if default is not None and default.text not in known and not default.text.startswith("io.containerd."):
        yield Problem(
            place=default.place,
            message=message(
                "default-runtime is {name}, which runtimes does not define: dockerd does not start",
                "default-runtime 为 {name}，但 runtimes 里没有定义它：dockerd 无法启动",
                name=default.text,
            ),
        )


@rule("docker-runtime-path-wrong")
def runtime_is_nvidias(daemon: DaemonJson) -> Iterator[Problem]:
    """The runtime ``nvidia`` leads to nvidia-container-runtime."""
    path = daemon.root.get("runtimes", "nvidia", "path")
    if path is None or path.kind != "string":
        return
    folder, _, name = path.text.rpartition("/")
    right = f"{folder}/nvidia-container-runtime" if folder else "nvidia-container-runtime"
    if name in OTHERS:
        yield Problem(
            place=path.place,
            message=message(
                "{name} is not the runtime: nvidia-container-runtime is",
                "{name} 不是运行时；运行时是 nvidia-container-runtime",
                name=path.text,
            ),
            fix=Fix(message("write {right}", "改为 {right}", right=right), (Edit(path.place, f'"{right}"'),)),
        )
    elif folder and not path.text.startswith("/"):
        yield Problem(
            place=path.place,
            variant="relative",
            certainty=Certainty.LIKELY,
            message=message(
                "{name} is relative: dockerd looks for it from its own folder, mostly /",
                "{name} 是相对路径：dockerd 会从自己的工作目录（通常是 /）查找",
                name=path.text,
            ),
        )


@rule("daemon-json-invalid")
def runtimes_are_complete(daemon: DaemonJson) -> Iterator[Problem]:
    """Every runtime has a path or a type; ``runc`` is docker's own; the cgroup driver is one of two."""
    runtimes = daemon.root.get("runtimes")
    for key, value in runtimes.pairs if runtimes else ():
        if key.text == "runc":
            yield _refused(key, "runc is reserved: dockerd does not start", "runc 是保留名：dockerd 无法启动")
        elif value.kind == "map" and not value.get("path") and not value.get("runtimeType"):
            yield _refused(
                key,
                "this runtime has neither path nor runtimeType: dockerd 23 and newer do not start",
                "这个运行时既没有 path 也没有 runtimeType：dockerd 23 及更新版本无法启动",
            )
        arguments = value.get("runtimeArgs")
        if arguments is not None and arguments.kind not in ("list", "null"):
            yield _refused(
                arguments,
                "runtimeArgs has to be a list: dockerd does not start",
                "runtimeArgs 必须是列表：dockerd 无法启动",
            )
    for option in daemon.root.each("exec-opts"):
        name, _, value_of = option.text.partition("=")
        if name == "native.cgroupdriver" and value_of not in DRIVERS:
            yield _refused(
                option,
                "the cgroup driver is systemd or cgroupfs: dockerd does not start",
                "cgroup 驱动只能是 systemd 或 cgroupfs：dockerd 无法启动",
            )


def _refused(node: Node, en: str, zh: str) -> Problem:
    return Problem(place=node.place, variant="runtime", message=message(en, zh))


RULES = (default_runtime_is_defined, runtime_is_nvidias, runtimes_are_complete)
