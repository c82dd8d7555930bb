"""
## What it means
`CUDA_VISIBLE_DEVICES` is set to a value that hides every GPU: empty, `-1` or `NoDevFiles`. CUDA then
answers 100, "no CUDA-capable device is detected", and frameworks fall back to the CPU or say that no
GPU is available. Without the variable the GPUs are there. `nvidia-smi` does not look at the variable
and shows them all.

## Why it happens
Somebody exported it to force a CPU run and forgot it in a shell, a notebook, a `.bashrc` or a unit
file; a script joins an empty list; a template or a Compose file fills in a variable that is not set.
Slurm writes `NoDevFiles` or an empty value into jobs that asked for no GPU.

## When it is not a fault
On purpose it is the right way to keep a process off the GPU. In a Slurm job without `--gres=gpu` or
`--gpus` the value is correct: no GPU was asked for.

## What to do
Unset the variable, or set it to the wanted indices, before the process starts: it is read once, when
CUDA is initialised. Find who sets it with `xargs -0 -n1 < /proc/PID/environ | grep CUDA_VISIBLE` for the
process and then for its parents. In a Slurm job ask for a GPU instead.

## How safe the fix is
It touches only processes started from now on. On a shared machine without a scheduler the job may
then land on a GPU that somebody else uses.
"""

from collections.abc import Iterator

from codeblue.faults.told import symptoms
from codeblue.model.facts import Cuda, Environment, Nvml, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

NAME = "CUDA_VISIBLE_DEVICES"
NO_GPU_ASKED = "NoDevFiles"

UNSET = Remedy(
    message("unset CUDA_VISIBLE_DEVICES", "取消设置 CUDA_VISIBLE_DEVICES"),
    (
        Step(
            Verb.ENV_UNSET,
            message("without it CUDA sees every GPU", "没有这个变量时，CUDA 能看到所有 GPU"),
            {"name": NAME},
        ),
    ),
    Automation.AUTOMATIC,
    Undo.COMPENSATING,
)
ASK_SLURM = Remedy(
    message("ask Slurm for a GPU", "向 Slurm 申请 GPU"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "submit again with --gpus=1 or --gres=gpu:1",
                "加上 --gpus=1 或 --gres=gpu:1 重新提交",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "cuda-visible-devices-empty",
    title=Text("CUDA_VISIBLE_DEVICES hides every GPU", "CUDA_VISIBLE_DEVICES 隐藏了所有 GPU"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "invalid-device-ordinal",
        "cpu-only-jaxlib",
    ),
    references=(
        Reference(
            "CUDA programming guide: environment variables",
            "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html",
            "2026-11-30",
        ),
        Reference(
            "Slurm: generic resource scheduling",
            "https://slurm.schedmd.com/gres.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"CUDA_VISIBLE_DEVICES['\x22\]]* ?[=:,] ?(?:['\x22]{2}|['\x22]?-1['\x22]?|"
                r"['\x22]? *['\x22]?\)?\s*$|NoDevFiles)|CUDA_VISIBLE_DEVICES.{0,40}(?:empty|blank|"
                r"set to nothing|\bhides (?:every|all)|-1\b|NoDevFiles|为空|空字符串|设成了?空)|"
                r"empty CUDA_VISIBLE_DEVICES",
                r"is_available\(\)\W*False|^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|"
                r"NVIDIA)[- ]?(?:capable )?(?:gpu|device)s?\b|Found no NVIDIA driver|(?:CUDA|"
                r"GPUs?) (?:is |are )?(?:not |un)(?:available|used|found|detected|recogni[sz]ed|"
                r"visible|usable)|(?:not|n't|never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |"
                r"my )?(?:GPU|CUDA)|cuda(?:GetDeviceCount|_init)|CUDA initialization|"
                r"falls? back to (?:the )?CPU|(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|"
                r"显卡).{0,8}(?:用不了|不可用|检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|"
                r"识别不到|找不到|没有用上|不认).{0,6}(?:GPU|CUDA|显卡)|no CUDA-capable|"
                r"device_count\(\).{0,6}\b0\b|invalid device|NO_DEVICE|\bcpu\b|CPU",
            ),
            none=(r"srun|slurm|--gres",),
        ),
    ),
    remedy=UNSET,
)
def cuda_visible_devices_empty(
    environment: Environment,
    cuda: Cuda | Unread | None = UNREAD,
    nvml: Nvml | None = None,
    *,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    value = environment.variables.get(NAME)
    variant = None if value is None else hides_all(value)
    seen = symptoms(sightings, "torch-cuda-unavailable")
    if variant is not None and seen and _not_tried(cuda):
        yield from _by_words(value or "", variant, seen)
        return
    if variant is None or cuda is None or (isinstance(cuda, Cuda) and cuda.count):
        return
    count, path = gpus_without_it(None if isinstance(cuda, Unread) else cuda, nvml)
    if not count:
        return
    yield Hit(
        subject=f"env:{NAME}",
        summary=message(
            "CUDA_VISIBLE_DEVICES is '{value}', which hides all {count} GPUs",
            "CUDA_VISIBLE_DEVICES 的值是 “{value}”，隐藏了全部 {count} 块 GPU",
            value=value,
            count=count,
        ),
        because=cite(f"environment[{NAME}]", *(() if isinstance(cuda, Unread) else ("cuda.init",)), path),
        variant=variant,
        remedy=ASK_SLURM if variant == NO_GPU_ASKED else UNSET,
    )


def _not_tried(cuda: Cuda | Unread | None) -> bool:
    """True if CUDA was not started; a banner of nvidia-smi tells only its version."""
    return isinstance(cuda, Unread) or (isinstance(cuda, Cuda) and not was_read(cuda, "init"))


def _by_words(value: str, variant: str, seen: list[str]) -> Iterator[Hit]:
    """Judge a text in which the variable stands and torch found no GPU."""
    if seen:
        yield Hit(
            subject=f"env:{NAME}",
            certainty=Certainty.LIKELY,
            summary=message(
                "CUDA_VISIBLE_DEVICES is '{value}', which hides all GPUs",
                "CUDA_VISIBLE_DEVICES 的值是 “{value}”，隐藏了全部 GPU",
                value=value,
            ),
            because=cite(f"environment[{NAME}]", *seen),
            variant=variant,
            remedy=ASK_SLURM if variant == NO_GPU_ASKED else UNSET,
        )


def hides_all(value: str) -> str | None:
    """Return how the value hides every GPU, None if it does not."""
    stripped = value.strip()
    if not stripped:
        return "empty"
    if stripped.startswith("-1"):
        return "-1"
    return NO_GPU_ASKED if stripped == NO_GPU_ASKED else None


def gpus_without_it(cuda: Cuda | None, nvml: Nvml | None) -> tuple[int, str]:
    """Return how many GPUs are there without the variable, and the fact that says so."""
    if cuda and cuda.unmasked_count:
        return cuda.unmasked_count, "cuda.unmasked_count"
    if nvml and was_read(nvml, "init") and nvml.init == 0:
        return nvml.count or 0, "nvml.count"
    return 0, ""
