"""Settings for looking for faults that stayed on, and those that switch safety off."""

from collections.abc import Iterator

from codeblue.faults.framework.numerics_changed_by_environment import EFFECTS
from codeblue.lint.rule import rule
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import Text, message

DEBUG = {
    ("CUDA_LAUNCH_BLOCKING", "1"): Text(
        "every kernel is waited for, the GPU idles in between", "每个内核都要等待完成，GPU 在其间空转"
    ),
    ("NCCL_DEBUG", "TRACE"): Text(
        "one line a call, gigabytes on many ranks", "每次调用一行日志，rank 多时可达数 GB"
    ),
    ("TORCH_DISTRIBUTED_DEBUG", "DETAIL"): Text(
        "every collective is checked over a second process group", "每次集合通信都要经另一个进程组核对"
    ),
    ("PYTORCH_NO_CUDA_MEMORY_CACHING", "1"): Text(
        "every tensor is allocated and freed by the driver", "每个张量都由驱动分配和释放"
    ),
    ("TORCH_NCCL_BLOCKING_WAIT", "1"): Text(
        "the host waits for every collective", "主机等待每次集合通信完成"
    ),
    ("NCCL_CHECK_POINTERS", "1"): Text("every buffer is checked at every call", "每次调用都检查每个缓冲区"),
    ("TORCH_NCCL_TRACE_CPP_STACK", "1"): Text(
        "every collective records a C++ stack", "每次集合通信都记录 C++ 调用栈"
    ),
    ("CUDA_DEVICE_WAITS_ON_EXCEPTION", "1"): Text(
        "a kernel that fails waits for a debugger, the job seems to hang",
        "内核出错后等待调试器，任务看上去像挂起",
    ),
    ("VLLM_TRACE_FUNCTION", "1"): Text(
        "every function call of vLLM is written to disk", "vLLM 的每次函数调用都写到磁盘"
    ),
}
"""What stays on by oversight, and what it costs."""
BLIND = {
    ("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0"): Text(
        "a rank that waits for a dead one waits for ever", "等待已退出 rank 的进程会永远等下去"
    ),
    ("NCCL_ASYNC_ERROR_HANDLING", "0"): Text(
        "a rank that waits for a dead one waits for ever", "等待已退出 rank 的进程会永远等下去"
    ),
}
"""Safety nets that are taken away."""
SILENCED = {
    ("TORCH_NCCL_ENABLE_MONITORING", "0"): Text(
        "nobody notices a watchdog that hangs", "看门狗线程自己挂起时无人发现"
    ),
    ("NVIDIA_DISABLE_REQUIRE", "1"): Text(
        "the check that the driver is new enough for the image is off", "不再检查驱动是否满足镜像要求"
    ),
}
"""Checks that many switch off knowingly: for long checkpoints, and in images of the node's own tools."""


def _found(settings: Settings, table: dict[tuple[str, str], Text]) -> Iterator[tuple[Setting, Text]]:
    for one in settings.settings:
        value = (one.value or "").upper()
        effect = table.get((one.name, "1" if value == "TRUE" else value))
        if effect is not None:
            yield one, effect


def _problem(one: Setting, effect: Text) -> Problem:
    return Problem(
        place=one.place,
        message=message(
            f"{{name}}={{value}}: {effect.en}",
            f"{{name}}={{value}}：{effect.zh}",
            name=one.name,
            value=one.value,
        ),
        certainty=Certainty.LIKELY,
    )


@rule("debug-setting-left-on")
def debugging_is_off(settings: Settings) -> Iterator[Problem]:
    """Right while somebody looks for a fault, not in a file that runs every day."""
    for one, effect in _found(settings, DEBUG):
        yield _problem(one, effect)


@rule("safety-check-disabled-by-env")
def safety_nets_are_there(settings: Settings) -> Iterator[Problem]:
    """A watchdog without which a job hangs in place of failing."""
    for one, effect in _found(settings, BLIND):
        yield _problem(one, effect)


@rule("safety-check-disabled-by-env", pedantic=True)
def checks_are_heard(settings: Settings) -> Iterator[Problem]:
    """Checks that were in somebody's way."""
    for one, effect in _found(settings, SILENCED):
        yield _problem(one, effect)


@rule("numerics-changed-by-environment", pedantic=True)
def numerics_are_the_programs(settings: Settings) -> Iterator[Problem]:
    """Mostly intended, and then better said in the code."""
    for one, effect in _found(settings, EFFECTS):
        yield _problem(one, effect)


@rule("cuda-jit-cache-disabled")
def jit_cache_is_kept(settings: Settings) -> Iterator[Problem]:
    """Costs nothing as long as no kernel has to be compiled."""
    for one in settings.settings:
        if one.name == "CUDA_CACHE_DISABLE" and one.value == "1":
            yield Problem(
                place=one.place,
                message=message(
                    "CUDA_CACHE_DISABLE=1: kernels that need compiling are compiled at each start",
                    "CUDA_CACHE_DISABLE=1：需要编译的内核每次启动都重新编译",
                ),
                certainty=Certainty.POSSIBLE,
                kind=Kind.RISK,
                severity=Severity.NOTE,
            )


RULES = (
    debugging_is_off,
    safety_nets_are_there,
    checks_are_heard,
    numerics_are_the_programs,
    jit_cache_is_kept,
)
