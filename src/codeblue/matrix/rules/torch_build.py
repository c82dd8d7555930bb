"""Does this torch exist, with this CUDA variant, and can it use a GPU at all?"""

from collections.abc import Iterator
from typing import Any

from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older, parts
from codeblue.knowledge.wheels import local, plain, release
from codeblue.matrix import builds
from codeblue.matrix.cited import cited
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message


def torch_build(asked: Combination) -> Iterator[Judgement]:
    """Look up the release and its variant."""
    if asked.torch is None or asked.targets or asked.torch_cuda:
        return
    version = asked.torch.value
    row = release(version)
    if row is None:
        yield _no_release(version)
        return
    variant = local(version)
    if not variant and asked.torch.distribution == "conda":
        yield _chosen_by_conda(row)
    elif not variant:
        default = builds.default_variant(row, builds.machine(asked))
        yield _exists(row, f"{plain(version)}+{default}")
    elif variant == builds.CPU:
        yield _exists(row, version)
    else:
        yield _of_variant(asked, row, variant)


def _chosen_by_conda(row: dict[str, Any]) -> Judgement:
    return Judgement(
        rule="torch-build-exists",
        answer=Answer.UNKNOWN,
        parts=("torch",),
        text=message(
            "conda chooses the build of torch {version} when it solves; name cuda-version, or pytorch-cuda "
            "for the channel pytorch",
            "torch {version} 的构建由 conda 求解时选择；请写明 cuda-version，"
            "或对 pytorch 频道写明 pytorch-cuda",
            version=row["version"],
        ),
    )


def _exists(row: dict[str, Any], name: str) -> Judgement:
    return Judgement(
        rule="torch-build-exists",
        answer=Answer.YES,
        parts=("torch",),
        text=message("torch {name} exists", "torch {name} 存在", name=name),
        sources=cited("torch_releases", row["version"], row),
    )


def _of_variant(asked: Combination, row: dict[str, Any], variant: str) -> Judgement:
    here = builds.variants(row, builds.machine(asked))
    checked = [name for name, one in here.items() if one["confidence"] != "low"]
    if variant in checked:
        return _exists(row, f"{row['version']}+{variant}")
    offered = ", ".join(checked) or "-"
    if not here or variant in (*here, *row.get("also", ())) or not variant.startswith("cu"):
        return Judgement(
            rule="torch-build-exists",
            answer=Answer.UNKNOWN,
            parts=("torch", "machine"),
            text=message(
                "no table knows builds of torch {version} with {variant} for {machine}",
                "表中没有 torch {version} 在 {machine} 上的 {variant} 构建的数据",
                version=row["version"],
                variant=variant,
                machine=builds.machine(asked),
            ),
            sources=cited("torch_releases", row["version"], row),
        )
    return Judgement(
        rule="torch-build-exists",
        answer=Answer.NO,
        parts=("torch",),
        text=message(
            "torch {version} has no build with {variant}; it has {offered}",
            "torch {version} 没有 {variant} 构建，只有 {offered}",
            version=row["version"],
            variant=variant,
            offered=offered,
        ),
        sources=cited("torch_releases", row["version"], row),
        way=message("take one of {offered}", "改用 {offered} 之一", offered=offered),
    )


def _no_release(version: str) -> Judgement:
    rows = table("torch_releases")["rows"]
    final = all(mark not in version for mark in ("dev", "rc", "a0", "b0", "post", "git", "nv"))
    known = final and not older(version, rows[0]["version"]) and not older(rows[-1]["version"], version)
    near = _near(version)
    if not known:
        return Judgement(
            rule="torch-build-exists",
            answer=Answer.UNKNOWN,
            parts=("torch",),
            text=message(
                "no table knows torch {version}; it knows the releases {first} to {last}",
                "表中没有 torch {version} 的数据；表中收录的是 {first} 至 {last} 的正式版本",
                version=version,
                first=rows[0]["version"],
                last=rows[-1]["version"],
            ),
        )
    return Judgement(
        rule="torch-build-exists",
        answer=Answer.NO,
        parts=("torch",),
        text=message(
            "there is no torch {version}; near are {near}",
            "没有 torch {version} 这个版本；相近的有 {near}",
            version=plain(version),
            near=", ".join(near),
        ),
        way=message("take {near}", "改用 {near}", near=near[-1]),
    )


def _near(version: str) -> list[str]:
    """Return the releases of the same minor version, else those just before and after."""
    names = [row["version"] for row in table("torch_releases")["rows"]]
    same = [name for name in names if parts(name)[:2] == (*parts(version), 0)[:2]]
    before = [name for name in names if older(name, version)][-1:]
    after = [name for name in names if older(version, name)][:1]
    return same or before + after


def build_uses_gpus(asked: Combination) -> Iterator[Judgement]:
    """Tell a build without CUDA from one with it, where a GPU is to be used."""
    build = builds.of(asked)
    if build is None or not (asked.gpus or asked.driver):
        return
    if build.cuda is not None or asked.targets:
        return
    bare = asked.torch is not None and not local(asked.torch.value)
    where = message(
        "the wheel of torch {name} on PyPI for {machine} is built without CUDA",
        "PyPI 上 {machine} 的 torch {name} wheel 不带 CUDA",
        name=build.name.removesuffix("+cpu"),
        machine=builds.machine(asked),
    )
    plainly = message("torch {name} is built without CUDA", "torch {name} 构建时不带 CUDA", name=build.name)
    yield Judgement(
        rule="build-uses-gpus",
        answer=Answer.NO,
        parts=("torch", "gpus" if asked.gpus else "driver"),
        text=where if bare else plainly,
        sources=build.sources,
        way=message("take a build with CUDA", "改用带 CUDA 的构建"),
    )
