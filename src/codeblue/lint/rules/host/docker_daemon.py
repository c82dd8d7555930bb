"""Does docker's daemon.json say what dockerd can do?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.files import DaemonJson
from codeblue.model.lint import Problem
from codeblue.model.text import message

BUILT_IN = ("runc", "io.containerd.runc.v2", "io.containerd.runtime.v1.linux")


@rule("docker-runtime-undefined")
def default_runtime_is_defined(daemon: DaemonJson) -> Iterator[Problem]:
    """The default runtime is one that docker brings, or one of ``runtimes``."""
    default = daemon.root.get("default-runtime")
    runtimes = daemon.root.get("runtimes")
    known = [*BUILT_IN, *(runtimes.keys() if runtimes else ())]
    if default is not None and default.text not in known:
        yield Problem(
            place=default.place,
            message=message(
                "default-runtime is {name}, which runtimes does not define: dockerd does not start",
                "default-runtime 为 {name}，但 runtimes 里没有定义它：dockerd 无法启动",
                name=default.text,
            ),
        )


RULES = (default_runtime_is_defined,)
