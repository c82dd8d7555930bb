"""Was a compiled extension made for this torch? Its wheel's name tells."""

import re
from collections.abc import Iterator

from codeblue.knowledge.versions import parts
from codeblue.knowledge.wheels import release
from codeblue.matrix import builds
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message

MADE_FOR = re.compile(
    r"(?P<name>[\w.]+?)-[^-]*?cu(?P<cuda>\d{2,3})[._]?(?:torch|pt)(?P<torch>\d+\.?\d+)"
    r"(?:cxx11abi(?P<abi>TRUE|FALSE))?",
    re.IGNORECASE,
)
"""As ``flash_attn-2.7.4+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl``."""


def extensions_fit(asked: Combination) -> Iterator[Judgement]:
    """Judge the torch, the CUDA and the C++ ABI that a file name promises."""
    row = release(asked.torch.value) if asked.torch else None
    build = builds.of(asked)
    for part in asked.extensions if row and build else ():
        found = MADE_FOR.search(part.value)
        if found is None or row is None or build is None:
            continue
        abi = builds.particular(asked, row, "cxx11_abi")
        wrong = list(_differences(found, row["version"], abi, build))
        values = {"name": found["name"], "torch": build.name, "wrong": ", ".join(wrong)}
        yield Judgement(
            rule="extension-fits-torch",
            answer=Answer.NO if wrong else Answer.YES,
            parts=("extensions", "torch"),
            text=message(
                "the wheel of {name} was made for another torch than {torch}: {wrong}",
                "{name} 的 wheel 不是为 torch {torch} 构建的：{wrong}",
                **values,
            )
            if wrong
            else message(
                "the wheel of {name} was made for torch {torch}",
                "{name} 的 wheel 是为 torch {torch} 构建的",
                **values,
            ),
            sources=build.sources,
            way=message(
                "take the wheel of {name} for this torch, or build it from source",
                "换用对应该 torch 的 {name} wheel，或从源码构建",
                **values,
            )
            if wrong
            else None,
        )


def _differences(found: "re.Match[str]", torch: str, abi: bool, build: builds.Build) -> Iterator[str]:
    made = found["torch"] if "." in found["torch"] else f"{found['torch'][0]}.{found['torch'][1:]}"
    if parts(made)[:2] != parts(torch)[:2]:
        yield f"torch {made}"
    if found["abi"] and (found["abi"].upper() == "TRUE") != abi:
        yield f"cxx11abi{found['abi'].upper()}"
    if build.cuda and found["cuda"][:2] != build.cuda.partition(".")[0]:
        yield f"cu{found['cuda']}"
