"""Were the builds that a document names ever published?"""

import re
from collections.abc import Iterator
from typing import Any

from codeblue.knowledge.companions import fitting
from codeblue.knowledge.cudnn import line_of
from codeblue.knowledge.tables import by_key, table
from codeblue.knowledge.versions import parts
from codeblue.knowledge.wheels import local, plain, release
from codeblue.lint.rule import rule
from codeblue.model.config.document import Claim, Mention
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

WHEEL = re.compile(r"torch-([\d.]+)(?:(?:\+|%2B)(cu\d+))?-cp(\d)(\d+)t?-[^-]+-(.+)\.whl", re.IGNORECASE)
INSTALLED = r"\bpip\b|\bwheels?\b|\binstall|pytorch\.org|安装"
"""Words of a sentence that speaks of what PyTorch publishes, and not of what others build."""
INDEXES = frozenset(
    {
        "cu75",
        "cu80",
        "cu90",
        "cu91",
        "cu92",
        "cu100",
        "cu101",
        "cu102",
        "cu110",
        "cu111",
        "cu113",
        "cu115",
        "cu116",
        "cu117",
    }
)
"""Of releases before the table, or with other names."""


@rule("document-version-impossible")
def torch_builds_exist(claim: Claim) -> Iterator[Problem]:
    """A torch with a local part is a build that PyTorch has published."""
    for one in claim.all("torch"):
        row, variant = release(_whole(one.value)), local(one.value)
        if row is not None and variant and not _has(row, variant):
            yield _no_build(one, plain(one.value), variant, row)


def _whole(version: str) -> str:
    """Return a version with three numbers."""
    number = plain(version)
    return number if number.count(".") == 2 else f"{number}.0"


def _has(row: dict[str, Any], variant: str) -> bool:
    return variant in row["variants"] or variant in row["aarch64_variants"]


def _no_build(one: Mention, version: str, variant: str, row: dict[str, Any]) -> Problem:
    return Problem(
        place=one.place,
        variant="torch-build",
        message=message(
            "torch {version} was never built for {variant}; it has {known}",
            "torch {version} 从未有过 {variant} 构建；它有 {known}",
            version=version,
            variant=variant,
            known=", ".join(row["variants"]),
        ),
    )


@rule("document-version-impossible")
def wheels_exist(claim: Claim) -> Iterator[Problem]:
    """The file name of a torch wheel is one that was published."""
    for one in claim.all("wheel"):
        found = WHEEL.fullmatch(one.value)
        row = release(found[1]) if found else None
        if found is None or row is None or "linux" not in found[5]:
            continue
        python = f"{found[3]}.{found[4]}"
        if found[2] and not _has(row, found[2]):
            yield _no_build(one, found[1], found[2], row)
        elif python not in (*row["python"], *row.get("python_aarch64", ())) and "x86_64" in found[5]:
            yield Problem(
                place=one.place,
                variant="wheel",
                message=message(
                    "torch {version} has no wheel for Python {python}",
                    "torch {version} 没有 Python {python} 的 wheel",
                    version=found[1],
                    python=python,
                ),
            )


@rule("cuda-index-does-not-exist")
def indexes_exist(claim: Claim) -> Iterator[Problem]:
    """An index of PyTorch is one that has ever held wheels."""
    known = INDEXES | {name for row in table("torch_releases")["rows"] for name in row["variants"]}
    for one in claim.all("index"):
        if one.value not in known and not claim.code:
            yield Problem(
                place=one.place,
                message=message(
                    "PyTorch has no index {index}: no release was built for it",
                    "PyTorch 没有 {index} 这个软件源：没有任何版本为它构建过",
                    index=one.value,
                ),
            )


@rule("document-version-impossible")
def companions_fit(claim: Claim) -> Iterator[Problem]:
    """One torch and one torchvision or torchaudio of a sentence, or of a row, belong together."""
    torch = claim.one("torch")
    for name in ("torchvision", "torchaudio"):
        other = claim.one(name)
        if torch is None or other is None or torch.bound or other.bound:
            continue
        known = fitting(name, _whole(torch.value))
        if known and parts(other.value)[:2] not in [parts(version)[:2] for version in known]:
            yield Problem(
                place=other.place,
                variant=name,
                message=message(
                    "{name} {version} was built for another torch; for torch {torch} it is {known}",
                    "{name} {version} 是为另一个 torch 构建的；torch {torch} 对应 {known}",
                    name=name,
                    version=other.value,
                    torch=torch.value,
                    known=", ".join(known),
                ),
            )


@rule("document-version-impossible")
def cudnn_fits_cuda(claim: Claim) -> Iterator[Problem]:
    """``cuDNN 9.12 for CUDA 11.8``: the line was built for that major release of CUDA."""
    cudnn, cuda = claim.one("cudnn"), claim.one("cuda")
    if cudnn is None or cuda is None or cudnn.bound or cuda.bound:
        return
    if not claim.row and not re.fullmatch(
        r"\W*(?:for|with|on|and|\+|,|搭配|和|用于)?\W*", claim.between(cudnn, cuda), re.IGNORECASE
    ):
        return
    line = line_of(cudnn.value)
    majors = {int(re.match(r"\d+", cuda_of)[0]) for cuda_of in line.row["cuda"]} if line else set()  # type: ignore[index]  # the table's ranges begin with a number
    if line is not None and line.row["confidence"] != "low" and parts(cuda.value)[0] not in majors:
        yield Problem(
            place=cudnn.place,
            variant="cudnn",
            message=message(
                "cuDNN {cudnn} has no build for CUDA {cuda}; it has some for {known}",
                "cuDNN {cudnn} 没有 CUDA {cuda} 的构建；它支持 {known}",
                cudnn=cudnn.value,
                cuda=cuda.value,
                known=", ".join(line.row["cuda"]),
            ),
            certainty=Certainty.LIKELY,
        )


@rule("document-version-impossible")
def torch_fits_cuda(claim: Claim) -> Iterator[Problem]:
    """``PyTorch 2.1 + CUDA 12.8``: the release had a build for it, where both are joined by a sign."""
    torch, cuda = claim.one("torch"), claim.one("cuda")
    if (
        torch is None
        or cuda is None
        or torch.bound
        or cuda.bound
        or claim.all("image")
        or not claim.says(INSTALLED)
    ):
        return
    if not re.fullmatch(r"\s*(?:\+|/|\(|（|with|built (?:for|with))\s*", claim.between(torch, cuda)):
        return
    row = release(_whole(torch.value))
    known = by_key("cuda_toolkits", "version")
    builds = {
        one["cuda"] for part in ("variants", "aarch64_variants") for one in (row or {part: {}})[part].values()
    }
    if (
        row is not None
        and cuda.value in known
        and cuda.value not in builds
        and not re.search("from source|源码|ngc|nvcr", claim.text + claim.around, re.IGNORECASE)
    ):
        yield Problem(
            place=cuda.place,
            variant="torch-cuda",
            message=message(
                "torch {torch} was published for CUDA {known}, not for {cuda}",
                "torch {torch} 发布的构建对应 CUDA {known}，没有 {cuda}",
                torch=torch.value,
                cuda=cuda.value,
                known=", ".join(sorted(builds, key=parts)),
            ),
            certainty=Certainty.LIKELY,
        )


RULES = (torch_builds_exist, wheels_exist, indexes_exist, companions_fit, cudnn_fits_cuda, torch_fits_cuda)
