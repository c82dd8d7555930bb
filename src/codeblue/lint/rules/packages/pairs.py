"""Packages that exclude each other, or that are for another CUDA."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.containers import gpu_images
from codeblue.model.config.installs import Installs
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.manifest import Requirement
from codeblue.model.text import message

CUPY = re.compile(r"cupy-cuda(\d{2})x?\d*$")
PYTORCH_CUDA = ("11.6", "11.7", "11.8", "12.1", "12.4")
"""Versions that the channel pytorch has: https://anaconda.org/pytorch/pytorch-cuda/files."""


def _named(installs: Installs, name: str) -> Requirement | None:
    found = (one for one in installs.manifest.requirements if one.name == name and installs.holds(one.origin))
    return next(found, None)


@rule("cpu-only-onnxruntime", in_documents=True)
def one_onnxruntime(installs: Installs) -> Iterator[Problem]:
    """Both packages hold the same module, and the one that is installed last is used."""
    plain, gpu = _named(installs, "onnxruntime"), _named(installs, "onnxruntime-gpu")
    removed = re.search(r"uninstall[^\n]*onnxruntime", installs.source.text)
    if plain is not None and gpu is not None and not plain.locked and not removed:
        yield Problem(
            place=installs.place(plain.origin, "onnxruntime"),
            message=message(
                "onnxruntime and onnxruntime-gpu write into the same folder: which of them runs is chance; "
                "keep one",
                "onnxruntime 和 onnxruntime-gpu 写入同一个目录：最终用哪个全凭运气；请只保留一个",
            ),
            certainty=Certainty.LIKELY,
            severity=Severity.WARNING,
        )


@rule("two-torch-installs-mixed", in_documents=True)
def one_installer_for_torch(installs: Installs) -> Iterator[Problem]:
    """conda's torch and pip's end up in the same folder."""
    both = [
        one for one in installs.manifest.requirements if one.name == "torch" and installs.holds(one.origin)
    ]
    pip = next((one for one in both if not one.conda), None)
    if pip is not None and any(one.conda for one in both):
        yield Problem(
            place=installs.place(pip.origin, "torch"),
            message=message(
                "torch is installed by conda and by pip: their files end up mixed in one folder",
                "torch 同时由 conda 和 pip 安装：两者的文件会混在同一个目录里",
            ),
            certainty=Certainty.LIKELY,
            severity=Severity.WARNING,
        )


@rule("packages-for-other-cuda-major", in_documents=True)
def cupy_is_for_the_cuda_of_the_image(installs: Installs) -> Iterator[Problem]:
    """CuPy has a package for each major version of CUDA, and takes its libraries from the image."""
    cuda = gpu_images.cuda_of(installs.image) if installs.image else None
    for one in installs.manifest.requirements:
        found = CUPY.match(one.name)
        if found and cuda and found[1] != cuda.partition(".")[0] and installs.holds(one.origin):
            yield Problem(
                place=installs.place(one.origin, one.name),
                message=message(
                    "{package} is for CUDA {other}, and the image has CUDA {cuda}",
                    "{package} 面向 CUDA {other}，而镜像里是 CUDA {cuda}",
                    package=one.name,
                    other=found[1],
                    cuda=cuda,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("conda-meta-package-withdrawn", in_documents=True)
def pytorch_cuda_exists(installs: Installs) -> Iterator[Problem]:
    """The package that chooses PyTorch's CUDA has few versions, and ended with torch 2.5."""
    if installs.kind == "conda":
        # Environment files have rules of their own.
        return
    one = _named(installs, "pytorch-cuda")
    version = re.search(r"(\d+\.\d+)", one.specifier) if one else None
    if one is not None and one.conda and version and version[1] not in PYTORCH_CUDA:
        yield Problem(
            place=installs.place(one.origin, version[1], "pytorch-cuda"),
            message=message(
                "there is no pytorch-cuda {version}; the channel has {known}, and ends with torch 2.5",
                "没有 pytorch-cuda {version}；该频道只有 {known}，且止于 torch 2.5",
                version=version[1],
                known=", ".join(PYTORCH_CUDA),
            ),
        )


RULES = (
    one_onnxruntime,
    one_installer_for_torch,
    cupy_is_for_the_cuda_of_the_image,
    pytorch_cuda_exists,
)
