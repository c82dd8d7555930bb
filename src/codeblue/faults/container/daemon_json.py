"""What can be repaired in docker's daemon.json without knowing what its owner had in mind."""

from codeblue.model.facts import Engine
from codeblue.model.facts.engine import DaemonJson
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import message

FILE = "/etc/docker/daemon.json"
NVIDIA = '{"args": [], "path": "nvidia-container-runtime"}'
BUILT_IN = frozenset(("runc", "io.containerd.runc.v2", "io.containerd.runtime.v1.linux"))
"""Runtimes that dockerd has without being told; it also takes any other shim of containerd."""

START = Step(
    Verb.SERVICE_START,
    message("docker is down because of the file", "docker 因该文件而没有运行"),
    {"service": "docker"},
)
MEND = Step(
    Verb.FILE_EDIT,
    message(
        "JSON allows no comma before a closing bracket; nothing else changes",
        "JSON 不允许右括号前有逗号；其他内容不变",
    ),
    {"path": FILE, "kind": "json", "at": "", "mode": "mend"},
)
DEFINE = Step(
    Verb.FILE_EDIT,
    message(
        "defines the runtime that default-runtime names; its program is installed",
        "定义 default-runtime 所指的 runtime；其程序已安装",
    ),
    {"path": FILE, "kind": "json", "at": "runtimes.nvidia", "value": NVIDIA},
)
DROP = Step(
    Verb.FILE_EDIT,
    message(
        "without the key docker uses runc; its program is not installed, so nothing is lost",
        "去掉该键后 docker 使用 runc；对应程序并未安装，因此没有损失",
    ),
    {"path": FILE, "kind": "json", "at": "default-runtime"},
)


def undefined_runtime(engine: Engine, file: DaemonJson) -> str | None:
    """Return the default runtime that nothing defines, None if there is none or if it cannot be told."""
    if not was_read(file, "default_runtime") or not was_read(file, "runtimes"):
        return None
    name = file.default_runtime
    known = {*BUILT_IN, *file.runtimes, *(engine.runtimes if was_read(engine, "runtimes") else ())}
    return None if name is None or name in known or name.startswith("io.containerd.") else name


def repair(engine: Engine, file: DaemonJson, runs: bool) -> Remedy | None:
    """Return the remedy that needs no guess, None if only a person can say what was meant."""
    if file.path != FILE or not was_read(engine, "snap") or engine.snap:
        return None
    if file.error is not None:
        edit = MEND if was_read(file, "only_commas") and file.only_commas else None
    else:
        edit = _defined(engine, undefined_runtime(engine, file))
    if edit is None:
        return None
    return Remedy(
        message(
            "correct {path}, and start docker if it is down", "修正 {path}；若 docker 未运行则启动", path=FILE
        ),
        (edit,) if runs else (edit, START),
        Automation.APPROVAL,
        Undo.EXACT if runs else Undo.COMPENSATING,
    )


def _defined(engine: Engine, name: str | None) -> Step | None:
    if name is None or not was_read(engine, "toolkit"):
        return None
    if "nvidia-container-runtime" in engine.toolkit:
        return DEFINE if name == "nvidia" else None
    return DROP if name == "nvidia" else None
