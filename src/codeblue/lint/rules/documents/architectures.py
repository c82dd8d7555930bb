"""Is a GPU of the architecture that a document says, and which CUDA does it need?"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from codeblue.knowledge.gpu_names import matching
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older, parts
from codeblue.lint.rule import rule
from codeblue.model.config.document import Claim, Mention
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

SERIES = {"20": ("7.5",), "16": ("7.5",), "30": ("8.6",), "40": ("8.9",), "50": ("12.0",), "10": ("6.1",)}
"""What all GeForce cards of a series have."""
SERIES_NAME = re.compile(r"(?:RTX|GTX)[- ]?(\d\d)\s?(?:xx|-?series|系列?)", re.IGNORECASE)
IS = re.compile(
    r"\s*(?:GPUs?|cards?|显卡|卡)?\s*(?:[(（:：=→]|->|is|are|has|have|uses|的?(?:是|为)|对应|属于|的)?\s*(?:an?|the|"
    r"architecture|arch|架构)?\s*[(（:：]?\s*",
    re.IGNORECASE,
)
"""What stands between a GPU and what it is said to be."""
OPENS = re.compile(r"\s*(?:[(（:：=→-]|->|is|are|for|对应)\s*(?:the|NVIDIA|GeForce|Tesla|\s)*", re.IGNORECASE)
"""What stands between a capability and the GPU behind it."""
REQUIRES = re.compile(
    r"\s*(?:GPUs?|cards?|显卡|系列|架构|series|architecture)?\s*(?:\([^()]{0,30}\))?\s*(?:requires?|needs?|"
    r"must (?:use|have)|need at least|需要|要求|必须使用|至少需要)\b[^.。;；]{0,20}",
    re.IGNORECASE,
)
JUDGED_FROM = 10
"""Major capability from which on no older code runs on a GPU, so that its first CUDA is a true minimum."""


@cache
def capabilities(name: str) -> frozenset[str]:
    """Return the compute capabilities that a name may mean; none if no table knows it."""
    if found := SERIES_NAME.fullmatch(name):
        return frozenset(SERIES.get(found[1], ()))
    arch = name.split(maxsplit=1)[0].casefold()
    rows = [row for row in table("gpus")["rows"] if row["arch"].casefold() == arch]
    return frozenset(row["cc"] for row in rows or matching(name))


@rule("document-version-impossible")
def gpus_have_their_capability(claim: Claim) -> Iterator[Problem]:
    """``RTX 4090 (sm_86)``, ``H100 is 8.0``, or a row with GPUs and one capability."""
    for gpus, said in _in_row(claim) if claim.row else _pairs(claim):
        known = frozenset[str]().union(*(capabilities(gpu.value) for gpu in gpus))
        if known and said.value not in known and said.value in _all_capabilities() and not said.bound:
            yield Problem(
                place=said.place,
                variant="capability",
                message=message(
                    "{gpu} has compute capability {known}, not {said}",
                    "{gpu} 的计算能力是 {known}，不是 {said}",
                    gpu=", ".join(gpu.value for gpu in gpus[:3]),
                    known=", ".join(sorted(known, key=parts)),
                    said=said.value,
                ),
            )


@cache
def _all_capabilities() -> frozenset[str]:
    """Return those that the table has; it lacks some of embedded parts, which then say nothing."""
    return frozenset(row["cc"] for row in table("gpus")["rows"])


def _in_row(claim: Claim) -> Iterator[tuple[list[Mention], Mention]]:
    """Yield the cards of a row, or its architecture if it names no card, with its one capability."""
    said, gpus = claim.one("capability"), claim.all("gpu")
    if said is not None and gpus and all(capabilities(gpu.value) for gpu in gpus):
        yield [gpu for gpu in gpus if len(capabilities(gpu.value)) == 1] or gpus, said


def _pairs(claim: Claim) -> Iterator[tuple[list[Mention], Mention]]:
    """Yield a GPU of a sentence and what is said of it."""
    both = [one for one in claim.mentions if one.kind in ("gpu", "capability")]
    joined = [_joined(claim, one, other) for one, other in pairwise(both)]
    kinds = [one.kind for one in both]
    # In a list, each pair begins with the same of the two; otherwise it is not sure what belongs together.
    if len(kinds) % 2 or any(kinds[n : n + 2] != kinds[:2] for n in range(0, len(kinds), 2)):
        return
    for number in range(0, len(both), 2):
        if joined[number] and kinds[0] != kinds[1]:
            one, other = both[number], both[number + 1]
            yield ([one], other) if one.kind == "gpu" else ([other], one)


def _joined(claim: Claim, one: Mention, other: Mention) -> bool:
    if one.kind == other.kind or other.start < one.end:
        return False
    link = claim.text[one.end : other.start]
    return (IS if one.kind == "gpu" else OPENS).fullmatch(link) is not None and len(link.strip()) > 0


@rule("document-version-impossible")
def new_gpus_need_their_cuda(claim: Claim) -> Iterator[Problem]:
    """``Blackwell needs CUDA 12.4``: no toolkit before the first one with its code makes code for it."""
    gpu, cuda = claim.one("gpu"), claim.one("cuda")
    if gpu is None or cuda is None or claim.row or cuda.start < gpu.end or cuda.bound == "most":
        return
    first = _first_cuda(gpu.value)
    if first is not None and older(cuda.value, first) and REQUIRES.match(claim.between(gpu, cuda)):
        yield Problem(
            place=cuda.place,
            variant="architecture-cuda",
            message=message(
                "{gpu} needs CUDA {first}: {said} makes no code that runs on it",
                "{gpu} 需要 CUDA {first}：{said} 生成不了能在其上运行的代码",
                gpu=gpu.value,
                first=first,
                said=cuda.value,
            ),
            certainty=Certainty.LIKELY,
        )


@cache
def _first_cuda(name: str) -> str | None:
    """Return the oldest CUDA for any GPU of this name."""
    known = capabilities(name)
    if not known or any(parts(one)[0] < JUDGED_FROM for one in known):
        return None
    firsts: list[str] = [row["min_cuda"] for row in table("gpus")["rows"] if row["cc"] in known]
    return min(firsts, key=parts)


RULES = (gpus_have_their_capability, new_gpus_need_their_cuda)
