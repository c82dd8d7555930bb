"""
## What it means
`CUDA_VISIBLE_DEVICES` names a GPU that is not there: an index that is too high, a word, or the same
GPU twice. CUDA says nothing about it. It takes the devices in front of the first invalid entry and
drops that entry and all that follow, so `9` or `all` leave none and `0,9` leaves one.

## Why it happens
The value comes from another machine, or counts from one instead of zero. In a container or a Slurm
job that was given one GPU of eight, that GPU has index 0, whatever its number on the host. `all` and
`none` belong to `NVIDIA_VISIBLE_DEVICES`, which the container runtime reads; CUDA does not know them.
An UUID is that of a card which was replaced, or of a MIG instance that was made anew.

## When it is not a fault
Naming fewer GPUs than the machine has is the purpose of the variable. Slurm and Kubernetes set it for
each job. If an index is right but CUDA cannot use that GPU, another finding says why.

## What to do
List what is there without the variable: `env -u CUDA_VISIBLE_DEVICES nvidia-smi -L`. Then name indices
from 0 to one less than that number, without spaces or repetitions, or whole UUIDs. Set it before the
process starts, since it is read once.

## How safe the fix is
It touches only processes started from now on. On a shared machine choose GPUs that nobody uses.
"""

import re
from collections.abc import Iterator

from msgspec import Struct, UnsetType

from codeblue.faults.application.cuda_visible_devices_empty import NAME, hides_all
from codeblue.faults.told import gpus_told, symptoms
from codeblue.model.facts import Cuda, Environment, Nodes, Nvml, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

INDEX = re.compile(r"\+?(\d+)")
UUID = ("gpu-", "mig-")
GPU_NODE = re.compile(r"/dev/nvidia\d+")
NO_DEVICE = 100
SYMPTOMS = ("torch-cuda-unavailable", "invalid-device-ordinal", "cuda-init-failed")

UNSET = Remedy(
    message(
        "unset CUDA_VISIBLE_DEVICES or name GPUs that exist", "取消 CUDA_VISIBLE_DEVICES，或改为存在的 GPU"
    ),
    (
        Step(
            Verb.ENV_UNSET,
            message("without it CUDA sees every GPU", "没有这个变量时，CUDA 能看到所有 GPU"),
            {"name": NAME},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


class Invalid(Struct, frozen=True):
    """The entry at which CUDA stops reading."""

    variant: str
    entry: str
    position: int
    certainty: Certainty = Certainty.CERTAIN


@fault(
    "cuda-visible-devices-names-absent-gpu",
    title=Text(
        "CUDA_VISIBLE_DEVICES names a GPU that is not there", "CUDA_VISIBLE_DEVICES 指定了不存在的 GPU"
    ),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "torch-cuda-unavailable", "invalid-device-ordinal"),
    references=(
        Reference(
            "CUDA programming guide: environment variables",
            "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"CUDA_VISIBLE_DEVICES['\x22\]]* ?[=:,] ?['\x22]?(?:[\d,]*[1-9]|GPU-|MIG-)|"
                r"CUDA_VISIBLE_DEVICES (?:to|is|was) ['\x22]?\d|CUDA_VISIBLE_DEVICES 设(?:为|成)",
                r"is_available\(\)\W*False|^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|"
                r"NVIDIA)[- ]?(?:capable )?(?:gpu|device)s?\b|Found no NVIDIA driver|(?:CUDA|"
                r"GPUs?) (?:is |are )?(?:not |un)(?:available|used|found|detected|recogni[sz]ed|"
                r"visible|usable)|(?:not|n't|never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |"
                r"my )?(?:GPU|CUDA)|cuda(?:GetDeviceCount|_init)|CUDA initialization|"
                r"falls? back to (?:the )?CPU|(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|"
                r"显卡).{0,8}(?:用不了|不可用|检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|"
                r"识别不到|找不到|没有用上|不认).{0,6}(?:GPU|CUDA|显卡)|no CUDA-capable|"
                r"device_count\(\)\W*0|NO_DEVICE|invalid device ordinal",
                r"(?:one|single|1|two|2|three|3|four|4|only \d) ?x? ?(?:NVIDIA |RTX \d+ |A100 |"
                r"H100 )?(?:GPUs?|cards?)\b|only (?:has |have )?(?:one|two|1|2|4|a single)\b|"
                r"single[- ]gpu|device_count|GPU 0\b|hard-?coded|only GPU|只有.{0,6}(?:一|1|2|两|二|4|"
                r"四).{0,3}(?:张|块|个|卡)|单卡",
            ),
            none=(
                r"srun|slurm|--gres",
                r"-1\b",
                r"LOCAL_RANK|nproc",
            ),
        ),
        Clue(
            all=(
                r"CUDA_VISIBLE_DEVICES['\x22\]]* ?[=:,] ?['\x22]?[1-9]",
                r"No CUDA GPUs are available|no CUDA-capable device|CUDA_ERROR_NO_DEVICE|"
                r"is_available\(\)\W*False",
            ),
            none=(
                r"srun|slurm|--gres",
                r"nvidia-smi has failed",
                r"\bMIG\b",
            ),
        ),
    ),
    remedy=UNSET,
    next_command="env -u CUDA_VISIBLE_DEVICES nvidia-smi -L",
)
def cuda_visible_devices_names_absent_gpu(
    environment: Environment,
    cuda: Cuda | Unread = UNREAD,
    nodes: Nodes | Unread | None = UNREAD,
    *,
    nvml: Nvml | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    value = environment.variables.get(NAME, "")
    entries = [entry.strip() for entry in value.rstrip(", ").split(",")]
    if not isinstance(cuda, Cuda) or (nvml and not was_read(cuda, "init")):
        if NAME in environment.variables and hides_all(value) is None:
            yield from _by_list(entries, value, nvml, symptoms(sightings, *SYMPTOMS))
        return
    if isinstance(nodes, UnsetType):
        return
    usable = cuda.count or 0
    if hides_all(value) is not None:
        return
    without_it = cuda.unmasked_count or 0
    invalid = first_invalid(entries, max(without_it, reachable_nodes(nodes)))
    if invalid is None and cuda.init == NO_DEVICE and entries[0].lower().startswith(UUID):
        invalid = Invalid("uuid", entries[0], 0, Certainty.LIKELY)
    if invalid is None or not without_it or usable > invalid.position:
        return
    yield Hit(
        subject=f"env:{NAME}",
        summary=message(
            "CUDA_VISIBLE_DEVICES is '{value}': '{entry}' is no valid choice among {there} GPUs, "
            "{usable} of {named} named devices are usable",
            "CUDA_VISIBLE_DEVICES 的值是 “{value}”：共有 {there} 块 GPU，“{entry}” 无效；"
            "指定了 {named} 个，可用 {usable} 个",
            value=value,
            entry=invalid.entry,
            there=without_it,
            usable=usable,
            named=len(entries),
        ),
        because=cite(f"environment[{NAME}]", "cuda.init", "cuda.unmasked_count"),
        certainty=invalid.certainty,
        variant=invalid.variant,
    )


def _by_list(entries: list[str], value: str, nvml: Nvml | None, seen: list[str]) -> Iterator[Hit]:
    """Judge a text that lists the GPUs, where a program found none or not the one it asked for."""
    there = len(gpus_told(nvml))
    invalid = first_invalid(entries, there)
    if not there or not seen or invalid is None:
        return
    yield Hit(
        subject=f"env:{NAME}",
        summary=message(
            "CUDA_VISIBLE_DEVICES is '{value}': '{entry}' is no valid choice among {there} GPUs",
            "CUDA_VISIBLE_DEVICES 的值是 “{value}”：共有 {there} 块 GPU，“{entry}” 无效",
            value=value,
            entry=invalid.entry,
            there=there,
        ),
        because=cite(f"environment[{NAME}]", "nvml.gpus", *seen),
        certainty=Certainty.LIKELY,
        variant=invalid.variant,
    )


def first_invalid(entries: list[str], there: int) -> Invalid | None:
    """Return the first entry that CUDA cannot accept; UUIDs cannot be judged from their names."""
    seen: set[str] = set()
    for position, entry in enumerate(entries):
        number = INDEX.match(entry)
        name = number.group(1) if number else entry
        if not number and not entry.lower().startswith(UUID):
            return Invalid("word", entry, position)
        if number and int(name) >= there:
            return Invalid("index", entry, position)
        if name in seen:
            return Invalid("duplicate", entry, position)
        seen.add(name)
    return None


def reachable_nodes(nodes: Nodes | None) -> int:
    """Return how many GPU nodes exist that no control group closes.

    A GPU with a node is there, even if CUDA cannot use it for another reason.
    """
    table = nodes.nodes if nodes else {}
    return sum(
        node.exists and node.open_rw != "EPERM" for path, node in table.items() if GPU_NODE.fullmatch(path)
    )
