"""Do torchvision, torchaudio and triton belong to this torch?"""

from collections.abc import Iterator

from codeblue.knowledge.companions import fitting, partners
from codeblue.knowledge.wheels import local, plain, release
from codeblue.matrix import builds
from codeblue.matrix.cited import cited
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message


def torchvision_fits(asked: Combination) -> Iterator[Judgement]:
    """Judge torchvision."""
    yield from _companion(asked, "torchvision", asked.torchvision)


def torchaudio_fits(asked: Combination) -> Iterator[Judgement]:
    """Judge torchaudio."""
    yield from _companion(asked, "torchaudio", asked.torchaudio)


def _companion(asked: Combination, name: str, part: Part | None) -> Iterator[Judgement]:
    if part is None or asked.torch is None:
        return
    yield _by_release(asked.torch.value, name, part.value)
    mine, theirs = local(part.value), _variant(asked)
    if mine and theirs and mine != theirs:
        yield Judgement(
            rule=f"{name}-same-cuda",
            answer=Answer.NO,
            parts=(name, "torch"),
            text=message(
                "{name} {version} was built for {mine}, torch for {theirs}",
                "{name} {version} 为 {mine} 构建，而 torch 为 {theirs} 构建",
                name=name,
                version=part.value,
                mine=mine,
                theirs=theirs,
            ),
            way=message("take both from one index", "两者从同一索引安装"),
        )


def _variant(asked: Combination) -> str:
    build = builds.of(asked)
    return build.variant if build is not None else ""


def _by_release(torch: str, name: str, version: str) -> Judgement:
    wanted = fitting(name, torch)
    known = partners(name, version)
    row = release(torch)
    values = {
        "name": name,
        "version": plain(version),
        "torch": plain(torch),
        "wanted": ", ".join(wanted),
        "others": ", ".join(known),
    }
    if plain(version) in wanted:
        answer = Answer.YES
        text = message(
            "{name} {version} belongs to torch {torch}", "{name} {version} 与 torch {torch} 配套", **values
        )
    elif known:
        answer = Answer.NO
        text = message(
            "{name} {version} was built for torch {others}, not for {torch}",
            "{name} {version} 是为 torch {others} 构建的，不适用于 {torch}",
            **values,
        )
    else:
        answer = Answer.UNKNOWN
        text = message("no table knows {name} {version}", "表中没有 {name} {version} 的数据", **values)
    return Judgement(
        rule=f"{name}-fits",
        answer=answer,
        parts=(name, "torch"),
        text=text,
        sources=cited("torch_releases", plain(torch), row),
        way=message("{name} {wanted}", "改用 {name} {wanted}", **values)
        if wanted and answer is not Answer.YES
        else None,
    )


def triton_fits(asked: Combination) -> Iterator[Judgement]:
    """Judge triton against the pin of the wheels with CUDA."""
    build = builds.of(asked)
    row = release(asked.torch.value) if asked.torch else None
    if asked.triton is None or build is None or row is None or not row["triton"] or asked.targets:
        return
    if build.cuda is None or row["triton"].startswith("~"):
        return
    fits = plain(asked.triton.value) == row["triton"]
    yield Judgement(
        rule="triton-fits",
        answer=Answer.YES if fits else Answer.NO,
        parts=("triton", "torch"),
        text=message(
            "torch {torch} requires triton {wanted}; here is {version}",
            "torch {torch} 要求 triton {wanted}；此处为 {version}",
            torch=build.name,
            wanted=row["triton"],
            version=asked.triton.value,
        ),
        sources=build.sources,
        way=None if fits else message("triton {wanted}", "改用 triton {wanted}", wanted=row["triton"]),
    )
