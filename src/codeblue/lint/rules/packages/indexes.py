"""Does pip take the build that was meant, from the index that was meant?"""

import re
from collections.abc import Iterator

from codeblue.knowledge.wheels import local, plain, release
from codeblue.lint.rule import rule
from codeblue.lint.rules.containers import gpu_images
from codeblue.lint.rules.packages.judged import asked
from codeblue.matrix import builds
from codeblue.matrix.indexes import variant_of
from codeblue.model.config.image import Image
from codeblue.model.config.installs import Installs
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.manifest import Index, Requirement
from codeblue.model.text import message

UV = re.compile(r"\buv (?:pip|add|sync)\b|\bUV_")
CUDA_INDEX = re.compile(r"pytorch.*/cu\d+/?$")
LOCAL = re.compile(r"===?\s*([\w.]+\+(cu\d+))$")


@rule("cpu-only-torch-build")
def build_in_a_cuda_image_has_cuda(installs: Installs) -> Iterator[Problem]:
    """A build without CUDA in an image that is made for CUDA."""
    image = installs.image
    if image is None or not gpu_images.is_made_for_gpus(image) or _has_cuda_build(image):
        return
    found = asked(installs)
    build = builds.of(found) if found is not None else None
    if found is None or found.torch is None or build is None or build.cuda is not None:
        return
    if installs.holds(found.torch.origin):
        yield Problem(
            place=installs.place(found.torch.origin, "torch", "pytorch"),
            message=message(
                "torch {version} has no CUDA, and {image} is an image for it",
                "torch {version} 不带 CUDA，而 {image} 是 CUDA 镜像",
                version=build.name,
                image=image.text,
            ),
            certainty=Certainty.LIKELY,
        )


def _has_cuda_build(image: Image) -> bool:
    return image.repository.endswith(("pytorch/pytorch", "nvidia/pytorch"))


@rule("local-version-without-index")
def local_versions_have_an_index(installs: Installs) -> Iterator[Problem]:
    """PyPI has no version with ``+cu``: only PyTorch's own indexes do."""
    if any(index.kind != "channel" for index in installs.manifest.indexes):
        return
    for one in installs.manifest.requirements:
        pinned = LOCAL.search(one.specifier)
        if (
            pinned is None
            or one.url
            or one.index
            or one.conda
            or one.locked
            or not installs.holds(one.origin)
        ):
            continue
        if one.name not in ("torch", "torchvision", "torchaudio"):
            continue
        yield Problem(
            place=installs.place(one.origin, pinned[1], one.name),
            message=message(
                "no index is named that has {name} {version}: PyPI has no versions with +{variant}; add "
                "--index-url https://download.pytorch.org/whl/{variant}",
                "没有指定含有 {name} {version} 的索引：PyPI 上没有带 +{variant} 的版本；请加上 "
                "--index-url https://download.pytorch.org/whl/{variant}",
                name=one.name,
                version=pinned[1],
                variant=pinned[2],
            ),
            certainty=Certainty.LIKELY if installs.kind in ("image", "command") else Certainty.POSSIBLE,
            severity=None if installs.kind in ("image", "command") else Severity.NOTE,
            fix=_named_index(installs, pinned[2]),
        )


def _named_index(installs: Installs, variant: str) -> Fix | None:
    if installs.kind != "requirements":
        return None
    place = installs.source.place(0, 0)
    line = f"--extra-index-url https://download.pytorch.org/whl/{variant}\n"
    return Fix(message("name the index", "写明索引"), (Edit(place, line),))


@rule("extra-index-url-prefers-cpu-wheel")
def extra_index_is_the_one_taken(installs: Installs) -> Iterator[Problem]:
    """pip takes the highest version of all indexes together, so that an older CUDA's index is passed over."""
    found = asked(installs)
    if found is None or found.torch is None:
        return
    if UV.search(installs.source.text):
        return
    extra = [
        one for one in installs.manifest.indexes if one.kind == "extra-index" and CUDA_INDEX.search(one.url)
    ]
    torch = next((one for one in installs.manifest.requirements if one.name == "torch"), None)
    if len(extra) != 1 or torch is None or torch.index or torch.url or torch.conda or "+" in torch.specifier:
        return
    yield from _passed_over(installs, extra[0], torch, found.torch.value)


def _passed_over(installs: Installs, index: Index, torch: Requirement, taken: str) -> Iterator[Problem]:
    meant = variant_of(index.url) or ""
    if release(taken) is None or local(taken) in ("", meant) or not installs.holds(index.origin):
        return
    sure = installs.kind != "requirements"
    yield Problem(
        place=installs.place(index.origin, index.url, meant),
        message=message(
            "with this extra index pip takes torch {version} for {variant} from PyPI, not a build for "
            "{meant}: use --index-url, or pin torch=={version}+{meant}",
            "使用这个额外索引时，pip 会从 PyPI 取 {variant} 的 torch {version}，而不是 {meant} 的构建："
            "请用 --index-url，或固定为 torch=={version}+{meant}",
            version=plain(taken),
            variant=local(taken),
            meant=meant,
        )
        if torch.specifier.startswith("==")
        else message(
            "with this extra index pip takes the newest torch, {version} for {variant} from PyPI, not a "
            "build for {meant}: use --index-url",
            "使用这个额外索引时，pip 会取最新的 torch，即 PyPI 上 {variant} 的 {version}，"
            "而不是 {meant} 的构建：请用 --index-url",
            version=plain(taken),
            variant=local(taken),
            meant=meant,
        ),
        # uv looks at its extra indexes first; which of them reads a file of requirements is not told.
        certainty=Certainty.LIKELY if sure else Certainty.POSSIBLE,
        severity=Severity.WARNING if sure else Severity.NOTE,
    )


RULES = (build_in_a_cuda_image_has_cuda, local_versions_have_an_index, extra_index_is_the_one_taken)
