"""Versions that the user names on the command line, checked before anything is judged."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from codeblue.cli.language import say
from codeblue.model.combination import Combination, Part
from codeblue.model.text import message
from codeblue.sources.target import Unusable

F = TypeVar("F", bound=Callable[..., Any])

DOTTED = re.compile(r"\d+(?:\.\d+){0,3}")
SHAPES = {
    "driver": (re.compile(r"[1-9]\d{2}(?:\.\d+){0,2}"), "535.129.03, 580"),
    "torch": (re.compile(r"[12](?:\.\d+){0,2}(?:[a-z.]+\d*)*(?:\+[a-z0-9._]+)?"), "2.7.1, 2.7.1+cu128"),
    "torchvision": (re.compile(r"0(?:\.\d+){1,2}(?:\+[a-z0-9._]+)?"), "0.22.1"),
    "torchaudio": (re.compile(r"[02](?:\.\d+){1,2}(?:\+[a-z0-9._]+)?"), "2.7.1"),
    "triton": (DOTTED, "3.3.1"),
    "python": (re.compile(r"[23]\.\d+(?:\.\d+)?t?"), "3.11"),
    "glibc": (re.compile(r"2\.\d+|musl"), "2.28, musl"),
    "cuda": (re.compile(r"\d{1,2}\.\d+(?:\.\d+)?"), "12.8"),
    "nvcc": (re.compile(r"\d{1,2}\.\d+(?:\.\d+)?"), "12.8"),
    "compat": (re.compile(r"\d{1,2}\.\d+"), "12.8"),
    "cudnn": (DOTTED, "9.10.2"),
    "nccl": (DOTTED, "2.26.2"),
    "tensorrt": (re.compile(r"\d+(?:\.\d+){1,3}(?:\+cu1[1-3])?"), "10.9.0, 10.13.0.35+cu12"),
    "toolkit": (DOTTED, "1.17.8"),
}
"""What a value may look like, and examples for the line that says it does not."""

HELP = {
    "driver": ("NVIDIA driver, a release or a branch.", "NVIDIA 驱动的版本或分支。"),
    "torch": (
        "PyTorch, with its variant or as the package index gives it.",
        "PyTorch 版本，可带构建变体；不带则按软件包索引的默认构建。",
    ),
    "torchvision": ("torchvision.", "torchvision 版本。"),
    "torchaudio": ("torchaudio.", "torchaudio 版本。"),
    "triton": ("Triton.", "Triton 版本。"),
    "python": ("Python, such as 3.11.", "Python 版本，如 3.11。"),
    "glibc": ("C library of the system or image.", "系统或镜像的 C 库版本。"),
    "cuda": ("CUDA toolkit, or CUDA of an image.", "CUDA 工具包或镜像中的 CUDA 版本。"),
    "nvcc": (
        "CUDA compiler that builds extensions, as nvcc --version tells.",
        "编译扩展所用的 CUDA 编译器版本，见 nvcc --version。",
    ),
    "compat": ("CUDA version of the cuda-compat package.", "cuda-compat 包的 CUDA 版本。"),
    "cudnn": ("cuDNN named besides torch's own.", "torch 自带之外另行指定的 cuDNN。"),
    "nccl": ("NCCL.", "NCCL 版本。"),
    "tensorrt": ("TensorRT.", "TensorRT 版本。"),
    "toolkit": ("NVIDIA container toolkit.", "NVIDIA 容器工具包版本。"),
}


def versions(function: F) -> F:
    """Accept an option for each part of a combination."""
    for name in reversed(HELP):
        function = click.option(f"--{name}", metavar="VERSION", help=say(*HELP[name]))(function)
    gpu = click.option(
        "--gpu",
        "gpus",
        multiple=True,
        metavar="NAME[,NAME]",
        help=say("GPUs by name or compute capability; may be repeated.", "GPU 名称或计算能力；可重复。"),
    )
    machine = click.option(
        "--machine",
        type=click.Choice(("x86_64", "aarch64")),
        show_default="x86_64",
        help=say("Processor.", "处理器架构。"),
    )
    modules = click.option(
        "--kernel-modules",
        type=click.Choice(("open", "proprietary")),
        help=say("Flavour of the driver's kernel modules.", "驱动内核模块的类型。"),
    )
    image = click.option(
        "--require-cuda",
        metavar="TEXT",
        help=say("NVIDIA_REQUIRE_CUDA of the image.", "镜像的 NVIDIA_REQUIRE_CUDA。"),
    )
    return gpu(machine(modules(image(function))))


def combination(gpus: tuple[str, ...], **given: str | None) -> Combination:
    """Return what the options name. Raises Unusable with one line for a value that cannot be one."""
    parts = {name: _part(name, value) for name, value in given.items() if value is not None}
    names = [name.strip() for group in gpus for name in group.split(",")]
    return Combination(gpus=tuple(_gpu(name) for name in names if name)).having(parts)


def _part(name: str, value: str) -> Part:
    option = f"--{name.replace('_', '-')}"
    cleaned = value.strip().removeprefix("v").removeprefix(f"{name}==")
    if name in SHAPES:
        shape, examples = SHAPES[name]
        if not shape.fullmatch(cleaned):
            raise Unusable(
                message(
                    "{option} {value}: not a version of {name}; write it as {examples}",
                    "{option} {value}：不是 {name} 的版本；写法如 {examples}",
                    option=option,
                    value=value,
                    name=name,
                    examples=examples,
                )
            )
    if name in CHECKS:
        CHECKS[name](cleaned)
    return Part(_whole(cleaned) if name == "torch" else cleaned, option)


def _driver(value: str) -> None:
    """Refuse a branch far beyond the tables: newer ones may come, but not these."""
    from codeblue.knowledge.tables import by_key
    from codeblue.knowledge.versions import branch

    newest = max(by_key("drivers", "branch"))
    if branch(value) > newest + BEYOND:
        raise Unusable(
            message(
                "--driver {value}: there is no such branch; the newest that the tables know is {newest}",
                "--driver {value}：没有这个驱动分支；表中最新的是 {newest}",
                value=value,
                newest=newest,
            )
        )


def _require_cuda(value: str) -> None:
    """Refuse a text without a condition."""
    from codeblue.knowledge.require_cuda import alternatives

    if not alternatives(value):
        raise Unusable(
            message(
                "--require-cuda {value}: no condition; write it as the image does: cuda>=12.8",
                "--require-cuda {value}：不含任何条件；请按镜像中的写法，如 cuda>=12.8",
                value=value,
            )
        )


CHECKS: dict[str, Callable[[str], None]] = {"driver": _driver, "require_cuda": _require_cuda}
"""What is looked at beyond the shape of a value; raises Unusable."""
BEYOND = 100
"""Branches beyond the newest of the tables that may exist by now: about ten years of them."""


def _whole(torch: str) -> str:
    """Return a release with all three numbers: pip reads 2.7 as 2.7.0 too."""
    numbers, plus, variant = torch.partition("+")
    if re.fullmatch(r"\d+(?:\.\d+)?", numbers):
        numbers += ".0" * (2 - numbers.count("."))
    return f"{numbers}{plus}{variant}"


def _near_capabilities(text: str) -> list[str]:
    """Return the known compute capabilities nearest to one that no GPU has; none for a name."""
    from codeblue.knowledge.architectures import capability_named
    from codeblue.knowledge.tables import table

    asked = capability_named(text)
    known: list[str] = [row["cc"] for row in table("gpus")["capabilities"]]
    return sorted(known, key=lambda one: abs(float(one) - float(asked)))[:3] if asked else []


def _gpu(name: str) -> Part:
    from codeblue.knowledge.gpu_names import matching, nearest
    from codeblue.matrix.devices import device

    part = Part(name, "--gpu")
    if device(part) is not None:
        return part
    rows = matching(name)
    if rows:
        raise Unusable(
            message(
                "--gpu {name}: several GPUs are called so; say which: {names}",
                "--gpu {name}：有多种 GPU 叫这个名字；请指明：{names}",
                name=name,
                names=", ".join(f"{row['name']} ({row['cc']})" for row in rows[:6]),
            )
        )
    near = _near_capabilities(name) or nearest(name)
    if near:
        raise Unusable(
            message(
                "--gpu {name}: no table knows this GPU; near are {near}; or give its capability, as 8.9",
                "--gpu {name}：表中没有这个 GPU；相近的有 {near}；也可给出计算能力，如 8.9",
                name=name,
                near=", ".join(near),
            )
        )
    raise Unusable(
        message(
            "--gpu {name}: no table knows this GPU; codeblue matrix show gpu lists them",
            "--gpu {name}：表中没有这个 GPU；codeblue matrix show gpu 可列出全部",
            name=name,
        )
    )
