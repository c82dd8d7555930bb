"""
## What it means
`PYTORCH_ALLOC_CONF` (before 2.9 `PYTORCH_CUDA_ALLOC_CONF`) holds something that this version of torch
cannot parse. torch reads it when the allocator is first used, so `import torch` works and the first
tensor on the GPU raises.

## Why it happens
The option is newer than torch: `expandable_segments` needs 2.1, older releases call it unrecognised. Or
the syntax is off: it is `name:value` with commas between the pairs, `=` instead of `:` or a missing
value stops the parser. `True` and `False` are written with a capital letter. `max_split_size_mb` must
be larger than 20. Often the variable comes from a launcher or an image and was written for another
release.

## When it is not a fault
A warning that the old name is deprecated, or that `expandable_segments` is not supported here, is only
a remark: the job runs.

## What to do
Remove the variable for this job, or correct the option that the message names. If two programs with
different torch releases share one launcher, set it for each of them alone.

## How safe the fix is
Removing the variable brings the default allocator back: results do not change, peak memory may. It is
exactly undone by setting it again.
"""

import re
from collections.abc import Iterator

from codeblue.model.facts import Environment, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NAMES = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
"""In the order in which torch reads them."""

NUMBER = r"[0-9.]+"
SWITCH = r"(?i:true|false)"
KEYS = {
    "backend": r"native|cudaMallocAsync",
    "max_split_size_mb": NUMBER,
    "max_non_split_rounding_mb": NUMBER,
    "roundup_power2_divisions": NUMBER,
    "garbage_collection_threshold": NUMBER,
    "expandable_segments": SWITCH,
    "release_lock_on_cudamalloc": SWITCH,
    "pinned_use_cuda_host_register": SWITCH,
    "pinned_num_register_threads": NUMBER,
    "pinned_use_background_threads": SWITCH,
    "pinned_reserve_segment_size_mb": NUMBER,
    "graph_capture_record_stream_reuse": SWITCH,
    "per_process_memory_fraction": NUMBER,
    "large_segment_size_mb": NUMBER,
}
"""Settings that some release of torch reads, and what their values look like (documentation and sources)."""

REFUSALS = (
    Signature(
        "Unrecognized CachingAllocator option", r"Unrecognized CachingAllocator option: (?P<option>\S+)"
    ),
    Signature("Error parsing CachingAllocator settings", r"Error parsing CachingAllocator settings"),
    Signature(
        " allocator config",
        r"Unrecognized key '(?P<option>[^']*)' in (?:Accelerator|CUDA) allocator config",
    ),
    Signature(
        "in ConfigTokenizer", r"(?:Expected '|Expected closing bracket|out of range).* in ConfigTokenizer"
    ),
    Signature("CachingAllocator option ", r"CachingAllocator option (?P<option>\w+) too (?:small|large)"),
    Signature("garbage_collect_threshold", r"garbage_collect_threshold (?:is invalid|too (?:small|big))"),
    Signature(
        "True/False argument for expandable_segments",
        r"Expected a single True/False argument for expandable_segments",
    ),
)


@fault(
    "allocator-config-invalid",
    title=Text(
        "torch cannot parse the allocator settings in the environment",
        "torch 无法解析环境变量中的显存分配器设置",
    ),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-import-failed", "torch-cuda-unavailable", "gpu-kernel-failed", "process-segfault"),
    references=(
        Reference(
            "PyTorch: optimizing memory usage with PYTORCH_ALLOC_CONF",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"PYTORCH_(?:CUDA_)?ALLOC_CONF|PYTORCH_HIP_ALLOC_CONF",
                r"invalid|unrecogni[sz]ed|unknown|expected|\bparse|\bparsing|out[_ ]of[_ ]range|stoi|"
                r"typo|misspel|malformed|写错|拼错|无效|解析|\bequals? sign|instead of (?:a )?colon",
            ),
            none=(
                r"CUDA out of memory",
                r"OutOfMemoryError",
            ),
        ),
    ),
    signatures=(
        *REFUSALS,
        Signature(
            "llocator ",
            (
                "(?:[Ii]nvalid|[Uu]nknown|[Uu]nrecognized|[Pp]arsing).{0,40}"
                "(?:CachingAllocator|CUDA allocator) (?:option|config|setting)"
            ),
        ),
        Signature("ConfigTokenizer", r"Expected .{1,20} at index \d+ in ConfigTokenizer"),
        Signature(
            "roundup_power2_divisions",
            r"(?:[Uu]nknown|[Ii]nvalid|[Uu]nrecognized).{0,40}roundup_power2_divisions|"
            r"For single value roundup_power2_divisions, value \S+ (?:must|is)",
        ),
    ),
    remedy=Remedy(
        message("correct or remove the allocator variable", "改正或去掉分配器变量"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "find where PYTORCH_ALLOC_CONF or PYTORCH_CUDA_ALLOC_CONF is set for the job",
                    "找出任务的 PYTORCH_ALLOC_CONF 或 PYTORCH_CUDA_ALLOC_CONF 是在哪里设置的",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
)
def allocator_config_invalid(environment: Environment, trial: TorchTrial) -> Iterator[Hit]:
    name = next((name for name in NAMES if environment.variables.get(name)), None)
    if name is None:
        return
    value = environment.variables[name]
    if trial.signal is not None:
        yield from _crashed(name, value, trial)
        return
    said = _refusal(trial)
    if said is None:
        return
    path, words = said
    yield Hit(
        subject=f"env:{name}",
        summary=message(
            "{name}={value} is refused by torch: {words}",
            "torch 拒绝 {name}={value}：{words}",
            name=name,
            value=value,
            words=words,
        ),
        because=cite(f"environment[{name}]", path),
        certainty=Certainty.CERTAIN,
        remedy=_unset(name),
    )


def _crashed(name: str, value: str, trial: TorchTrial) -> Iterator[Hit]:
    """Some releases crash at the first tensor instead of saying what they cannot parse."""
    entry = malformed(value)
    if trial.imported and entry is not None:
        yield Hit(
            subject=f"env:{name}",
            variant="crash",
            summary=message(
                "torch crashes at the first tensor, and {name} holds a setting that it cannot parse: {entry}",
                "torch 在第一个张量处崩溃，而 {name} 里有它无法解析的设置：{entry}",
                name=name,
                entry=entry,
            ),
            because=cite(f"environment[{name}]", "torch_trial.signal"),
            certainty=Certainty.LIKELY,
            remedy=_unset(name),
        )


def malformed(value: str) -> str | None:
    """Return the first setting with an unknown key or a value of another kind."""
    flat = re.sub(r"\[[^\]]*\]", "0", value)  # roundup_power2_divisions may hold a list
    for entry in flat.split(","):
        key, _, setting = entry.partition(":")
        pattern = KEYS.get(key.strip())
        if pattern is None or not re.fullmatch(pattern, setting.strip()):
            return entry.strip()
    return None


def _refusal(trial: TorchTrial) -> tuple[str, str] | None:
    """Return the path and the words with which the trial refused the settings."""
    said = [("torch_trial.error", trial.error)]
    if trial.imported and trial.error is None:
        said += [(f"torch_trial[{index}].error", row.error) for index, row in trial.devices.items()]
    for path, words in said:
        if words and any(re.search(refusal.pattern, words) for refusal in REFUSALS):
            return path, words
    return None


def _unset(name: str) -> Remedy:
    why = message("torch falls back to its default allocator settings", "torch 会使用默认的分配器设置")
    return Remedy(
        message("unset {name}", "取消设置 {name}", name=name),
        (Step(Verb.ENV_UNSET, why, {"name": name}),),
        Automation.AUTOMATIC,
        Undo.EXACT,
    )
