"""What is to be known of a container: which one a process lives in, how and when one ended."""

from collections.abc import Iterator
from signal import Signals

from codeblue.model.facts import ContainerRun, Process
from codeblue.model.section import NotRead, State
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

AT_WORK = ("running", "paused")
BY_SIGNAL = 128
"""A process that a signal ended has this exit code plus the signal's number, as shells count."""


def about_container(around: View, inside: View) -> Iterator[Message]:
    """Yield what the host says of the container: its name if a process was named, how it came to its end."""
    try:
        run = around.section(ContainerRun)
        if run.state is State.ABSENT:
            return
        if _of_process(inside):
            yield message(
                "the process runs in the {engine} container {name}",
                "该进程运行在 {engine} 容器 {name} 中",
                engine=run.engine,
                name=run.name,
            )
        if run.status in AT_WORK:
            return
        yield _how(run)
        if run.oom_killed:
            yield message(
                "its engine noted that the kernel killed a process of it for lack of memory (OOMKilled)",
                "引擎记录到内核因内存不足杀死了其中的进程（OOMKilled）",
            )
        if run.error:
            yield message("its engine says: {words}", "引擎的说明：{words}", words=run.error)
    except NotRead:  # another engine, or a daemon that does not answer
        return


def _of_process(view: View) -> bool:
    try:
        return view.section(Process).state is State.READ
    except NotRead:
        return False


def _how(run: ContainerRun) -> Message:
    if run.status == "created" or run.exit_code is None:
        return message(
            "the container {name} was created, but has never run",
            "容器 {name} 已创建，但从未运行过",
            name=run.name,
        )
    return message(
        "the container {name} has not been running since {time} ({status}): exit code {code};"
        " its last words: {engine} logs {name}",
        "容器 {name} 自 {time} 起没有在运行（{status}）：退出码 {code}；它最后的输出：{engine} logs {name}",
        name=run.name,
        time=run.ended or "?",
        status=run.status,
        code=_code(run.exit_code),
        engine=run.engine,
    )


def _code(code: int) -> str:
    try:
        return f"{code}, {Signals(code - BY_SIGNAL).name}"
    except ValueError:
        return str(code)
