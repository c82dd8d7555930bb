"""What a set changes in what is there, in words."""

from collections.abc import Iterator

from codeblue.knowledge.companions import has_builds
from codeblue.knowledge.wheels import plain
from codeblue.matrix import builds
from codeblue.matrix.solve.wishes import COMPANIONS
from codeblue.model.combination import Combination, Part
from codeblue.model.solution import Change
from codeblue.model.text import Message, message

FIELDS = (
    "driver",
    "kernel_modules",
    "compat",
    "python",
    "torch",
    "torchvision",
    "torchaudio",
    "tensorrt",
    "triton",
    "cudnn",
    "nccl",
    "extensions",
)
ADMINISTRATORS = frozenset({"driver", "kernel_modules"})
LABELS = {
    "driver": ("the driver", "驱动"),
    "kernel_modules": ("the kernel modules", "内核模块"),
    "compat": ("the cuda-compat package", "cuda-compat 包"),
    "python": ("Python", "Python"),
    "torch": ("torch", "torch"),
    "torchvision": ("torchvision", "torchvision"),
    "torchaudio": ("torchaudio", "torchaudio"),
    "tensorrt": ("TensorRT", "TensorRT"),
    "triton": ("triton", "triton"),
    "cudnn": ("cuDNN", "cuDNN"),
    "nccl": ("NCCL", "NCCL"),
    "extensions": ("compiled extensions", "编译扩展"),
}


def changes(have: Combination, then: Combination) -> tuple[Change, ...]:
    """Return the differences, those that only an administrator can make first."""
    return tuple(_changes(have, then))


def _changes(have: Combination, then: Combination) -> Iterator[Change]:
    for name in FIELDS:
        before, after = _value(getattr(have, name)), _value(getattr(then, name))
        rebuilt = name == "torch" and (have.targets, have.torch_cuda) != (then.targets, then.torch_cuda)
        if name in COMPANIONS and before and after and plain(before) == plain(after):
            yield from _moved(name, before, have, then)
        elif before != after or rebuilt:
            text = _words(name, before, after)
            yield Change(name, before, after, text, name in ADMINISTRATORS)


def _moved(name: str, before: str, have: Combination, then: Combination) -> Iterator[Change]:
    """Yield a companion that has to be taken from the index of another CUDA, in the same version."""
    old, new = builds.of(have), builds.of(then)
    if new is None or old is None or old.variant == new.variant:
        return
    if has_builds(name, new.name, builds.machine(then)):
        text = message(
            "{name} {version}: reinstall it for {variant} too",
            "{name} {version}：同样要换成 {variant} 的构建",
            name=name,
            version=plain(before),
            variant=new.variant,
        )
        yield Change(name, before, f"{plain(before)}+{new.variant}", text)


def _value(part: Part | tuple[Part, ...] | None) -> str | None:
    if isinstance(part, tuple):
        return ", ".join(one.value for one in part) or None
    return part.value if part else None


def _words(name: str, before: str | None, after: str | None) -> Message:
    en, zh = LABELS[name]
    values = {"before": before or "", "after": after or ""}
    if before is None:
        return message(f"add {en} {{after}}", f"添加 {zh} {{after}}", **values)
    if after is not None:
        return message(f"{en}: {{before}} → {{after}}", f"{zh}：{{before}} → {{after}}", **values)
    if name == "extensions":
        return message(
            "{before}: take the wheel made for this torch, or build it from source",
            "{before}：换用对应该 torch 的 wheel，或从源码构建",
            **values,
        )
    if name == "compat":
        return message(
            "remove the cuda-compat package {before}: the driver does without",
            "移除 cuda-compat {before}：驱动已不需要它",
            **values,
        )
    return message(
        f"{en} {{before}}: leave the pin out, torch brings its own",
        f"{zh} {{before}}：去掉这个固定版本，由 torch 自带",
        **values,
    )
