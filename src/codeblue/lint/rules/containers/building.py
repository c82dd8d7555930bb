"""Can the steps of a Dockerfile do what they want to do, on a builder without a GPU?"""

import re
from collections.abc import Iterator

from codeblue.knowledge.tables import by_key
from codeblue.lint.rule import rule
from codeblue.lint.rules.containers import gpu_images
from codeblue.lint.rules.containers.driver_files import installed, shipped
from codeblue.model.config.docker import Dockerfile, Stage
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Script, Word
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

NO_COMPILER = re.compile(r"(?:^|/)nvidia/cuda:.*(?:base|runtime)|(?:^|/)pytorch/pytorch:.*runtime")
COMPILER = re.compile(
    r"cuda-(?:nvcc|compiler|toolkit|minimal-build|\d+-\d+)|nvidia-cuda-toolkit|cudatoolkit-dev|cuda_\d[\w.]*_linux|nvhpc"
)
FROM_SOURCE = re.compile(
    r"flash[-_]attn|mamba[-_]ssm|causal[-_]conv1d|git\+https?://\S*(?:/apex|/detectron2|/pytorch3d|/xformers)\b"
)
"""Packages that nvcc compiles when no wheel fits."""
AT_BUILD = re.compile(
    r"(?:^|&&|;|\n)[ \t]*(nvidia-smi)\b(?![^\n;&]*\|\|)"
    r"|(assert\s+torch\.cuda\.is_available\(\))(?![^\n;&]*\|\|)"
)
SEPARATORS = re.compile(r"[;\s]+")
ARCH = re.compile(r"(\d{1,2}\.\d)[af]?(?:\+PTX)?$")
FAMILIES = frozenset(
    {
        "Kepler", "Kepler+Tesla", "Maxwell", "Maxwell+Tegra", "Pascal", "Volta", "Turing", "Ampere",
        "Ada", "Hopper", "Blackwell", "Blackwell+Tegra", "Common", "All",
    }
)  # fmt: skip
"""Names that torch takes besides numbers."""
TRAINING = re.compile(r"(?:torchrun|deepspeed|accelerate\s+launch|python3?\s+\S*train)")
UPGRADES = {
    "apt-get": ("upgrade", "dist-upgrade"),
    "apt": ("upgrade", "full-upgrade"),
    "dnf": ("upgrade", "update"),
    "yum": ("upgrade", "update"),
}
NCCL = re.compile(r"libnccl(?:2|-dev)=.*\+cuda(\d+)\.(\d+)$")


def _base(dockerfile: Dockerfile, stage: Stage) -> Stage:
    return dockerfile.line_of(stage)[-1]


@rule("cuda-compiler-missing")
def compiler_is_in_the_image(dockerfile: Dockerfile) -> Iterator[Problem]:
    """``base`` and ``runtime`` images have no nvcc."""
    for stage in dockerfile.stages:
        line = dockerfile.line_of(stage)
        texts = [script.source.text for one in line for script in one.scripts]
        copied = any(
            step.name in ("COPY", "ADD") and "cuda" in step.value for one in line for step in one.steps
        )
        if not NO_COMPILER.search(line[-1].base.text) or copied or any(map(COMPILER.search, texts)):
            continue
        for script in stage.scripts:
            yield from _compiled(script, line[-1].base.text)


def _compiled(script: Script, base: str) -> Iterator[Problem]:
    for command in script.commands:
        pip = any(word.text == "install" for word in command.words[:4])
        wanted = next((word for word in command.words if pip and _from_source(word)), None)
        if command.name == "nvcc" and command.words:
            wanted = command.words[0]
        if wanted is not None:
            yield Problem(
                place=wanted.place,
                message=message(
                    "{what} needs nvcc, which {base} does not have: take the devel image",
                    "{what} 需要 nvcc，而 {base} 里没有：请改用 devel 镜像",
                    what=wanted.text,
                    base=base,
                ),
                certainty=Certainty.LIKELY if command.name == "nvcc" else Certainty.POSSIBLE,
                severity=Severity.WARNING,
            )


def _from_source(word: Word) -> bool:
    return FROM_SOURCE.match(word.text) is not None and ".whl" not in word.text


@rule("gpu-needed-at-image-build")
def no_gpu_is_needed_at_build(dockerfile: Dockerfile) -> Iterator[Problem]:
    """``docker build`` gives no GPU to RUN."""
    for stage in dockerfile.stages:
        given = any(name == "device" for step in stage.steps for name, _ in step.flags)
        for script in () if given else stage.scripts:
            for found in AT_BUILD.finditer(script.source.text):
                number = 1 if found[1] else 2
                yield Problem(
                    place=script.source.place(*found.span(number)),
                    message=message(
                        "{what} fails while the image is built: RUN gets no GPU and no driver",
                        "{what} 在构建镜像时会失败：RUN 得不到 GPU 和驱动",
                        what=found[number],
                    ),
                    certainty=Certainty.LIKELY,
                    severity=Severity.WARNING,
                )


@rule("cuda-arch-list-invalid")
def architectures_are_read_by_torch(settings: Settings) -> Iterator[Problem]:
    """torch splits the list at semicolons and blanks, and knows numbers with a dot."""
    one = settings.last("TORCH_CUDA_ARCH_LIST")
    for name in _architectures(one):
        if not ARCH.match(name) and name not in FAMILIES and one is not None:
            yield Problem(
                place=one.value_place or one.place,
                message=message(
                    "torch does not know the architecture {name}: write 8.0;9.0+PTX",
                    "torch 不认识架构 {name}：应写成 8.0;9.0+PTX 这样的形式",
                    name=name,
                ),
            )


def _architectures(one: Setting | None) -> list[str]:
    value = (one.value or "").strip("\"'") if one is not None else ""
    return [name for name in SEPARATORS.split(value) if name] if value.lower() != "native" else []


@rule("cuda-arch-list-invalid")
def compiler_knows_the_architectures(dockerfile: Dockerfile) -> Iterator[Problem]:
    """An nvcc compiles for the GPUs that it knows."""
    for stage in dockerfile.stages:
        one = stage.settings.last("TORCH_CUDA_ARCH_LIST")
        base = _base(dockerfile, stage).base
        cuda = gpu_images.cuda_of(base)
        row = by_key("cuda_toolkits", "version").get(cuda or "")
        if one is None or row is None:
            continue
        for name in _architectures(one):
            found = ARCH.match(name)
            if found and int(found[1].replace(".", "")) not in row["targets"]:
                yield Problem(
                    place=one.value_place or one.place,
                    message=message(
                        "nvcc of CUDA {cuda} cannot compile for {name}",
                        "CUDA {cuda} 的 nvcc 不能为 {name} 编译",
                        cuda=cuda,
                        name=name,
                    ),
                    certainty=Certainty.POSSIBLE,
                    severity=Severity.WARNING,
                )


@rule("nccl-built-for-other-cuda")
def nccl_is_for_this_cuda(dockerfile: Dockerfile) -> Iterator[Problem]:
    """The package of NCCL names the CUDA that it was built with."""
    cuda = gpu_images.cuda_of(_base(dockerfile, dockerfile.last).base)
    for command in shipped(dockerfile):
        for word in installed(command):
            found = NCCL.match(word.text)
            if found and cuda and found[1] != cuda.split(".")[0]:
                yield Problem(
                    place=word.place,
                    message=message(
                        "{package} was built with CUDA {other}, and the image has CUDA {cuda}",
                        "{package} 是用 CUDA {other} 构建的，而镜像里是 CUDA {cuda}",
                        package=word.text,
                        other=f"{found[1]}.{found[2]}",
                        cuda=cuda,
                    ),
                    certainty=Certainty.LIKELY,
                    severity=Severity.WARNING,
                )


@rule("image-upgrade-moves-cuda-libraries", pedantic=True)
def packages_of_the_base_stay(dockerfile: Dockerfile) -> Iterator[Problem]:
    """An upgrade changes the CUDA libraries that the base was built with."""
    if gpu_images.cuda_of(_base(dockerfile, dockerfile.last).base) is None:
        return
    for command in shipped(dockerfile):
        verb = next((word for word in command.arguments if not word.text.startswith("-")), None)
        if verb is not None and verb.text in UPGRADES.get(command.name, ()):
            yield Problem(
                place=verb.place,
                message=message(
                    "{verb} may replace CUDA libraries of the base image by newer ones",
                    "{verb} 可能把基础镜像中的 CUDA 库换成更新的版本",
                    verb=f"{command.name} {verb.text}",
                ),
                certainty=Certainty.POSSIBLE,
            )


@rule("entrypoint-swallows-signals", pedantic=True)
def signals_reach_the_training(dockerfile: Dockerfile) -> Iterator[Problem]:
    """A shell as process 1 keeps the signal that announces the end."""
    for step in dockerfile.last.steps:
        if step.name in ("ENTRYPOINT", "CMD") and TRAINING.match(step.value):
            yield Problem(
                place=step.value_place,
                message=message(
                    "{name} without brackets runs in a shell, which may keep SIGTERM: no checkpoint is "
                    "written at preemption",
                    "{name} 不用方括号时由 shell 运行，SIGTERM 可能到不了训练进程：被抢占时不会写检查点",
                    name=step.name,
                ),
                certainty=Certainty.POSSIBLE,
            )


RULES = (
    compiler_is_in_the_image,
    no_gpu_is_needed_at_build,
    architectures_are_read_by_torch,
    compiler_knows_the_architectures,
    nccl_is_for_this_cuda,
    packages_of_the_base_stay,
    signals_reach_the_training,
)
