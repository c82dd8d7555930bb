"""
## What it means
The driver has to compile kernels from PTX for this GPU, and `CUDA_CACHE_DISABLE=1` forbids it to keep
the result. Every start of every process compiles them again, which takes seconds to many minutes.

## Why it happens
The variable was set to save space in an image, to get round a full or unwritable home directory, or
while measuring, and stayed. With a build that has machine code for the GPU it would go unnoticed.

## When it is not a fault
When the build contains the architecture of the GPU nothing is compiled, and the variable has no effect
on torch. Extensions and other frameworks may still be slowed down by it.

## What to do
Unset the variable. If the home directory is the reason, point `CUDA_CACHE_PATH` to a local directory
that the user may write; a home on a network file system is slow and its locks are fragile. Better: use
a build for this GPU.

## How safe the fix is
It only lets the driver write into its cache again, up to `CUDA_CACHE_MAXSIZE`.
"""

from collections.abc import Iterator

from codeblue.knowledge.architectures import needs_jit
from codeblue.model.facts import Environment, TorchTrial
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NAME = "CUDA_CACHE_DISABLE"


OFF = (
    r"CUDA_CACHE_DISABLE\W{0,6}(?:1|true)|CUDA_CACHE_MAXSIZE\W{0,4}0\b|"
    r"(?:jit|ptx|kernel|compute|cuda)[ -]cach\w*.{0,40}(?:disabled|\boff\b|turned off|switched off)|"
    r"(?:disabl\w*|turn\w* off|switch\w* off).{0,30}(?:jit|ptx|kernel|compute|cuda)[ -]cach|"
    r"CUDA_CACHE_DISABLE.{0,40}(?:set|image|Dockerfile|设)|(?:关闭|禁用|关掉).{0,16}(?:缓存|cache)"
)
AGAIN = (
    r"\bevery\b|\beach (?:start|run|time|process|launch|job)|\bagain\b|second (?:start|run|time|process)|"
    r"\balways\b|minutes?\b|"
    r"slow\w*|\bPTX\b|re-?compil\w*|first (?:kernel|call|run|step|use|op)|ComputeCache|"
    r"每次|重新编译|很慢|又要|分钟|重启后"
)


@fault(
    "cuda-jit-cache-disabled",
    title=Text("Compiled kernels are not kept between starts", "编译好的内核不会在两次启动之间保留"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    references=(
        Reference(
            "CUDA programming guide: environment variables",
            "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html",
            "2026-11-30",
        ),
    ),
    explains=("ptx-jit-on-first-use",),
    clues=(
        Clue(
            all=(
                r"CUDA_CACHE_DISABLE|JIT cache (?:was |is )?(?:disabled|off)|"
                r"ComputeCache.{0,40}(?:disabled|read-only|deleted|tmpfs)|JIT 缓存",
                r"slow|minutes?\b|every (?:start|run|time|launch)|each (?:start|run|time|launch)|JIT|"
                r"compil|again|很慢|每次|分钟|编译",
            ),
            none=(r"CUDA_CACHE_DISABLE\W{0,6}0",),
        ),
        Clue(all=(OFF, AGAIN, r"cuda|\bgpu\b|kernel|torch|nvidia"), none=(r"CUDA_CACHE_DISABLE\W{0,6}0",)),
    ),
    remedy=Remedy(
        message("unset {name}", "取消设置 {name}", name=NAME),
        (
            Step(
                Verb.ENV_UNSET,
                message("the driver then keeps what it compiled", "此后驱动会保留编译结果"),
                {"name": NAME},
            ),
        ),
        Automation.AUTOMATIC,
        Undo.EXACT,
    ),
)
def cuda_jit_cache_disabled(environment: Environment, trial: TorchTrial) -> Iterator[Hit]:
    if environment.variables.get(NAME) != "1" or trial.cuda is None:
        return
    compiled = [
        index for index, device in trial.devices.items() if needs_jit(device.capability, trial.arch_list)
    ]
    if compiled:
        device = trial.devices[compiled[0]]
        yield Hit(
            kind=Kind.RISK,
            subject=f"env:{NAME}",
            summary=message(
                "CUDA_CACHE_DISABLE=1, and {name} ({capability}) needs kernels compiled at each start",
                "CUDA_CACHE_DISABLE=1，而 {name}（{capability}）每次启动都要重新编译内核",
                name=device.name,
                capability=device.capability,
            ),
            because=cite(
                f"environment[{NAME}]", f"torch_trial[{compiled[0]}].capability", "torch_trial.arch_list"
            ),
        )
