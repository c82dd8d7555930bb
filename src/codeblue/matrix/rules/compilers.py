"""Can this CUDA toolkit compile for the GPU, and for this torch?"""

from collections.abc import Iterator

from codeblue.knowledge.compilers import Match, match
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import older, parts
from codeblue.matrix import builds
from codeblue.matrix.builds import Build
from codeblue.matrix.cited import cited, rule_of
from codeblue.matrix.devices import Device, device
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message


def toolkit_knows_gpu(asked: Combination) -> Iterator[Judgement]:
    """Judge each GPU against the range of toolkits that compile for it."""
    named = {name: part for name in ("cuda", "nvcc") if (part := getattr(asked, name)) is not None}
    for name, toolkit in named.items():
        for part in asked.gpus:
            gpu = device(part)
            if gpu is not None:
                yield _judged(name, ".".join(map(str, parts(toolkit.value)[:2])), gpu)


def _judged(name: str, cuda: str, gpu: Device) -> Judgement:
    late = gpu.last_cuda is not None and older(gpu.last_cuda, cuda)
    early = older(cuda, gpu.min_cuda)
    known = by_key("cuda_toolkits", "version")
    if not late and not early and cuda not in known and not older(cuda, next(iter(known))):
        return _unknown(name, cuda)
    values = {
        "cuda": cuda,
        "gpu": gpu.name,
        "cc": gpu.cc,
        "first": gpu.min_cuda,
        "last": gpu.last_cuda or "",
    }
    if late:
        text = message(
            "CUDA {cuda} compiles no code for the {gpu} ({cc}) any more; {last} is the last that does",
            "CUDA {cuda} 已不能为 {gpu}（{cc}）编译代码；最后一个支持的版本是 {last}",
            **values,
        )
    elif early:
        text = message(
            "CUDA {cuda} is older than the {gpu} ({cc}); {first} is the first that compiles for it",
            "CUDA {cuda} 早于 {gpu}（{cc}）；最早支持它的版本是 {first}",
            **values,
        )
    else:
        text = message(
            "CUDA {cuda} compiles for the {gpu} ({cc})", "CUDA {cuda} 可为 {gpu}（{cc}）编译", **values
        )
    return Judgement(
        rule="toolkit-compiles-for-gpu",
        answer=Answer.NO if late or early else Answer.YES,
        parts=(name, "gpus"),
        text=text,
        sources=cited("cuda_toolkits", cuda, by_key("cuda_toolkits", "version").get(cuda)) + gpu.sources,
    )


def _unknown(name: str, cuda: str) -> Judgement:
    known = list(by_key("cuda_toolkits", "version"))
    before = [one for one in known if older(one, cuda)][-1:]
    after = [one for one in known if older(cuda, one)][:1]
    return Judgement(
        rule="toolkit-compiles-for-gpu",
        answer=Answer.UNKNOWN,
        parts=(name, "gpus"),
        text=message(
            "no table knows a CUDA toolkit {cuda}; near are {near}",
            "表中没有 CUDA 工具包 {cuda}；相近的有 {near}",
            cuda=cuda,
            near=", ".join(before + after),
        ),
    )


def nvcc_builds_extensions(asked: Combination) -> Iterator[Judgement]:
    """Judge the compiler against the CUDA of torch; one that only lies there is noted if it does not fit."""
    build = builds.of(asked)
    if build is None or build.cuda is None:
        return
    if asked.nvcc is not None:
        yield _with_nvcc(build, build.cuda, asked.nvcc)
    elif asked.nvcc_at_hand is not None and match(asked.nvcc_at_hand.value, build.cuda) is Match.MAJOR:
        yield _at_hand(build, build.cuda, asked.nvcc_at_hand)


def _with_nvcc(build: Build, cuda: str, nvcc: Part) -> Judgement:
    how = match(nvcc.value, cuda)
    values = {"torch": build.name, "cuda": cuda, "nvcc": nvcc.value}
    texts = {
        Match.SAME: message(
            "nvcc {nvcc} builds extensions for torch {torch}",
            "nvcc {nvcc} 可为 torch {torch} 编译扩展",
            **values,
        ),
        Match.MINOR: message(
            "nvcc {nvcc} builds extensions for torch {torch} (CUDA {cuda}); torch warns of the minor version",
            "nvcc {nvcc} 可为 torch {torch}（CUDA {cuda}）编译扩展；torch 会对次版本不同给出警告",
            **values,
        ),
        Match.MAJOR: message(
            "torch {torch} (CUDA {cuda}) refuses to build extensions with nvcc {nvcc}: another major version",
            "torch {torch}（CUDA {cuda}）拒绝用 nvcc {nvcc} 编译扩展：主版本不同",
            **values,
        ),
    }
    return Judgement(
        rule="nvcc-builds-extensions",
        answer={Match.SAME: Answer.YES, Match.MINOR: Answer.IF, Match.MAJOR: Answer.NO}[how],
        parts=("nvcc", "torch"),
        text=texts[how],
        sources=build.sources + rule_of("cuda_toolkits", "extension_build"),
        way=message(
            "an nvcc of CUDA {cuda} (CUDA_HOME names it), or a torch for CUDA {major}",
            "改用 CUDA {cuda} 的 nvcc（由 CUDA_HOME 指定），或面向 CUDA {major} 的 torch",
            **values,
            major=parts(nvcc.value)[0],
        )
        if how is Match.MAJOR
        else None,
    )


def _at_hand(build: Build, cuda: str, nvcc: Part) -> Judgement:
    return Judgement(
        rule="nvcc-builds-extensions",
        answer=Answer.NOTE,
        parts=("nvcc_at_hand", "torch"),
        text=message(
            "torch {torch} runs, but would refuse to build extensions with the nvcc {nvcc} that is there "
            "({origin}): its CUDA is {cuda}",
            "torch {torch} 可以运行，但会拒绝用现有的 nvcc {nvcc}（{origin}）编译扩展：它的 CUDA 是 {cuda}",
            torch=build.name,
            cuda=cuda,
            nvcc=nvcc.value,
            origin=nvcc.origin,
        ),
        sources=build.sources + rule_of("cuda_toolkits", "extension_build"),
    )
